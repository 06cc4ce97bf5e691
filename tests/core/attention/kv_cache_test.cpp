// Values that a cache accepts and refuses, one property at a time.
#include "attention/kv_cache.h"

#include <doctest/doctest.h>

#include <vector>

#include "contract/attention_case.h"
#include "schemes/registry.h"
#include "tensor/buffer.h"

namespace wf {
namespace {

constexpr AttentionConfig kConfig = {
    .num_heads = 4, .num_kv_heads = 2, .head_dim = 6, .value_dim = 5};

struct Given {
  int key_heads = 2, value_heads = 2, key_dim = 6, value_dim = 5;
  int keys = 3, values = 3, positions = 3, axes = 1;
};

Status append(KvCache& cache, const Given& given) {
  const std::vector<float> numbers(1000, 0.5f);
  const std::vector<std::int32_t> places(100);
  return cache.append(
      heads_outermost(numbers.data(), given.key_heads, given.keys, given.key_dim),
      heads_outermost(numbers.data(), given.value_heads, given.values, given.value_dim),
      {places.data(), given.positions, given.axes});
}

}  // namespace

TEST_CASE("Keys and values that differ from the cache's in one size alone are refused") {
  KvCache cache = KvCache::make(kConfig, 8).take();
  REQUIRE(append(cache, {}).ok());
  for (const Given& wrong :
       {Given{.key_heads = 1}, Given{.value_heads = 3}, Given{.key_dim = 5}, Given{.value_dim = 6},
        Given{.keys = 2}, Given{.values = 2}, Given{.positions = 2},
        Given{.keys = 2, .positions = 2}, Given{.values = 4, .positions = 4}, Given{.axes = 0},
        Given{.axes = kMaxPositionAxes + 1}}) {
    const Status status = append(cache, wrong);
    CHECK(status.code() == Code::kInvalidArgument);
    CHECK(cache.length() == 3);
  }
}

TEST_CASE("A cache takes as many tokens as it has room for, and not one more") {
  KvCache cache = KvCache::make(kConfig, 5).take();
  REQUIRE(append(cache, {}).ok());
  CHECK(append(cache, {}).code() == Code::kInvalidArgument);
  CHECK(append(cache, {.keys = 2, .values = 2, .positions = 2}).ok());
  CHECK(cache.length() == 5);
}

TEST_CASE("Values that lie in the keys take no memory, and may be as wide as these") {
  AttentionConfig config = kConfig;
  config.value_dim = config.head_dim;
  const auto bytes_of = [&](CachedValues kept) {
    const std::size_t before = allocated_bytes();
    auto cache = KvCache::make(config, 4096, kept);
    REQUIRE(cache.ok());
    CHECK(cache.value().floats_a_token() == (kept == CachedValues::kInKeys ? 12 : 24));
    return allocated_bytes() - before;
  };
  const std::size_t own = bytes_of(CachedValues::kSeparate);
  CHECK(own - bytes_of(CachedValues::kInKeys) == sizeof(float) * 4096 * 12);
  config.value_dim = config.head_dim + 1;
  CHECK(KvCache::make(config, 8, CachedValues::kInKeys).status().code() == Code::kInvalidArgument);
}

TEST_CASE("Positions of any axes stay a token's own when others come and go") {
  KvCache cache = KvCache::make(kConfig, 9).take();
  const std::vector<float> numbers(200, 0.5f);
  // A token's position on axis a is 10 · a + t. In text one axis replaces all.
  std::vector<std::vector<std::int32_t>> expected;
  const auto append_of = [&](int axes, int count) {
    std::vector<std::int32_t> places;
    const int first = cache.length();
    for (int a = 0; a < axes; ++a)
      for (int t = first; t < first + count; ++t) places.push_back(10 * a + t);
    for (int t = first; t < first + count; ++t)
      expected.push_back({t, (axes > 1 ? 10 : 0) + t, (axes > 2 ? 20 : axes > 1 ? 10 : 0) + t});
    REQUIRE(cache
                .append(heads_outermost(numbers.data(), 2, count, 6),
                        heads_outermost(numbers.data(), 2, count, 5), {places.data(), count, axes})
                .ok());
  };
  const auto check = [&] {
    const Positions positions = cache.positions();
    REQUIRE(positions.count == static_cast<int>(expected.size()));
    for (int t = 0; t < positions.count; ++t)
      for (int a = 0; a < positions.axes; ++a) CHECK(positions.at(t, a) == expected[t][a]);
  };
  append_of(1, 2);
  append_of(3, 3);
  check();
  append_of(2, 1);
  check();
  append_of(1, 2);
  check();
  CHECK(cache.truncate(cache.length()).ok());
  check();
  REQUIRE(cache.truncate(4).ok());
  expected.resize(4);
  check();
  append_of(3, 4);
  check();
  CHECK(cache.truncate(9).code() == Code::kInvalidArgument);
  CHECK(cache.truncate(-1).code() == Code::kInvalidArgument);
  check();
}

TEST_CASE("New tokens do not see those after them, whatever the config says of a mask") {
  const auto decode = [](bool is_causal) {
    const SchemeEntry& rope = *find_scheme("rope").value();
    contract::AttentionCase problem(
        rope, default_options(*rope.description),
        {.heads = 2, .kv_heads = 1, .head_dim = 4, .value_dim = 3, .queries = 5, .keys = 5},
        is_causal, 8);
    KvCache cache = KvCache::make(problem.config, 8).take();
    problem.output.assign(2 * 5 * 3, 0);
    const AttentionInput in = problem.input();
    const Status status = attention_decode(
        problem.config, problem.schemes(), cache, in.q, in.k, in.v, in.query_positions,
        heads_outermost(problem.output.data(), 2, 5, 3), problem.saved(), problem.scratch());
    REQUIRE_MESSAGE(status.ok(), status.message());
    return problem.output;
  };
  CHECK(decode(false) == decode(true));
}

}  // namespace wf
