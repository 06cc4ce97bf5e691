#include "calls/attention.h"

#include "bindings/block.h"
#include "calls/tensor.h"

namespace wf::calls {
namespace {

using namespace testing;

constexpr AttentionSettings kSettings = {.num_heads = 2,
                                         .num_kv_heads = 1,
                                         .head_dim = 4,
                                         .value_dim = 3,
                                         .scale = 0,
                                         .is_causal = true,
                                         .is_cross = false,
                                         .sliding_window = 0,
                                         .chunk_size = 0,
                                         .softcap = 0};
constexpr int kTokens = 3;

std::unique_ptr<Attention> attention_of(const Block& block, const AttentionSettings& settings) {
  auto made = Attention::make(block.workspace, settings, {});
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

AttentionRequest request_in(Block& block) {
  AttentionRequest request;
  request.queries = request.keys = kTokens;
  request.q = block.floats(2 * kTokens * 4);
  request.k = block.floats(kTokens * 4);
  request.v = block.floats(kTokens * 3);
  request.query_positions = block.put(std::vector<std::int32_t>{0, 1, 2});
  request.key_positions = block.put(std::vector<std::int32_t>{0, 1, 2});
  return request;
}

TEST_CASE("bindings: attention over what a request names") {
  Block block;
  const auto attention = attention_of(block, kSettings);
  REQUIRE(attention->stack(*scheme_of("rope", {2, 1, 4, 0})).ok());  // which it keeps alive
  const AttentionRequest request = request_in(block);
  const List out = block.room(2 * kTokens * 3);
  REQUIRE(attention->run(block.workspace, request, {}, out).ok());
  for (int i = 0; i < out.length; ++i) CHECK(at(out, i) == doctest::Approx(0.5));
  CHECK(attention->take_record() == nullptr);

  const RecordRequest record = {.kinds = kRecordWeights | kRecordTerms, .heads = {}, .rows = {},
                                .columns = {}};
  REQUIRE(attention->run(block.workspace, request, record, out).ok());
  const std::unique_ptr<Record> taken = attention->take_record();
  REQUIRE(taken);
  CHECK(taken->floats(kRecordWeights) != 0);
  CHECK(taken->heads() * taken->rows() * taken->columns() == 2 * kTokens * kTokens);
  CHECK(taken->floats(kRecordLogits) == 0);
  for (const int kind : {0, -1, kMostInt, kLeastInt}) CHECK(taken->floats(kind) == 0);
  CHECK(taken->term_count() == 2);
  for (const int index : {-1, 2, kMostInt, kLeastInt}) {
    CHECK(taken->term(index) == 0);
    CHECK(std::string(taken->term_name(index)).empty());
  }
  CHECK(attention->take_record() == nullptr);
}

TEST_CASE("bindings: settings of attention that are none") {
  Block block;
  const auto refused = [&](auto change, const char* what) {
    AttentionSettings settings = kSettings;
    change(settings);
    check_refused(Attention::make(block.workspace, settings, {}).status(), what);
  };
  for (const int bad : {0, -1, kMostInt, kLeastInt}) {
    refused([=](auto& settings) { settings.num_heads = bad; }, "numHeads");
    refused([=](auto& settings) { settings.num_kv_heads = bad; }, "numKvHeads");
    refused([=](auto& settings) { settings.head_dim = bad; }, "headDim");
    if (bad) refused([=](auto& settings) { settings.value_dim = bad; }, "valueDim");
  }
  for (const double bad : {-1.0, double{kNan}, double{kInfinity}, 1e300}) {
    refused([=](auto& settings) { settings.scale = bad; }, "scale");
    refused([=](auto& settings) { settings.softcap = bad; }, "softcap");
  }
  refused([](auto& settings) { settings.sliding_window = -1; }, "slidingWindow");
  refused([](auto& settings) { settings.chunk_size = kLeastInt; }, "chunkSize");
  refused([](auto& settings) { settings.num_heads = 3, settings.num_kv_heads = 2; }, "numKvHeads");
  CHECK_FALSE(Attention::make(block.workspace, kSettings, block.floats(3)).ok());
  CHECK_FALSE(Attention::make(block.workspace, kSettings, block.floats(2, kNan)).ok());
  for (const List list : hostile_lists(block.workspace))
    CHECK_FALSE(Attention::make(block.workspace, kSettings, list).ok());
  const auto attention = attention_of(block, kSettings);
  check_refused(attention->stack(*scheme_of("rope", {2, 1, 8, 0})), "scheme");
  check_refused(attention->stack(*scheme_of("rope", {4, 1, 4, 0})), "scheme");
  const auto nope = scheme_of("nope", {2, 1, 4, 0});
  for (int i = 0; i < kMostStackedSchemes; ++i) REQUIRE(attention->stack(*nope).ok());
  check_refused(attention->stack(*nope), "scheme: more than");
}

TEST_CASE("bindings: windows and chunks as wide as an int run over nowhere") {
  Block block;
  AttentionSettings settings = kSettings;
  settings.sliding_window = settings.chunk_size = kMostInt;
  for (const bool is_causal : {true, false}) {
    settings.is_causal = is_causal;
    block.clear();
    const AttentionRequest request = request_in(block);
    const List out = block.room(2 * kTokens * 3);
    CHECK(attention_of(block, settings)->run(block.workspace, request, {}, out).ok());
  }
}

// Each list of a request, by name.
constexpr List AttentionRequest::* kLists[] = {
    &AttentionRequest::q,
    &AttentionRequest::k,
    &AttentionRequest::v,
    &AttentionRequest::query_positions,
    &AttentionRequest::key_positions,
    &AttentionRequest::query_segments,
    &AttentionRequest::key_segments,
    &AttentionRequest::added_mask,
};

TEST_CASE("bindings: no list of a request is read where it does not lie") {
  Block block;
  const auto attention = attention_of(block, kSettings);
  const AttentionRequest request = request_in(block);
  const List out = block.room(2 * kTokens * 3);
  for (const auto list : kLists) {
    for (const List hostile : hostile_lists(block.workspace)) {
      AttentionRequest wrong = request;
      wrong.*list = hostile;
      CHECK(attention->run(block.workspace, wrong, {}, out).code() == Code::kInvalidArgument);
    }
    if ((request.*list).length == 0) continue;
    for (const int length : {0, 1, (request.*list).length - 1, (request.*list).length + 1}) {
      AttentionRequest wrong = request;
      (wrong.*list).length = length;
      CHECK(attention->run(block.workspace, wrong, {}, out).code() == Code::kInvalidArgument);
    }
  }
  for (const List hostile : hostile_lists(block.workspace)) {
    CHECK_FALSE(attention->run(block.workspace, request, {}, hostile).ok());
    const RecordRequest record = {.kinds = kRecordWeights, .heads = hostile, .rows = {},
                                  .columns = {}};
    CHECK_FALSE(attention->run(block.workspace, request, record, out).ok());
  }
  CHECK_FALSE(attention->run(block.workspace, request, {}, {out.address, out.length - 1}).ok());
  CHECK(attention->run(block.workspace, request, {}, out).ok());
}

TEST_CASE("bindings: sizes, offsets and strides of a request that point elsewhere") {
  Block block;
  const auto attention = attention_of(block, kSettings);
  AttentionRequest request = request_in(block);
  const List out = block.room(2 * kTokens * 3);
  const auto refused = [&](auto change) {
    AttentionRequest wrong = request;
    change(wrong);
    CHECK(attention->run(block.workspace, wrong, {}, out).code() == Code::kInvalidArgument);
  };
  for (const int bad : {0, -1, kTokens + 1, kMostInt, kLeastInt}) {
    refused([=](auto& wrong) { wrong.queries = bad; });
    refused([=](auto& wrong) { wrong.keys = bad; });
  }
  for (const int bad : {-kTokens - 1, kTokens + 1, kMostInt, kLeastInt})
    refused([=](auto& wrong) { wrong.query_offset = bad; });
  for (const int bad : {-2, kTokens + 1, kMostInt, kLeastInt}) {
    refused([=](auto& wrong) { wrong.key_length = bad; });
    refused([=](auto& wrong) { wrong.prefix_length = bad; });
  }
  request.added_mask = block.floats(2 * kTokens * kTokens);
  request.head_stride = kTokens * kTokens;
  request.row_stride = kTokens;
  request.column_stride = 1;
  REQUIRE(attention->run(block.workspace, request, {}, out).ok());
  for (const int bad : {-1, kTokens * kTokens + 1, kMostInt, kLeastInt}) {
    refused([=](auto& wrong) { wrong.head_stride = bad; });
    refused([=](auto& wrong) { wrong.row_stride = bad; });
    refused([=](auto& wrong) { wrong.column_stride = bad; });
  }
  request.added_mask = {};
  request.allowed_mask = block.put(std::vector<std::uint8_t>(2 * kTokens * kTokens, 1));
  REQUIRE(attention->run(block.workspace, request, {}, out).ok());
  refused([](auto& wrong) { wrong.allowed_mask.length -= 1; });
  refused([](auto& wrong) { wrong.row_stride = kMostInt; });
}

TEST_CASE("bindings: NaN and infinities in operands, and -infinity where it is no mask") {
  Block block;
  const auto attention = attention_of(block, kSettings);
  const AttentionRequest request = request_in(block);
  const List out = block.room(2 * kTokens * 3);
  for (const auto list : {&AttentionRequest::q, &AttentionRequest::k, &AttentionRequest::v}) {
    for (const float bad : {kNan, kInfinity, -kInfinity}) {
      float& last =
          reinterpret_cast<float*>((request.*list).address)[(request.*list).length - 1];
      const float before = std::exchange(last, bad);
      check_refused(attention->run(block.workspace, request, {}, out), "NaN or infinity");
      last = before;
    }
  }
  AttentionRequest masked = request;
  masked.added_mask = block.floats(kTokens * kTokens, -kInfinity);
  masked.row_stride = kTokens;
  masked.column_stride = 1;
  REQUIRE(attention->run(block.workspace, masked, {}, out).ok());
  CHECK(at(out, 0) == 0);  // nobody sees anything
  masked.added_mask = block.floats(kTokens * kTokens, kInfinity);
  check_refused(attention->run(block.workspace, masked, {}, out), "NaN or infinity");
}

TEST_CASE("bindings: regions of a record out of range or out of order") {
  Block block;
  const auto attention = attention_of(block, kSettings);
  const AttentionRequest request = request_in(block);
  const List out = block.room(2 * kTokens * 3);
  const std::vector<std::int32_t> regions[] = {{2}, {-1}, {1, 0}, {0, 0}, {kMostInt}, {kLeastInt}};
  for (const std::vector<std::int32_t>& region : regions) {
    RecordRequest record = {.kinds = kRecordWeights, .heads = block.put(region), .rows = {},
                            .columns = {}};
    CHECK_FALSE(attention->run(block.workspace, request, record, out).ok());
    CHECK(attention->take_record() == nullptr);
  }
  for (const int kinds : {-1, 32, kMostInt, kLeastInt}) {
    RecordRequest record = {.kinds = kinds, .heads = {}, .rows = {}, .columns = {}};
    CHECK_FALSE(attention->run(block.workspace, request, record, out).ok());
  }
}

TEST_CASE("bindings: a cache belongs to its attention, holds what it has room for, and no more") {
  Block block;
  const auto attention = attention_of(block, kSettings), other = attention_of(block, kSettings);
  for (const int bad : {0, -1, kLeastInt}) CHECK_FALSE(attention->make_cache(bad).ok());
  check_refused(attention->make_cache(kMostInt).status(), "out of memory", Code::kOutOfMemory);
  auto made = attention->make_cache(4);
  REQUIRE(made.ok());
  AttentionCache& cache = *made.value();
  AttentionRequest request = request_in(block);
  const List out = block.room(2 * kTokens * 3);
  check_refused(other->decode(block.workspace, cache, request, out), "cache");
  REQUIRE(attention->decode(block.workspace, cache, request, out).ok());
  CHECK(cache.length() == 3);
  const auto copy = cache.clone();
  REQUIRE(copy.ok());
  CHECK_FALSE(attention->decode(block.workspace, cache, request, out).ok());  // 6 of 4
  request.keys = 2;
  CHECK_FALSE(attention->decode(block.workspace, cache, request, out).ok());
  for (const int bad : {-1, 4, kMostInt, kLeastInt}) CHECK_FALSE(cache.truncate(bad).ok());
  CHECK(cache.length() == 3);
  CHECK(cache.truncate(0).ok());
  CHECK(copy.value()->length() == 3);
}

TEST_CASE("bindings: operands that lie in tensors, and tensors that are gone") {
  Block block;
  const auto attention = attention_of(block, kSettings);
  AttentionRequest request = request_in(block);
  const List out = block.room(2 * kTokens * 3);
  auto made = Tensor::make(block.workspace, request.q);
  REQUIRE(made.ok());
  std::unique_ptr<Tensor> tensor = made.take();
  request.q = {tensor->address(), tensor->length()};
  CHECK(attention->run(block.workspace, request, {}, out).ok());
  tensor.reset();
  CHECK_FALSE(attention->run(block.workspace, request, {}, out).ok());
}

}  // namespace
}  // namespace wf::calls
