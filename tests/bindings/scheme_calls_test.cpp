#include "bindings/call_arguments.h"
#include "calls/descriptions.h"
#include "calls/picture_positions.h"
#include "calls/scheme.h"

namespace wf {
namespace {

using calls::ChosenScheme;
using calls::ConfiguredScheme;
using calls::List;
using testing::CallArguments;
using testing::chosen_scheme;
using testing::is_refused;
using testing::refuses_wrong_lists;
using testing::said;

constexpr SchemeShape kSizes = {.num_heads = 4, .num_kv_heads = 2, .head_dim = 8};

std::unique_ptr<ConfiguredScheme> scheme_of(const char* id,
                                            const std::vector<testing::OptionNumbers>& options = {},
                                            const SchemeShape& sizes = kSizes) {
  auto made = ConfiguredScheme::make(*chosen_scheme(id, options), sizes);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

}  // namespace

TEST_CASE("Descriptions of indices out of range are empty") {
  for (const int wrong : {-1, INT32_MIN, INT32_MAX, calls::scheme_count()}) {
    CHECK(calls::scheme_facts(wrong).id == "");
    CHECK(calls::scheme_term(wrong, 0) == "");
    CHECK(calls::option_facts(wrong, 0).key == "");
    CHECK(calls::option_choice(wrong, 0, 0) == "");
  }
  for (int scheme = 0; scheme < calls::scheme_count(); ++scheme) {
    const calls::SchemeFacts facts = calls::scheme_facts(scheme);
    CHECK(facts.id != "");
    for (int term = 0; term < facts.term_count; ++term)
      CHECK(calls::scheme_term(scheme, term) != "");
    for (int option = 0; option < facts.option_count; ++option) {
      const calls::OptionFacts own = calls::option_facts(scheme, option);
      CHECK(own.key != "");
      for (int choice = 0; choice < own.choice_count; ++choice)
        CHECK(calls::option_choice(scheme, option, choice) != "");
      for (const int wrong : {-1, INT32_MIN, INT32_MAX, own.choice_count})
        CHECK(calls::option_choice(scheme, option, wrong) == "");
    }
    for (const int wrong : {-1, INT32_MIN, INT32_MIN + 1, INT32_MAX}) {
      CHECK(calls::scheme_term(scheme, wrong) == "");
      CHECK(calls::option_facts(scheme, wrong).key == "");
    }
    CHECK(calls::scheme_term(scheme, facts.term_count) == "");
    CHECK(calls::option_facts(scheme, facts.option_count).key == "");
  }
  for (const int wrong : {-1, INT32_MIN, INT32_MAX, calls::task_count()})
    CHECK(calls::task_id(wrong) == "");
  CHECK(calls::task_id(calls::task_count() - 1) != "");
}

TEST_CASE("A scheme is chosen by an index of the registry") {
  for (const int wrong : {-1, INT32_MIN, INT32_MAX, calls::scheme_count()})
    CHECK(is_refused(ChosenScheme::make(wrong), "invalid_argument: scheme: …"));
}

TEST_CASE("Options are set to finite numbers of their range, as many as their kind has") {
  CallArguments arguments(1 << 23);  // the longest list of an option takes 2 MB
  for (int scheme = 0; scheme < calls::scheme_count(); ++scheme) {
    auto chosen = ChosenScheme::make(scheme);
    REQUIRE(chosen.ok());
    const int count = calls::scheme_facts(scheme).option_count;
    const auto set = [&](int option, const std::vector<double>& numbers) {
      return chosen.value()->set_option(arguments.workspace, option, arguments.doubles(numbers));
    };
    for (const int wrong : {-1, INT32_MIN, INT32_MAX, count})
      CHECK(is_refused(set(wrong, {1}), "invalid_argument: option: …"));
    for (int option = 0; option < count; ++option) {
      const calls::OptionFacts facts = calls::option_facts(scheme, option);
      const bool takes_list = is_list(facts.kind);
      CAPTURE(facts.key);
      for (const double wrong : testing::kWrongNumbers)
        if (!(wrong >= facts.minimum && wrong <= facts.maximum))
          CHECK(set(option, {wrong}).code() == Code::kInvalidArgument);
      if (facts.kind == OptionKind::kChoice) {
        CHECK(set(option, {1.0 * facts.choice_count}).code() == Code::kInvalidArgument);
        CHECK(set(option, {0.5}).code() == Code::kInvalidArgument);
      }
      if (!takes_list) {
        CHECK(set(option, {}).code() == Code::kInvalidArgument);
        CHECK(set(option, {facts.default_value, facts.default_value}).code() ==
              Code::kInvalidArgument);
        CHECK(set(option, {facts.default_value}).ok());
      } else {
        CHECK(set(option, {}).ok());
        const Option& described = all_scheme_entries()[scheme]->description->options[option];
        CHECK(set(option, std::vector<double>(described.max_count + 1, facts.minimum)).code() ==
              Code::kInvalidArgument);
      }
    }
  }
}

TEST_CASE("An option's numbers are doubles of the block") {
  CallArguments arguments;
  auto chosen = chosen_scheme("rope");
  const int theta = testing::option_index("rope", "ropeTheta");
  const List numbers = arguments.doubles({5000});
  REQUIRE(chosen->set_option(arguments.workspace, theta, numbers).ok());
  refuses_wrong_lists(
      arguments, numbers,
      [&](List list) { return chosen->set_option(arguments.workspace, theta, list); },
      sizeof(double), testing::Lengths::kAny);
  const auto scheme = ConfiguredScheme::make(*chosen, kSizes);
  REQUIRE(scheme.ok());
  const List kept = scheme.value()->option(theta);
  REQUIRE(kept.length == 1);
  CHECK(*testing::elements<double>(kept) == 5000);
  for (const int wrong : {-1, INT32_MIN, INT32_MAX, 1000})
    CHECK(scheme.value()->option(wrong).length == 0);
}

TEST_CASE("No scheme is made for sizes that no head has") {
  for (int index = 0; index < calls::scheme_count(); ++index) {
    auto chosen = ChosenScheme::make(index);
    REQUIRE(chosen.ok());
    CAPTURE(calls::scheme_facts(index).id);
    const auto refuses = [&](const SchemeShape& sizes) {
      return ConfiguredScheme::make(*chosen.value(), sizes).status().code() ==
             Code::kInvalidArgument;
    };
    for (const int wrong : testing::kWrongSizes) {
      CHECK(refuses({wrong, 1, 8, 0}));
      CHECK(refuses({4, wrong, 8, 0}));
      CHECK(refuses({4, 2, wrong, 0}));
      if (wrong < 0 || wrong > 1 << 20) CHECK(refuses({4, 2, 8, 0, wrong}));
      CHECK(refuses({wrong, wrong, wrong, wrong}));
    }
    CHECK(refuses({4, 3, 8, 0}));
  }
}

TEST_CASE("Parameters past what memory can hold are refused, not counted round") {
  // 2^20 rows of 2^20 numbers: 2^40 floats, which is 0 in 32 bits.
  const auto scheme = scheme_of("learned", {{"maxPositions", {1048576}}}, {1, 1, 8, 0, 1 << 20});
  CHECK(scheme->prepare_parameters().code() == Code::kOutOfMemory);
  CHECK(scheme->parameter(0).numbers.length == 0);
  CallArguments arguments(32 << 20);
  CHECK(
      scheme
          ->embeddings(arguments.workspace, 1, arguments.integers({3}), -1, arguments.room(1 << 20))
          .code() == Code::kOutOfMemory);
  CHECK(
      scheme
          ->embeddings(arguments.workspace, 1, arguments.integers({3}), 5, arguments.room(1 << 20))
          .code() == Code::kOutOfMemory);
  CHECK(scheme->set_parameter(arguments.workspace, 0, arguments.some_floats(8)).code() ==
        Code::kOutOfMemory);
}

TEST_CASE("Parameters are set by lists of their own size") {
  CallArguments arguments;
  const auto scheme = scheme_of("t5");
  CHECK(scheme->parameter(0).numbers.length == 0);
  REQUIRE(scheme->prepare_parameters().ok());
  REQUIRE(scheme->parameter_count() == 1);
  const calls::ParameterView view = scheme->parameter(0);
  REQUIRE(view.numbers.length == view.rows * view.columns);
  const List numbers = arguments.some_floats(view.numbers.length);
  const auto set = [&](int index, List list) {
    return scheme->set_parameter(arguments.workspace, index, list);
  };
  REQUIRE(set(0, numbers).ok());
  CHECK(testing::elements(view.numbers)[3] == testing::elements(numbers)[3]);
  refuses_wrong_lists(arguments, numbers, [&](List list) { return set(0, list); });
  for (const int wrong : {-1, 1, INT32_MIN, INT32_MAX}) {
    CHECK(is_refused(set(wrong, numbers), "invalid_argument: parameter: …"));
    CHECK(scheme->parameter(wrong).numbers.length == 0);
    CHECK(std::string(scheme->parameter(wrong).name) == "");
  }
  testing::elements(numbers)[5] = std::nanf("");
  CHECK(is_refused(set(0, numbers), "invalid_argument: input: NaN or infinity (…"));
  for (const double wrong : testing::kWrongNumbers)
    CHECK(is_refused(scheme->initialise(wrong), "invalid_argument: seed: …"));
  // A scheme without trained parameters has none to set.
  CHECK(!scheme_of("rope")->set_parameter(arguments.workspace, 0, numbers).ok());
}

TEST_CASE("rotate turns the heads that are there, at positions of its tokens") {
  CallArguments arguments;
  const auto scheme = scheme_of("rope");
  const List x = arguments.some_floats(4 * 3 * 8), at = arguments.places(3);
  const List head = arguments.some_floats(3 * 8);
  const auto rotate = [&](int heads, int first, int tokens, List positions, List list) {
    return scheme->rotate(arguments.workspace, heads, first, tokens, positions, list);
  };
  // A later piece uses the positions of the first piece, so a call for the first must come before.
  CHECK(!rotate(4, 1, 3, at, head).ok());
  REQUIRE(rotate(4, 0, 3, at, x).ok());
  REQUIRE(rotate(4, 3, 3, at, head).ok());
  refuses_wrong_lists(arguments, x, [&](List list) { return rotate(4, 0, 3, at, list); });
  refuses_wrong_lists(
      arguments, at, [&](List list) { return rotate(4, 0, 3, list, x); }, sizeof(std::int32_t));
  for (const int wrong : testing::kWrongSizes) {
    if (wrong != 1 << 16) CHECK(!rotate(wrong, 0, 3, at, x).ok());
    if (wrong) CHECK(!rotate(4, wrong, 3, at, x).ok());
    CHECK(!rotate(4, 0, wrong, at, x).ok());
    CHECK(!rotate(wrong, wrong, wrong, at, x).ok());
  }
  CHECK(!rotate(3, 0, 3, at, x).ok());  // more heads are passed
  CHECK(!rotate(4, 1, 3, at, x).ok());  // the last of them would be a fifth
  CHECK(!rotate(4, 1, 3, at, {}).ok());
  REQUIRE(rotate(4, 0, 3, at, x).ok());
  CHECK(!rotate(4, 1, 1, arguments.places(1), arguments.some_floats(8)).ok());
  CHECK(!rotate(4, 1, 3, arguments.places(9), head).ok());
  // Positions must not overlap the array that the call changes.
  CHECK(!rotate(4, 0, 3, {x.address + 4, 3}, x).ok());
  CHECK(!rotate(4, 0, 3, {x.address + x.length * 4 - 12, 3}, x).ok());
  CHECK(is_refused(scheme_of("alibi")->rotate(arguments.workspace, 4, 0, 3, at, x),
                   "unsupported: …"));
  testing::elements(x)[7] = INFINITY;
  CHECK(is_refused(rotate(4, 0, 3, at, x), "invalid_argument: input: NaN or infinity (…"));
}

TEST_CASE("Every scheme that turns something does so at the ends of the range of positions") {
  for (int index = 0; index < calls::scheme_count(); ++index) {
    const calls::SchemeFacts facts = calls::scheme_facts(index);
    if (!(facts.hooks & kHookTransform)) continue;
    CAPTURE(facts.id);
    auto chosen = ChosenScheme::make(index);
    REQUIRE(chosen.ok());
    auto scheme = ConfiguredScheme::make(*chosen.value(), kSizes);
    REQUIRE(scheme.ok());
    CallArguments arguments;
    const List x = arguments.some_floats(4 * 2 * 8);
    for (const std::int32_t place : {0, 1, -1, (1 << 30) - 1, -(1 << 30) + 1})
      for (int axes = 1; axes <= 3; ++axes) {
        std::vector<std::int32_t> at(2 * axes, place);
        at[0] = -place;
        // The call must succeed or be refused with a typed error.
        const Status status =
            scheme.value()->rotate(arguments.workspace, 4, 0, 2, arguments.integers(at), x);
        CHECK((status.ok() || status.code() == Code::kInvalidArgument ||
               status.code() == Code::kUnsupported || status.code() == Code::kOutOfMemory));
      }
  }
}

TEST_CASE("embeddings are written for positions that the scheme has") {
  CallArguments arguments;
  const auto scheme = scheme_of("learned", {{"maxPositions", {16}}});
  const List at = arguments.integers({0, 15}), out = arguments.room(2 * 32);
  const auto embed = [&](int tokens, List positions, double seed, List list) {
    return scheme->embeddings(arguments.workspace, tokens, positions, seed, list);
  };
  REQUIRE(embed(2, at, -1, out).ok());
  REQUIRE(embed(2, at, 7, out).ok());
  refuses_wrong_lists(
      arguments, at, [&](List list) { return embed(2, list, -1, out); }, sizeof(std::int32_t));
  refuses_wrong_lists(arguments, out, [&](List list) { return embed(2, at, -1, list); });
  for (const int wrong : testing::kWrongSizes) CHECK(!embed(wrong, at, -1, out).ok());
  for (const double wrong : {1e300, 9007199254740992.0, double{INFINITY}, std::nan("")})
    CHECK(is_refused(embed(2, at, wrong, out), "invalid_argument: seed: …"));
  for (const std::int32_t wrong : {-1, 16, (1 << 30) - 1, -(1 << 30) + 1, INT32_MIN})
    CHECK(embed(2, arguments.integers({0, wrong}), -1, out).code() == Code::kInvalidArgument);
  CHECK(!embed(2, arguments.places(4), -1, out).ok());  // positions with two axes
  CHECK(!embed(2, {out.address + 8, 2}, -1, out).ok());
  CHECK(is_refused(scheme_of("rope")->embeddings(arguments.workspace, 2, at, -1, out),
                   "unsupported: …"));
}

TEST_CASE("bias has a row for each query and a column for each key") {
  CallArguments arguments;
  const auto scheme = scheme_of("alibi");
  const List queries = arguments.places(2), keys = arguments.places(3), out = arguments.room(24);
  const auto bias = [&](List rows, List columns, List list) {
    return scheme->bias(arguments.workspace, rows, columns, list);
  };
  REQUIRE(bias(queries, keys, out).ok());
  refuses_wrong_lists(
      arguments, queries, [&](List list) { return bias(list, keys, out); }, 4,
      testing::Lengths::kAny);
  refuses_wrong_lists(
      arguments, keys, [&](List list) { return bias(queries, list, out); }, 4,
      testing::Lengths::kAny);
  refuses_wrong_lists(arguments, out, [&](List list) { return bias(queries, keys, list); });
  CHECK(!bias({}, keys, out).ok());
  CHECK(!bias(queries, {}, out).ok());
  CHECK(!bias({}, {}, {}).ok());
  CHECK(!bias(queries, {out.address, 3}, out).ok());
  CHECK(is_refused(scheme_of("rope")->bias(arguments.workspace, queries, keys, out),
                   "unsupported: …"));
}

TEST_CASE("Every scheme that adds a bias of distance knows all distances there are") {
  for (int index = 0; index < calls::scheme_count(); ++index) {
    const calls::SchemeFacts facts = calls::scheme_facts(index);
    if (!(facts.hooks & kHookDistanceStrip)) continue;
    CAPTURE(facts.id);
    auto chosen = ChosenScheme::make(index);
    REQUIRE(chosen.ok());
    auto scheme = ConfiguredScheme::make(*chosen.value(), kSizes);
    REQUIRE(scheme.ok());
    CallArguments arguments;
    const List far = arguments.integers({-(1 << 30) + 1, 0, (1 << 30) - 1});
    const Status status =
        scheme.value()->bias(arguments.workspace, far, far, arguments.room(4 * 9));
    CHECK((status.ok() || status.code() == Code::kUnsupported));
  }
}

TEST_CASE("cost and frequencies refuse sizes that are none") {
  CallArguments arguments;
  for (int index = 0; index < calls::scheme_count(); ++index) {
    CAPTURE(calls::scheme_facts(index).id);
    auto chosen = ChosenScheme::make(index);
    REQUIRE(chosen.ok());
    auto scheme = ConfiguredScheme::make(*chosen.value(), kSizes);
    REQUIRE(scheme.ok());
    const auto cost = [&](int queries, int keys, int width) {
      return scheme.value()->cost(queries, keys, width).status().code();
    };
    CHECK(cost(INT32_MAX, INT32_MAX, 1 << 20) == Code::kOk);
    for (const int wrong : {0, -1, INT32_MIN}) {
      CHECK(cost(wrong, 1, 32) == Code::kInvalidArgument);
      CHECK(cost(1, wrong, 32) == Code::kInvalidArgument);
      CHECK(cost(1, 1, wrong) == Code::kInvalidArgument);
    }
    CHECK(cost(1, 1, (1 << 20) + 1) == Code::kInvalidArgument);
  }
  const auto rope = scheme_of("rope");
  const List out = arguments.room(8);
  const auto frequencies = [&](int length, List list) {
    return rope->frequencies(arguments.workspace, length, list).status();
  };
  CHECK(rope->frequencies(arguments.workspace, INT32_MAX, out).value().count == 4);
  refuses_wrong_lists(arguments, out, [&](List list) { return frequencies(1, list); });
  for (const int wrong : {0, -1, INT32_MIN})
    CHECK(is_refused(frequencies(wrong, out), "invalid_argument: sequenceLength: …"));
  CHECK(is_refused(scheme_of("alibi")->frequencies(arguments.workspace, 1, out), "unsupported: …"));
}

TEST_CASE("Pictures lie in their text, one after the other") {
  CallArguments arguments;
  const List block = arguments.doubles({1, 1, 2, 2, 1}), out = arguments.room(3 * 8);
  const auto place = [&](int tokens, List blocks, List list) {
    return calls::positions_with_pictures(arguments.workspace, tokens, true, blocks, list);
  };
  REQUIRE(place(8, block, out).ok());
  REQUIRE(place(8, {}, out).ok());
  refuses_wrong_lists(
      arguments, block, [&](List list) { return place(8, list, out).status(); }, sizeof(double),
      testing::Lengths::kAny);
  refuses_wrong_lists(arguments, out, [&](List list) { return place(8, block, list).status(); });
  for (const int wrong : testing::kWrongSizes) CHECK(!place(wrong, block, out).ok());
  CHECK(!place(4, block, arguments.room(12)).ok());
  for (int i = 0; i < 5; ++i)
    for (const double wrong : testing::kWrongNumbers) {
      if (i == 4 && wrong == 1e300) continue;  // the single frame is at time 0
      std::vector<double> numbers = {1, 1, 2, 2, 1};
      numbers[i] = wrong;
      CAPTURE(i);
      CAPTURE(wrong);
      CHECK(place(8, arguments.doubles(numbers), out).status().code() == Code::kInvalidArgument);
    }
  // 2^62 cells, and frames at times beyond the range of positions.
  CHECK(!place(8, arguments.doubles({0, 1, INT32_MAX, INT32_MAX, 1}), out).ok());
  CHECK(!place(8, arguments.doubles({0, 4, 1, 1, 1e300}), out).ok());
  CHECK(!place(8, arguments.doubles({3, 1, 1, 1, 1, 2, 1, 1, 1, 1}), out).ok());
}

}  // namespace wf
