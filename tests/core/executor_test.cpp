#include "executor.h"

#include <doctest/doctest.h>

#include <tuple>
#include <utility>
#include <vector>

namespace wf {
namespace {

// Three threads that run one after another. The last `helpers` of them run first; the first thread
// runs last and does the work that is left.
class Late final : public Executor {
 public:
  explicit Late(int helpers) : helpers_(helpers) {}
  void run(int count, void (*task)(void*, int), void* context) override {
    for (int i = count - helpers_; i < count; ++i) task(context, i);
    for (int i = 0; i < count - helpers_; ++i) task(context, i);
  }
  int threads() const override { return 3; }

 private:
  int helpers_;
};

using Taken = std::vector<std::pair<int, int>>;  // lane and index, in the order of the work

Taken shared_among(int helpers, int count) {
  Late threads(helpers);
  shared_threads() = &threads;
  Taken taken;
  share_out(3, count, [&](int lane, int i) { taken.emplace_back(lane, i); });
  shared_threads() = nullptr;
  return taken;
}

TEST_CASE("a shared work is done once, whoever comes") {
  for (const int helpers : {0, 1, 2})
    for (const int count : {0, 1, 2, 3, 7, 100}) {
      CAPTURE(helpers);
      CAPTURE(count);
      std::vector<int> times(count, 0);
      for (const auto& [lane, i] : shared_among(helpers, count)) ++times[i];
      CHECK(times == std::vector<int>(count, 1));
    }
}

TEST_CASE("a thread goes through its own part in order, and helps the others after that") {
  if (!kMayHaveThreads) return;
  const Taken expected = {{2, 4}, {2, 5}, {2, 6}, {2, 0}, {2, 1}, {2, 2}, {2, 3}};
  CHECK(shared_among(1, 7) == expected);
}

TEST_CASE("rows of numbers are shared without a gap, and small ones stay where they are") {
  Late threads(1);
  shared_threads() = &threads;
  for (const auto [rows, columns, pieces] :
       {std::tuple{64, 300, 8}, std::tuple{61, 1 << 20, 8}, std::tuple{64, 16, 1},
        std::tuple{8, 1 << 20, 1}, std::tuple{1, 1 << 30, 1}}) {
    CAPTURE(rows);
    std::vector<int> times(rows, 0);
    int calls = 0;
    share_numbers(rows, columns, [&](int first, int count) {
      ++calls;
      for (int i = 0; i < count; ++i) ++times[first + i];
    });
    CHECK(times == std::vector<int>(rows, 1));
    if (kMayHaveThreads) CHECK(calls == pieces);
  }
  shared_threads() = nullptr;
}

}  // namespace
}  // namespace wf
