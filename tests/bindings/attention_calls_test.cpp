#include "bindings/attention_trial.h"
#include "calls/descriptions.h"
#include "calls/tensor.h"

namespace wf {

using namespace testing;

TEST_CASE("Attention is made of settings that attention can have") {
  const CallArguments arguments;
  const auto refuses = [&](auto field, auto value) {
    AttentionConfig settings = settings_of();
    settings.*field = value;
    return Attention::make(arguments.workspace, settings, {}).status().code() ==
           Code::kInvalidArgument;
  };
  using S = AttentionConfig;
  for (const int wrong : {0, -1, INT32_MIN, 4097, INT32_MAX}) {
    CHECK(refuses(&S::num_heads, wrong));
    CHECK(refuses(&S::num_kv_heads, wrong));
    CHECK(refuses(&S::head_dim, wrong));
  }
  CHECK(refuses(&S::num_kv_heads, 3));
  for (const int wrong : {-1, INT32_MIN, 65537, INT32_MAX}) CHECK(refuses(&S::value_dim, wrong));
  for (const int wrong : {-1, INT32_MIN}) {
    CHECK(refuses(&S::sliding_window, wrong));
    CHECK(refuses(&S::chunk_size, wrong));
  }
  for (const double wrong : testing::kWrongNumbers) {
    CHECK(refuses(&S::scale, static_cast<float>(wrong)));
    CHECK(refuses(&S::softcap, static_cast<float>(wrong)));
  }
}

TEST_CASE("Sinks are one finite logit for each head") {
  CallArguments arguments;
  const auto make = [&](List sinks) {
    return Attention::make(arguments.workspace, settings_of(), sinks).status();
  };
  const List sinks = arguments.floats({0, 1, 2, 3});
  REQUIRE(make(sinks).ok());
  refuses_wrong_lists(arguments, sinks, make);
  for (const float wrong : {INFINITY, -INFINITY, std::nanf("")})
    CHECK(is_refused(make(arguments.floats({0, 1, wrong, 3})), "invalid_argument: input: NaN …"));
}

TEST_CASE("Attention reads lists of the sizes that it was given, and writes one") {
  AttentionTrial one;
  REQUIRE(one.run().ok());
  one.refuses_wrong(&AttentionRequest::q);
  one.refuses_wrong(&AttentionRequest::k);
  one.refuses_wrong(&AttentionRequest::v);
  one.refuses_wrong(&AttentionRequest::query_positions, sizeof(std::int32_t));
  one.refuses_wrong(&AttentionRequest::key_positions, sizeof(std::int32_t));
  refuses_wrong_lists(one.arguments, one.out, [&](List list) {
    return one.attention->run(one.arguments.workspace, one.request, {}, list);
  });
  for (List AttentionRequest::* field :
       {&AttentionRequest::q, &AttentionRequest::k, &AttentionRequest::v,
        &AttentionRequest::query_positions, &AttentionRequest::key_positions})
    CHECK(one.run_with(field, List{}).code() == Code::kInvalidArgument);
  for (const int wrong : testing::kWrongSizes) {
    CHECK(one.run_with(&AttentionRequest::queries, wrong).code() == Code::kInvalidArgument);
    CHECK(one.run_with(&AttentionRequest::keys, wrong).code() == Code::kInvalidArgument);
    AttentionRequest both = one.request;
    both.queries = both.keys = wrong;
    CHECK(one.run_with(both).code() == Code::kInvalidArgument);
  }
  CHECK(one.run_with(&AttentionRequest::queries, 4).code() == Code::kInvalidArgument);
  CHECK(!one.run_with(AttentionRequest()).ok());
}

TEST_CASE("A result that overlaps an input is refused") {
  AttentionTrial one;
  const auto run_over = [&](List list) {
    return one.attention->run(one.arguments.workspace, one.request, {},
                              {list.address, one.out.length});
  };
  CHECK(run_over(one.request.q).code() == Code::kInvalidArgument);
  one.request.key_positions = {one.out.address + 8, kTokens};
  CHECK(one.run().code() == Code::kInvalidArgument);
}

TEST_CASE("Attention refuses NaN and infinities in q, k and v, and takes numbers of any size") {
  AttentionTrial one;
  for (List AttentionRequest::* field :
       {&AttentionRequest::q, &AttentionRequest::k, &AttentionRequest::v})
    for (const float wrong : {INFINITY, -INFINITY, std::nanf("")}) {
      const List list = one.request.*field;
      float& last = testing::elements(list)[list.length - 1];
      const float before = last;
      last = wrong;
      CHECK(is_refused(one.run(),
                       "invalid_argument: input: NaN or infinity (expected finite numbers)"));
      last = before;
    }
  CHECK(one.run().ok());
  // A tensor that may contain -infinity, to hide keys, is no operand either.
  std::vector<float> numbers(one.request.q.length, 1.0f);
  numbers[3] = -INFINITY;
  auto hiding = calls::Tensor::make(one.arguments.workspace, one.arguments.floats(numbers));
  REQUIRE(hiding.ok());
  CHECK(one.run_with(&AttentionRequest::q, List{hiding.value()->address(), one.request.q.length})
            .code() == Code::kInvalidArgument);
}

TEST_CASE("A mask covers what its strides reach") {
  AttentionTrial one;
  const List whole = one.arguments.some_floats(kTokens * kTokens);
  AttentionRequest request = one.request;
  request.added_mask = whole;
  request.row_stride = kTokens;
  request.column_stride = 1;
  REQUIRE(one.run_with(request).ok());
  for (const int length : {24, 0x7fffffff, -25, 1}) {
    AttentionRequest shorter = request;
    shorter.added_mask.length = length;
    CHECK(one.run_with(shorter).code() == Code::kInvalidArgument);
  }
  for (const int stride : {-1, INT32_MIN, INT32_MAX, 1 << 30, 6}) {
    for (int AttentionRequest::* field :
         {&AttentionRequest::head_stride, &AttentionRequest::row_stride,
          &AttentionRequest::column_stride}) {
      AttentionRequest further = request;
      further.*field = stride;
      CHECK(one.run_with(further).code() == Code::kInvalidArgument);
    }
  }
  AttentionRequest elsewhere = request;
  elsewhere.added_mask.address += 2;
  CHECK(!one.run_with(elsewhere).ok());
  testing::elements(whole)[0] = -INFINITY;
  CHECK(one.run_with(request).ok());
  CHECK(testing::elements(one.out)[0] == 0);  // query 0 has no visible key
  testing::elements(whole)[0] = INFINITY;
  CHECK(is_refused(one.run_with(request), "invalid_argument: input: NaN or infinity (…"));

  AttentionRequest allowing = one.request;
  allowing.allowed_mask = one.arguments.bytes(std::vector<std::uint8_t>(kTokens * kTokens, 1));
  allowing.row_stride = kTokens;
  allowing.column_stride = 1;
  REQUIRE(one.run_with(allowing).ok());
  refuses_wrong_lists(
      one.arguments, allowing.allowed_mask,
      [&](List list) {
        AttentionRequest wrong = allowing;
        wrong.allowed_mask = list;
        return one.run_with(wrong);
      },
      1, testing::Lengths::kAny);
  allowing.allowed_mask.length -= 1;
  CHECK(one.run_with(allowing).code() == Code::kInvalidArgument);
}

TEST_CASE("What is seen lies among the keys") {
  AttentionTrial one;
  for (const int wrong : {-6, 6, INT32_MIN, INT32_MAX})
    CHECK(one.run_with(&AttentionRequest::query_offset, wrong).code() == Code::kInvalidArgument);
  for (const int wrong : {-2, 6, INT32_MIN, INT32_MAX})
    CHECK(one.run_with(&AttentionRequest::key_length, wrong).code() == Code::kInvalidArgument);
  for (const int wrong : {-1, 6, INT32_MIN, INT32_MAX})
    CHECK(one.run_with(&AttentionRequest::prefix_length, wrong).code() == Code::kInvalidArgument);
  for (const int offset : {-5, 0, 5})
    for (const int length : {-1, 0, 5})
      for (const int prefix : {0, 5}) {
        AttentionRequest request = one.request;
        request.query_offset = offset;
        request.key_length = length;
        request.prefix_length = prefix;
        CHECK(one.run_with(request).ok());
      }
  AttentionConfig settings = settings_of();
  settings.sliding_window = settings.chunk_size = INT32_MAX;
  AttentionTrial widest(settings);
  CHECK(widest.run().ok());
  // A window and a chunk of maximum size hide nothing.
  REQUIRE(one.run().ok());
  for (int i = 0; i < one.out.length; ++i)
    CHECK(testing::elements(widest.out)[i] == testing::elements(one.out)[i]);
  CHECK(widest.run_with(&AttentionRequest::query_offset, -5).ok());
  CHECK(widest.run_with(&AttentionRequest::query_offset, 5).ok());
}

TEST_CASE("Segments are one for each query and one for each key") {
  AttentionTrial one;
  AttentionRequest request = one.request;
  request.query_segments = request.key_segments = one.arguments.places(kTokens);
  REQUIRE(one.run_with(request).ok());
  for (List AttentionRequest::* field :
       {&AttentionRequest::query_segments, &AttentionRequest::key_segments}) {
    refuses_wrong_lists(one.arguments, request.*field, [&](List list) {
      AttentionRequest wrong = request;
      wrong.*field = list;
      return one.run_with(wrong);
    });
    AttentionRequest half = request;
    half.*field = {};
    CHECK(!one.run_with(half).ok());
  }
}

TEST_CASE("What is recorded is asked for by indices that there are") {
  AttentionTrial one;
  REQUIRE(one.attention->add_scheme(*scheme_of("rope")).ok());
  REQUIRE(one.run().ok());
  CHECK(one.attention->take_record() == nullptr);
  REQUIRE(one.run({.kinds = 31, .heads = {}, .rows = {}, .columns = {}}).ok());
  const std::unique_ptr<calls::Record> record = one.attention->take_record();
  REQUIRE(record);
  CHECK(record->term_count() == 2);
  CHECK(one.attention->take_record() == nullptr);
  CHECK(record->floats(kRecordWeights) != 0);
  CHECK(record->floats(kRecordPairs) != 0);
  CHECK(record->heads() == kHeads);
  CHECK(record->rows() == kTokens);
  CHECK(record->columns() == kTokens);
  CHECK(record->pairs() == kChannels / 2);
  for (const int wrong : {0, -1, 3, 8, 256, INT32_MIN, INT32_MAX})
    CHECK(record->floats(wrong) == 0);
  for (const int wrong : {-1, record->term_count(), INT32_MIN, INT32_MAX}) {
    CHECK(record->term(wrong) == 0);
    CHECK(std::string(record->term_name(wrong)) == "");
  }

  for (const int wrong : {kAllRecordKinds + 1, -1, INT32_MIN, INT32_MAX})
    CHECK(!one.run({.kinds = wrong, .heads = {}, .rows = {}, .columns = {}}).ok());
  for (const std::vector<std::int32_t>& wrong : std::vector<std::vector<std::int32_t>>{
           {-1}, {5}, {1, 1}, {2, 1}, {0, INT32_MAX}, {INT32_MIN, 0}, {INT32_MAX, INT32_MAX}}) {
    const List list = one.arguments.integers(wrong);
    CHECK(!one.run({.kinds = 1, .heads = list, .rows = {}, .columns = {}}).ok());
    CHECK(!one.run({.kinds = 1, .heads = {}, .rows = list, .columns = {}}).ok());
    CHECK(!one.run({.kinds = 1, .heads = {}, .rows = {}, .columns = list}).ok());
    CHECK(one.attention->take_record() == nullptr);
  }
  refuses_wrong_lists(
      one.arguments, one.arguments.integers({0, 1, 3}),
      [&](List list) { return one.run({.kinds = 1, .heads = list, .rows = {}, .columns = {}}); },
      sizeof(std::int32_t), testing::Lengths::kAny);
}

TEST_CASE("Schemes are stacked that were made for the same heads, up to four") {
  AttentionTrial one;
  CHECK(is_refused(
      one.attention->add_scheme(
          *ConfiguredScheme::make(*testing::chosen_scheme("rope"), {4, 2, 16, 0}).take()),
      "invalid_argument: scheme: made for 4 heads of 16 channels (…"));
  CHECK(is_refused(
      one.attention->add_scheme(
          *ConfiguredScheme::make(*testing::chosen_scheme("alibi"), {2, 2, 8, 0}).take()),
      "invalid_argument: scheme: made for 2 heads of 8 channels (…"));
  for (int i = 0; i < kMaxSchemes; ++i)
    CHECK(one.attention->add_scheme(*scheme_of("alibi")).ok());  // the attention keeps it alive
  CHECK(is_refused(one.attention->add_scheme(*scheme_of("alibi")),
                   "invalid_argument: scheme: more …"));
  CHECK(one.run().ok());
}

TEST_CASE("No scheme reads or writes beside its arrays, whatever the sizes, places and numbers") {
  for (int index = 0; index < calls::scheme_count(); ++index) {
    const std::string id = calls::scheme_facts(index).id;
    CAPTURE(id);
    for (const int value_dim : {0, 1, 3, 24}) {
      CAPTURE(value_dim);
      AttentionTrial one(settings_of(value_dim));
      const auto scheme = scheme_of(id.c_str());
      const Status stacked = one.attention->add_scheme(*scheme);
      if (!stacked.ok()) continue;
      const auto expected = [](const Status& status) {
        return status.ok() || status.code() == Code::kInvalidArgument ||
               status.code() == Code::kUnsupported || status.code() == Code::kOutOfMemory;
      };
      CHECK(expected(one.run({.kinds = 31, .heads = {}, .rows = {}, .columns = {}})));
      constexpr std::int32_t kFar = (1 << 30) - 1;
      for (int axes = 1; axes <= 3; ++axes) {
        std::vector<std::int32_t> places(kTokens * axes);
        for (std::size_t i = 0; i < places.size(); ++i)
          places[i] = i % 3 == 0 ? kFar : i % 3 == 1 ? -kFar : static_cast<int>(i);
        AttentionRequest far = one.request;
        far.query_positions = far.key_positions = one.arguments.integers(places);
        CHECK(expected(one.run_with(far)));
        AttentionRequest mixed = far;
        mixed.query_positions = one.request.query_positions;
        CHECK(expected(one.run_with(mixed)));
      }
      for (const float huge : {3e38f, -3e38f, 1e-45f}) {
        for (int i = 0; i < one.request.q.length; ++i)
          testing::elements(one.request.q)[i] = i % 2 ? huge : 1;
        for (int i = 0; i < one.request.k.length; ++i)
          testing::elements(one.request.k)[i] = i % 3 ? huge : -huge;
        CHECK(expected(one.run({.kinds = 31, .heads = {}, .rows = {}, .columns = {}})));
        CHECK(expected(one.run()));
      }
    }
  }
}

}  // namespace wf
