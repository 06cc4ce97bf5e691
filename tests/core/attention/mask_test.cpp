// Visibility of keys: compares the ranges of a mask with its rules, key by key, and tests attention
// with such masks.
#include "attention/mask.h"

#include <doctest/doctest.h>

#include <climits>
#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

// The rules of mask.h for one query and one key.
bool sees(const Mask& mask, std::int64_t query, std::int64_t key) {
  if (mask.key_length >= 0 && key >= mask.key_length) return false;
  if (mask.is_causal && key > query && key >= mask.prefix_length) return false;
  if (mask.window > 0 && std::abs(query - key) >= mask.window) return false;
  const Reach& reach = mask.reach;
  if (reach.window && query - key >= reach.window && key >= reach.kept) return false;
  const auto chunk_of = [&](std::int64_t index) { return std::floor(1.0 * index / mask.chunk); };
  return mask.chunk == 0 || chunk_of(query) == chunk_of(key);
}

// Checks that every range is within the keys and contains all visible ones, and that neither end of
// the ranges decreases from query to query.
void check_ranges(const Mask& mask, int rows, int keys) {
  Mask::Range before = {0, 0};
  for (int row = 0; row < rows; ++row) {
    const Mask::Range seen = mask.visible(row, keys);
    CAPTURE(row);
    REQUIRE((0 <= seen.begin && seen.begin <= seen.end && seen.end <= keys));
    for (int key = 0; key < keys; ++key)
      CHECK((key >= seen.begin && key < seen.end) ==
            sees(mask, std::int64_t{row} + mask.query_offset, key));
    CHECK(seen.begin >= before.begin);
    CHECK(seen.end >= before.end);
    before = seen;
  }
  const Mask::Range any = mask.visible_to_any(0, rows, keys);
  CHECK(any.begin == mask.visible(0, keys).begin);
  CHECK(any.end == mask.visible(rows - 1, keys).end);
}

TEST_CASE("a stretch holds the keys that the rules let a query see, past both ends of the keys") {
  constexpr int kRows = 5, kKeys = 7;
  for (const bool is_causal : {false, true})
    for (const int window : {0, 1, 2, 3, 8, INT_MAX - 1, INT_MAX})
      for (const int chunk : {0, 1, 2, 3, 8, INT_MAX - 1, INT_MAX})
        for (const int key_length : {-1, 0, 4, 7})
          for (const int prefix_length : {0, 3, 7})
            for (const int offset : {-9, -5, -3, -1, 0, 2, 6, 7, 9, 1 << 30, -(1 << 30)}) {
              const Mask mask = {.is_causal = is_causal,
                                 .window = window,
                                 .chunk = chunk,
                                 .prefix_length = prefix_length,
                                 .query_offset = offset,
                                 .key_length = key_length,
                                 .given = {}};
              CAPTURE(is_causal);
              CAPTURE(window);
              CAPTURE(chunk);
              CAPTURE(key_length);
              CAPTURE(prefix_length);
              CAPTURE(offset);
              check_ranges(mask, kRows, kKeys);
            }
}

// Checks all tiles of a few rows.
void check_tiles(const Mask& mask) {
  constexpr int kRows = 6, kKeys = 12;
  const int offset = mask.query_offset;
  for (int row0 = 0; row0 < kRows; ++row0)
    for (int rows = 1; row0 + rows <= kRows; ++rows)
      for (int column0 = 0; column0 < kKeys; column0 += 2)
        for (int columns = 1; column0 + columns <= kKeys; ++columns) {
          bool whole = true;
          for (int t = row0; t < row0 + rows; ++t)
            for (int s = column0; s < column0 + columns; ++s)
              whole = whole && sees(mask, t + offset, s);
          CHECK(mask.leaves_alone(row0, rows, column0, columns, kKeys) == whole);
          std::vector<float> tile(rows * 16, 1.0f);
          mask.apply(0, row0, rows, column0, columns, tile.data(), 16);
          for (int i = 0; i < rows; ++i)
            for (int j = 0; j < 16; ++j) {
              const bool hidden = j < columns && !sees(mask, row0 + i + offset, column0 + j);
              CHECK(tile[i * 16 + j] == (hidden ? -INFINITY : 1.0f));
            }
        }
}

TEST_CASE("a tile is left alone exactly where every row sees all of its keys") {
  for (const bool is_causal : {false, true})
    for (const int window : {0, 3, 9})
      for (const int chunk : {0, 4})
        for (const Reach reach : {Reach(), Reach{2, 0}, Reach{4, 3}, Reach{1, 30}})
          for (int offset = -2; offset <= 8; offset += 5) {
            CAPTURE(reach.window);
            check_tiles({.is_causal = is_causal,
                         .window = window,
                         .chunk = chunk,
                         .query_offset = offset,
                         .reach = reach,
                         .given = {}});
          }
}

TEST_CASE("documents and masks that are given leave no tile alone") {
  const std::int32_t same[4] = {};
  const float zero = 0;
  const std::uint8_t yes = 1;
  const auto leaves_alone = [](auto change) {
    Mask mask;
    change(mask);
    return mask.leaves_alone(0, 4, 0, 4, 4);
  };
  CHECK(leaves_alone([](Mask&) {}));
  CHECK(!leaves_alone([&](Mask& mask) { mask.query_segments = mask.key_segments = same; }));
  CHECK(!leaves_alone([&](Mask& mask) { mask.given.additive = &zero; }));
  CHECK(!leaves_alone([&](Mask& mask) { mask.given.allowed = &yes; }));
}

contract::AttentionCase plain(const contract::Sizes& sizes) {
  const SchemeEntry& entry = *find_scheme("nope").value();
  return contract::AttentionCase(entry, default_options(*entry.description), sizes, false, 41);
}

TEST_CASE("queries past the keys see none through a window: their rows are zero") {
  contract::AttentionCase problem =
      plain({.heads = 1, .kv_heads = 1, .head_dim = 1, .value_dim = 1, .queries = 3, .keys = 1});
  problem.config.sliding_window = 1;
  problem.v = {10};
  REQUIRE(problem.forward().ok());
  CHECK(problem.output == std::vector<float>{10, 0, 0});
}

TEST_CASE("queries past the keys see none through a chunk, in any number of blocks") {
  constexpr int kTile = contract::kTileKeys;
  constexpr std::pair<int, int> kSizes[] = {{40, 2}, {64, 2}, {kTile + 2, 1}, {280, kTile + 9}};
  for (const auto& [queries, keys] : kSizes) {
    CAPTURE(queries);
    for (const int chunk : {1, 5, kTile + 2}) {
      contract::AttentionCase problem = plain({.queries = queries, .keys = keys});
      problem.config.chunk_size = chunk;
      REQUIRE(problem.forward().ok());
      CHECK(contract::largest_difference(problem.output, problem.twin().output) < 3e-6);
      REQUIRE(problem.backward(contract::random_values(problem.output.size(), 42)).ok());
      // A query without visible keys has no gradient.
      for (int t = (keys + chunk - 1) / chunk * chunk; t < queries; ++t)
        for (int c = 0; c < 8; ++c) CHECK(problem.d_q[t * 8 + c] == 0);
      for (const float x : problem.d_k) CHECK(std::isfinite(x));
      for (const float x : problem.d_v) CHECK(std::isfinite(x));
    }
  }
}

TEST_CASE("a query before the keys is in a chunk of its own and sees none of them") {
  contract::AttentionCase problem = plain({.queries = 6, .keys = 6});
  problem.config.chunk_size = 4;
  problem.mask.query_offset = -2;
  auto recorder = Recorder::make(kRecordWeights, {}, problem.schemes(), 4, 8, 6, 6).take();
  REQUIRE(problem.forward(&recorder).ok());
  CHECK(contract::largest_difference(problem.output, problem.twin().output) < 3e-6);
  for (int t = 0; t < 6; ++t)
    for (int s = 0; s < 6; ++s) CHECK((recorder.weights()[t * 6 + s] > 0) == (t >= 2 && s < 4));
}

}  // namespace
}  // namespace wf
