#include "calls/scheme.h"

#include "bindings/block.h"

namespace wf::calls {
namespace {

using namespace testing;

constexpr SchemeSizes kSizes = {2, 2, 4, 0};

TEST_CASE("bindings: schemes and options by an index that there is not") {
  Block block;
  const List one = block.put(std::vector<double>{1});
  for (const int index : {-1, kLeastInt, kMostInt, static_cast<int>(scheme_entries().size())})
    check_refused(ChosenScheme::make(index).status(), "scheme");
  for (int i = 0; i < static_cast<int>(scheme_entries().size()); ++i) {
    const auto chosen = ChosenScheme::make(i);
    REQUIRE(chosen.ok());
    const int options = static_cast<int>(scheme_entries()[i]->description->options.size());
    for (const int index : {-1, options, kMostInt, kLeastInt})
      CHECK_FALSE(chosen.value()->set_option(block.workspace, index, one).ok());
    for (int option = 0; option < options; ++option) {
      for (const double bad : {double{kNan}, double{kInfinity}, -1e300, 1e300})
        CHECK_FALSE(
            chosen.value()
                ->set_option(block.workspace, option, block.put(std::vector<double>{bad}))
                .ok());
      block.clear();
      for (const List list : hostile_lists(block.workspace))
        CHECK_FALSE(chosen.value()->set_option(block.workspace, option, list).ok());
      // None, or two where one is asked for, are refused or a list.
      const bool is_list =
          scheme_entries()[i]->description->options[option].kind == OptionKind::kList;
      CHECK(chosen.value()->set_option(block.workspace, option, {}).ok() == is_list);
    }
  }
}

TEST_CASE("bindings: every scheme refuses sizes that are none") {
  for (int i = 0; i < static_cast<int>(scheme_entries().size()); ++i) {
    const auto chosen = ChosenScheme::make(i);
    REQUIRE(chosen.ok());
    for (const SchemeSizes& sizes :
         {SchemeSizes{0, 1, 4, 0}, SchemeSizes{-1, 1, 4, 0}, SchemeSizes{2, 0, 4, 0},
          SchemeSizes{2, -2, 4, 0}, SchemeSizes{2, 3, 4, 0}, SchemeSizes{2, 2, 0, 0},
          SchemeSizes{kMostInt, kMostInt, kMostInt, kMostInt},
          SchemeSizes{kLeastInt, 1, kLeastInt, 0}, SchemeSizes{2, 2, 4, -1}}) {
      CHECK(ConfiguredScheme::make(*chosen.value(), sizes).status().code() ==
            Code::kInvalidArgument);
    }
  }
}

TEST_CASE("bindings: rotations by lists and sizes that do not fit") {
  Block block;
  const auto rope = scheme_of("rope", kSizes);
  const List x = block.floats(2 * 3 * 4);
  const List places = block.put(std::vector<std::int32_t>{0, 1, 2});
  REQUIRE(rope->rotate(block.workspace, 2, 0, 3, places, x).ok());
  CHECK_FALSE(rope->rotate(block.workspace, 2, 1, 3, places, x).ok());  // heads 1 and 2 of two
  CHECK_FALSE(rope->rotate(block.workspace, 2, 0, 2, places, x).ok());
  CHECK_FALSE(rope->rotate(block.workspace, 2, 0, 3, places, {x.address, 23}).ok());
  for (const int bad : {-1, 0, kMostInt, kLeastInt}) {
    CHECK_FALSE(rope->rotate(block.workspace, bad, 0, 3, places, x).ok());
    CHECK_FALSE(rope->rotate(block.workspace, 2, 0, bad, places, x).ok());
    if (bad) CHECK_FALSE(rope->rotate(block.workspace, 2, bad, 3, places, x).ok());
  }
  for (const List list : hostile_lists(block.workspace)) {
    CHECK_FALSE(rope->rotate(block.workspace, 2, 0, 3, list, x).ok());
    CHECK_FALSE(rope->rotate(block.workspace, 2, 0, 3, places, list).ok());
  }
  // A later piece has the positions of the first: with others its table would be too short.
  const List one_head = {x.address, 3 * 4};
  REQUIRE(rope->rotate(block.workspace, 2, 1, 3, places, one_head).ok());
  const List more = block.put(std::vector<std::int32_t>(100, 1));
  check_refused(rope->rotate(block.workspace, 2, 1, 100, more, block.floats(400)), "positions");
  check_refused(scheme_of("alibi", kSizes)->rotate(block.workspace, 2, 0, 3, places, x), "rotate",
                Code::kUnsupported);
}

TEST_CASE("bindings: embeddings and biases have just the room of their results") {
  Block block;
  const auto sinusoidal = scheme_of("sinusoidal", kSizes);
  const auto alibi = scheme_of("alibi", kSizes);
  const List places = block.put(std::vector<std::int32_t>{0, 1, 2});
  const List out = block.room(24);
  REQUIRE(sinusoidal->embeddings(block.workspace, 3, places, -1, out).ok());
  REQUIRE(alibi->bias(block.workspace, places, places, {out.address, 18}).ok());
  CHECK_FALSE(sinusoidal->embeddings(block.workspace, 3, places, -1, {out.address, 23}).ok());
  CHECK_FALSE(alibi->bias(block.workspace, places, places, out).ok());
  CHECK_FALSE(alibi->bias(block.workspace, {}, places, out).ok());
  CHECK_FALSE(sinusoidal->embeddings(block.workspace, 3, places, 1e300, out).ok());
  CHECK_FALSE(sinusoidal->embeddings(block.workspace, 0, {}, 0, out).ok());
  for (const List list : hostile_lists(block.workspace)) {
    CHECK_FALSE(sinusoidal->embeddings(block.workspace, 3, list, -1, out).ok());
    CHECK_FALSE(sinusoidal->embeddings(block.workspace, 3, places, -1, list).ok());
    CHECK_FALSE(alibi->bias(block.workspace, list, places, out).ok());
    CHECK_FALSE(alibi->bias(block.workspace, places, places, list).ok());
  }
}

TEST_CASE("bindings: parameters, options, costs and frequencies out of range") {
  Block block;
  const auto scheme = scheme_of("learned", {2, 2, 4, 8});
  REQUIRE(scheme->prepare_parameters().ok());
  REQUIRE(scheme->parameter_count() > 0);
  for (const int index : {-1, scheme->parameter_count(), kMostInt, kLeastInt}) {
    CHECK(scheme->parameter(index).numbers.length == 0);
    CHECK_FALSE(scheme->set_parameter(block.workspace, index, block.floats(4)).ok());
    CHECK(scheme->option(index == scheme->parameter_count() ? 999 : index).length == 0);
  }
  const ParameterView own = scheme->parameter(0);
  CHECK_FALSE(scheme->set_parameter(block.workspace, 0, block.floats(3)).ok());
  for (const List list : hostile_lists(block.workspace))
    CHECK_FALSE(scheme->set_parameter(block.workspace, 0, list).ok());
  CHECK(own.numbers.length == own.rows * own.columns);
  for (const int bad : {0, -1, kLeastInt}) {
    CHECK_FALSE(scheme->cost(bad, 1, 8).ok());
    CHECK_FALSE(scheme->cost(1, bad, 8).ok());
    CHECK_FALSE(scheme->cost(1, 1, bad).ok());
  }
  CHECK(scheme->cost(kMostInt, kMostInt, 8).ok());
  const auto rope = scheme_of("rope", kSizes);
  const List out = block.room(4);
  CHECK(rope->frequencies(block.workspace, kMostInt, out).ok());
  CHECK_FALSE(rope->frequencies(block.workspace, 0, out).ok());
  CHECK_FALSE(rope->frequencies(block.workspace, 1, {out.address, 3}).ok());
  CHECK_FALSE(rope->initialise(-1).ok());
}

}  // namespace
}  // namespace wf::calls
