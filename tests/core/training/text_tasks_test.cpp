#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/training/task_batches.h"

namespace wf {
namespace {

using namespace testing;

TEST_CASE("Language model: windows of the streams, each token's target the next one") {
  const std::vector<std::int32_t> first = counting(0, 40), second = counting(100, 25);
  const TokenStream streams[] = {{first, 1}, {second, 1}};
  const auto task = task_of("language_model", {200, streams});
  CHECK(task->longest() == 24);
  std::set<int> starts;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Batch batch = filled(*task, seed, 6, 24);
    int of_second = 0;
    for (int row = 0; row < 6; ++row) {
      const std::int32_t start = batch.ids[static_cast<std::size_t>(row * 24)];
      starts.insert(start);
      of_second += start >= 100;
      for (int t = 0; t < 24; ++t) {
        CHECK(batch.ids[static_cast<std::size_t>(row * 24 + t)] == start + t);
        CHECK(batch.targets[static_cast<std::size_t>(row * 24 + t)] == start + t + 1);
      }
      CHECK((start + 24 < 40 || (start >= 100 && start + 24 < 125)));
    }
    CHECK(of_second == 3);  // equal weights share a batch equally
  }
  CHECK(starts.size() == 16 + 1);  // every possible start is drawn, the last one included
}

TEST_CASE("Language model: streams are drawn in proportion to their weights") {
  const std::vector<std::int32_t> first = counting(0, 40), second = counting(100, 40);
  const TokenStream streams[] = {{first, 3}, {second, 1}};
  const auto task = task_of("language_model", {200, streams});
  int of_second = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    of_second += filled(*task, seed, 1, 8).ids[0] >= 100;
  CHECK(of_second > 65);  // 100 expected, deviation 8.7
  CHECK(of_second < 135);
}

TEST_CASE("Masked language model: 15 % are hidden, four fifths of them under the mask") {
  const std::vector<std::int32_t> text = counting(0, 400);
  const TokenStream stream{text, 1};
  const auto task = task_of("masked_language_model", {401, {&stream, 1}});
  int hidden = 0, masked = 0, kept = 0;
  each_row(*task, 128, [&](const std::int32_t* ids, const std::int32_t* targets) {
    // A token that is not scored is unchanged, so it tells where the window starts.
    int start = -1, chosen = 0;
    for (int t = 0; t < 128; ++t)
      if (targets[t] < 0) start = ids[t] - t;
    for (int t = 0; t < 128; ++t) {
      if (targets[t] < 0) {
        CHECK(ids[t] == start + t);
        continue;
      }
      CHECK(targets[t] == start + t);
      ++chosen;
      masked += ids[t] == 400;
      kept += ids[t] == targets[t];
    }
    CHECK(chosen == 19);  // 15 % of 128 is 19.2
    hidden += chosen;
  });
  CHECK(hidden == 1900);
  CHECK(masked > 1430);  // 1520 expected, deviation 17
  CHECK(masked < 1610);
  CHECK(kept > 130);  // 190 expected, deviation 13
  CHECK(kept < 260);
}

}  // namespace
}  // namespace wf
