// Sizes at the ends of their range, and products of sizes that overflow: the call succeeds or is
// refused by a typed error, and no size wraps around. In WebAssembly, where a size has 32 bits,
// these tests cover more cases.
#include <cmath>

#include "attention/kv_cache.h"
#include "attention/recorder.h"
#include "bindings/attention_trial.h"
#include "bindings/call_arguments.h"
#include "calls/descriptions.h"
#include "calls/model_layout.h"
#include "calls/packed_matrix.h"
#include "calls/products.h"
#include "model/transformer.h"
#include "schemes/grid_range.h"

namespace wf {
namespace {

using namespace testing;
using calls::ChosenScheme;

constexpr double kEnds[] = {0, 1, -1, 2147483647, 2147483648, 4294967296, 4611686018427387904.0};
constexpr int kIntEnds[] = {0, 1, -1, INT32_MAX, INT32_MIN, 1 << 16, 1 << 30};
constexpr std::size_t kLimit = 96 << 20;

bool is_typed(const Status& status) {
  return status.ok() || status.code() == Code::kInvalidArgument ||
         status.code() == Code::kUnsupported || status.code() == Code::kOutOfMemory;
}

// Prepares the parameters and reads them; each reported array must be readable.
void use(ConfiguredScheme& scheme) {
  const Status prepared = scheme.prepare_parameters();
  REQUIRE(is_typed(prepared));
  double numbers = 0;
  for (int i = 0; i < scheme.parameter_count(); ++i) {
    const calls::ParameterView view = scheme.parameter(i);
    REQUIRE(view.rows >= 0);
    REQUIRE(view.columns >= 0);
    const double size = 1.0 * view.rows * view.columns;
    numbers += size;
    CHECK(view.numbers.length == (prepared.ok() ? size : 0));
    if (prepared.ok() && size > 0)
      CHECK(std::isfinite(elements(view.numbers)[view.numbers.length - 1]));
  }
  CHECK(prepared.ok() == (numbers * sizeof(float) <= kLimit));
}

TEST_CASE("Every option of every scheme at the ends of the numbers is refused or works") {
  CallArguments arguments;
  for (int index = 0; index < calls::scheme_count(); ++index) {
    CAPTURE(calls::scheme_facts(index).id);
    for (int option = 0; option < calls::scheme_facts(index).option_count; ++option) {
      const calls::OptionFacts facts = calls::option_facts(index, option);
      CAPTURE(facts.key);
      std::vector<double> values(std::begin(kEnds), std::end(kEnds));
      values.insert(values.end(), {facts.minimum, facts.maximum, facts.maximum + 1});
      for (const double value : values) {
        CAPTURE(value);
        auto chosen = ChosenScheme::make(index).take();
        const Status set =
            chosen->set_option(arguments.workspace, option, arguments.doubles({value}));
        const bool takes_list = is_list(facts.kind);
        const bool is_word = facts.kind == OptionKind::kChoice;
        if (!is_word)
          CHECK(set.ok() == (value >= facts.minimum && value <= facts.maximum &&
                             (facts.kind != OptionKind::kInteger || value == std::floor(value))));
        if (!set.ok() || takes_list) continue;
        const MemoryLimit limit(kLimit);
        auto made = ConfiguredScheme::make(*chosen, {4, 2, 8, 0, 0});
        REQUIRE(is_typed(made.status()));
        if (made.ok()) use(*made.value());
      }
    }
  }
}

TEST_CASE("Schemes of the largest heads and widths have parameters that lie there whole, or none") {
  for (int index = 0; index < calls::scheme_count(); ++index) {
    CAPTURE(calls::scheme_facts(index).id);
    const auto chosen = ChosenScheme::make(index).take();
    for (const SchemeShape& sizes : {SchemeShape{4096, 4096, 4096, 0, 1 << 20},
                                     {4096, 1, 4096, 0, 0},
                                     {1, 1, 4096, 0, 1 << 20},
                                     {4096, 4096, 1, 0, 1 << 20},
                                     {4096, 2, 2, 0, 65536},
                                     {1, 1, 8, 0, 65536}}) {
      const MemoryLimit limit(kLimit);
      auto made = ConfiguredScheme::make(*chosen, sizes);
      REQUIRE(is_typed(made.status()));
      if (made.ok()) use(*made.value());
    }
  }
}

TEST_CASE("Tables of 65536 rows of 65536 numbers are refused wherever they are asked for") {
  CallArguments arguments;
  const List out = arguments.room(65536);
  const struct {
    const char* id;
    std::vector<OptionNumbers> options;
    SchemeShape sizes;
  } all[] = {
      {"learned", {{"maxPositions", {65536}}}, {1, 1, 8, 0, 65536}},
      {"one_hot", {{"maxPositions", {65536}}}, {1, 1, 8, 0, 65536}},
      {"learned_2d", {{"tableHeight", {1024}}, {"tableWidth", {1024}}}, {1, 1, 8, 0, 65536}},
      {"deberta",
       {{"maxRelativePositions", {65536}}, {"shareProjections", {0}}},
       {1, 1, 8, 0, 65536}},
      {"transformer_xl", {}, {1024, 1024, 64, 0, 65536}},
  };
  for (const auto& [id, options, sizes] : all) {
    CAPTURE(id);
    auto made = ConfiguredScheme::make(*chosen_scheme(id, options), sizes);
    REQUIRE_MESSAGE(made.ok(), made.status().message());
    CHECK(made.value()->prepare_parameters().code() == Code::kOutOfMemory);
    for (int i = 0; i < made.value()->parameter_count(); ++i)
      CHECK(made.value()->parameter(i).numbers.length == 0);
    for (const double seed : {-1.0, 0.0, 7.0}) {
      const std::vector<std::int32_t> at(std::string(id) == "learned_2d" ? 2 : 1, 5);
      CHECK(!made.value()
                 ->embeddings(arguments.workspace, 1, arguments.integers(at), seed, out)
                 .ok());
    }
  }
}

TEST_CASE("A model of more numbers than an address has bits is refused") {
  CallArguments arguments;
  for (const auto& [vocabulary, width, layers] :
       {std::tuple{1 << 20, 1 << 14, 1}, {65536, 1 << 14, 256}, {1 << 18, 1 << 14, 4}}) {
    auto layout = calls::ModelLayout::make({.vocab_size = vocabulary,
                                            .width = width,
                                            .num_layers = layers,
                                            .num_heads = 256,
                                            .num_kv_heads = 256,
                                            .head_dim = 1024,
                                            .intermediate = 1 << 16});
    REQUIRE(layout.ok());
    REQUIRE(layout.value()->add_layer_type({}).ok());
    const MemoryLimit limit(kLimit);
    CHECK(Transformer::make(layout.value()->config(), 0).status().code() == Code::kOutOfMemory);
  }
}

TEST_CASE("Products and packed matrices of sizes at the ends are refused") {
  CallArguments arguments;
  const List a = arguments.some_floats(16), b = arguments.some_floats(16), out = arguments.room(16);
  for (const int wrong : kIntEnds) {
    if (wrong == 1) continue;
    for (int place = 0; place < 3; ++place) {
      calls::ProductSizes sizes = {4, 4, 4, false};
      (place == 0 ? sizes.rows : place == 1 ? sizes.columns : sizes.depth) = wrong;
      CHECK(!calls::matmul(arguments.workspace, sizes, a, b, out).ok());
    }
    CHECK(!calls::matmul(arguments.workspace, {wrong, wrong, wrong, false}, a, b, out).ok());
    CHECK(!calls::PackedMatrix::make(arguments.workspace, wrong, 4, false, b).ok());
    CHECK(!calls::PackedMatrix::make(arguments.workspace, 4, wrong, false, b).ok());
  }
  // 2^32 numbers, which is 0 in 32 bits.
  CHECK(!calls::matmul(arguments.workspace, {65536, 65536, 65536, false}, {}, {}, {}).ok());
  CHECK(!calls::PackedMatrix::make(arguments.workspace, 65536, 65536, false, {}).ok());
}

TEST_CASE("The workspace is reserved for sizes that memory can have") {
  calls::Workspace workspace;
  for (const double size : kEnds) {
    const MemoryLimit limit(kLimit);
    const Status status = workspace.reserve(size);
    CHECK(status.ok() == (size == 0 || size == 1));
    CHECK(is_typed(status));
  }
}

TEST_CASE("A recorder, a cache and a cache's owner refuse sizes whose product runs over") {
  const MemoryLimit limit(kLimit);
  const auto record = [](int heads, int head_dim, int queries, int keys) {
    return Recorder::make(kRecordWeights, {}, {}, heads, head_dim, queries, keys).status().code();
  };
  CHECK(record(1, 1, 16, 16) == Code::kOk);
  for (const auto& [heads, queries, keys] : {std::tuple{1, 65536, 65536},
                                             {16, 16384, 16384},
                                             {4096, 1024, 1024},
                                             {2, 1 << 30, 2},
                                             {4096, INT32_MAX, INT32_MAX},
                                             {65536, 65536, 65536}})
    CHECK(record(heads, 1, queries, keys) == Code::kOutOfMemory);
  for (const auto& [heads, channels, capacity] : {std::tuple{4096, 4096, 256},
                                                  {4096, 1, 1 << 20},
                                                  {1, 1, INT32_MAX},
                                                  {4096, 4096, INT32_MAX},
                                                  {1, 4096, 1 << 20}}) {
    const AttentionConfig config = {
        .num_heads = heads, .num_kv_heads = heads, .head_dim = channels};
    CHECK(KvCache::make(config, capacity).status().code() == Code::kOutOfMemory);
  }
  AttentionTrial one;
  for (const int wrong : {0, -1, INT32_MIN})
    CHECK(one.attention->make_cache(wrong).status().code() == Code::kInvalidArgument);
  for (const int wrong : {INT32_MAX, 1 << 30})
    CHECK(one.attention->make_cache(wrong).status().code() == Code::kOutOfMemory);
}

// Returns the floats requested for the layer table of `tokens` tokens at positions `step` apart,
// and the rows of its range.
std::pair<double, double> table_of(const char* id, const SchemeShape& shape, int tokens, int step) {
  const SchemeEntry& entry = *find_scheme(id).value();
  auto made = make_scheme(entry, shape, default_options(*entry.description));
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  const int axes = std::max(entry.description->position_axes, 1);
  std::vector<std::int32_t> at;
  for (int a = 0; a < axes; ++a)
    for (int i = 0; i < tokens; ++i) at.push_back(i * step);
  const Positions positions = {at.data(), tokens, axes};
  const LayerContext context = {.query_positions = positions,
                                .key_positions = positions,
                                .distances = RelativeRange(positions, positions)};
  return {static_cast<double>(made.value().scheme->layer_table_floats(context)),
          static_cast<double>(context.distances.rows())};
}

TEST_CASE("A layer's table of 2^32 numbers is counted as that many, or as more than there can be") {
  const double most = static_cast<double>(kTooMany);
  // 2^28 rows of 16 numbers each.
  const auto [floats, rows] =
      table_of("transformer_xl", {.num_heads = 16, .num_kv_heads = 16, .head_dim = 1}, 16384, 8192);
  CHECK(rows >= (1 << 28) - 16384);
  CHECK(floats >= std::min(16 * rows, most));
  // A row for each pair of cells, or for each distance.
  const SchemeShape shape = {.num_heads = 4096, .num_kv_heads = 1, .head_dim = 1};
  CHECK(table_of("swin", shape, 1024, 1000).first >= std::min(4096.0 * 1024 * 1024, most));
  for (const char* id : {"fire", "sandwich"}) {
    CAPTURE(id);
    const auto [own, distances] = table_of(id, shape, 4096, 2000);
    CHECK(distances >= 8190000);
    CHECK(own >= distances);
  }
}

TEST_CASE("Ranges of distances with room for growth count no row twice over") {
  const std::int32_t ends[] = {-(1 << 30) + 1, (1 << 30) - 1};
  const Positions far = {ends, 2, 1};
  RelativeRange range(far, far);
  CHECK(range.rows() == 4);  // one for each pair
  range.reserve();
  const double rows = 1.0 * range.high() - range.low() + 1;
  CHECK(static_cast<double>(range.rows()) >= std::min(rows, static_cast<double>(kTooMany)));
}

TEST_CASE("Products of extents are those of numbers without end, or more than memory has") {
  CHECK(elements_of(3, 4, std::size_t{5}) == 60);
  CHECK(elements_of(0, INT32_MAX, INT32_MAX, INT32_MAX) == 0);
  CHECK(elements_of(INT32_MAX, INT32_MAX, INT32_MAX) == kTooMany);
  CHECK(elements_of(65536, 65536, 65536, 65536) == kTooMany);
  CHECK(elements_of(-1, 1) == kTooMany);
  CHECK(elements_of(-1, -1) == kTooMany);
  CHECK(elements_of(kTooMany, 1) == kTooMany);
  CHECK(elements_of(kTooMany, 2) == kTooMany);
  CHECK(added(kTooMany, 1) == kTooMany);
  CHECK(added(1, 2) == 3);
  Buffer<float> buffer;
  CHECK(buffer.reserve(kTooMany).code() == Code::kOutOfMemory);
}

TEST_CASE(
    "Positions at both ends of their range, one same step apart, are attended to or refused") {
  for (int index = 0; index < calls::scheme_count(); ++index) {
    const std::string id = calls::scheme_facts(index).id;
    CAPTURE(id);
    AttentionTrial one;
    if (!one.attention->add_scheme(*scheme_of(id.c_str())).ok()) continue;
    one.request.queries = one.request.keys = 3;
    one.request.q.length = kHeads * 3 * kChannels;
    one.request.k.length = one.request.v.length = kKvHeads * 3 * kChannels;
    one.out.length = kHeads * 3 * kChannels;
    std::vector<std::int32_t> places;
    for (int a = std::max(all_scheme_entries()[index]->description->position_axes, 1); a > 0; --a)
      places.insert(places.end(), {-(1 << 30) + 1, 0, (1 << 30) - 1});
    one.request.query_positions = one.request.key_positions = one.arguments.integers(places);
    CHECK(is_typed(one.run()));
    CHECK(is_typed(one.run({.kinds = 31, .heads = {}, .rows = {}, .columns = {}})));
  }
}

TEST_CASE("A request's sizes at the ends are refused one by one and all at once") {
  AttentionTrial one;
  using R = AttentionRequest;
  for (const int end : kIntEnds) {
    CAPTURE(end);
    for (int R::* field : {&R::queries, &R::keys}) CHECK(!one.run_with(field, end).ok());
    for (int R::* field : {&R::head_stride, &R::row_stride, &R::column_stride, &R::query_offset,
                           &R::key_length, &R::prefix_length})
      CHECK(is_typed(one.run_with(field, end)));
    for (List R::* field :
         {&R::q, &R::k, &R::v, &R::query_positions, &R::key_positions, &R::query_segments,
          &R::key_segments, &R::added_mask, &R::allowed_mask}) {
      const List longer = {(one.request.*field).address, end};
      CHECK(is_typed(one.run_with(field, longer)));
    }
    for (const int other : kIntEnds) {
      R both = one.request;
      both.queries = end;
      both.keys = other;
      CHECK(!one.run_with(both).ok());
    }
  }
}

}  // namespace
}  // namespace wf
