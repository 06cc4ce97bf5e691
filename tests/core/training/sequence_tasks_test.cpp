#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "core/training/task_batches.h"

namespace wf {
namespace {

using namespace testing;

TEST_CASE("Copy: the second half repeats the first, and only it is scored") {
  const auto task = task_of("copy", {9, {}});
  for (const int length : {2, 9, 16}) {
    CAPTURE(length);
    const Batch batch = filled(*task, 1, 4, length);
    const int n = length / 2;
    for (int row = 0; row < 4; ++row) {
      const std::int32_t* ids = batch.ids.data() + row * length;
      const std::int32_t* targets = batch.targets.data() + row * length;
      CHECK(ids[n] == 0);
      for (int t = 0; t < length; ++t) {
        if (t != n) CHECK(ids[t] > 0);
        CHECK(targets[t] == (t >= n && t < 2 * n ? ids[t - n] : -1));
        if (t + 1 < length && targets[t] >= 0) CHECK(targets[t] == ids[t + 1]);
      }
    }
  }
}

TEST_CASE("Induction: distinct symbols come round, and what is scored was seen before") {
  const auto task = task_of("induction", {9, {}});
  std::set<int> periods;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Batch batch = filled(*task, seed, 4, 16);
    for (int row = 0; row < 4; ++row) {
      const std::int32_t* ids = batch.ids.data() + row * 16;
      const std::int32_t* targets = batch.targets.data() + row * 16;
      int period = 1;
      while (ids[period] != ids[0]) ++period;
      periods.insert(period);
      CHECK(std::set<int>(ids, ids + period).size() == static_cast<std::size_t>(period));
      for (int t = 0; t < 16; ++t) {
        CHECK(ids[t] == ids[t % period]);
        CHECK(targets[t] == (t >= period ? ids[(t + 1) % period] : -1));
      }
    }
  }
  CHECK(periods == std::set<int>{2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("Reverse: the second half is the first backwards, and only it is scored") {
  const auto task = task_of("reverse", {9, {}});
  for (const int length : {2, 9, 16}) {
    const int n = length / 2;
    each_row(*task, length, [&](const std::int32_t* ids, const std::int32_t* targets) {
      CHECK(ids[n] == 0);
      for (int t = 0; t < length; ++t) {
        CHECK(targets[t] == (t >= n && t < 2 * n ? ids[2 * n - 1 - t] : -1));
        if (t + 1 < length && targets[t] >= 0) CHECK(targets[t] == ids[t + 1]);
      }
    });
  }
}

TEST_CASE("K back: the target stood four places before") {
  const auto task = task_of("k_back", {9, {}});
  each_row(*task, 12, [](const std::int32_t* ids, const std::int32_t* targets) {
    for (int t = 0; t < 12; ++t) CHECK(targets[t] == (t >= 4 ? ids[t - 4] : -1));
  });
}

TEST_CASE("Ordered recall: an ordinal's target is the symbol at that place") {
  const auto task = task_of("ordered_recall", {16, {}});
  CHECK(task->longest() == 16);
  std::set<int> asked;
  for (const int length : {11, 16}) {
    const int n = length / 2;
    each_row(*task, length, [&](const std::int32_t* ids, const std::int32_t* targets) {
      for (int t = 0; t < length; ++t) {
        const bool is_question = t >= n && (t - n) % 2 == 0;
        CHECK((ids[t] < 8) == is_question);
        CHECK(targets[t] == (is_question ? ids[ids[t]] : -1));
        if (is_question && t + 1 < length) CHECK(ids[t + 1] == targets[t]);
        if (is_question) asked.insert(ids[t]);
      }
    });
  }
  CHECK(asked == std::set<int>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("Sort: the second half is the first in order, and only it is scored") {
  const auto task = task_of("sort", {9, {}});
  for (const int length : {3, 12, 17}) {
    const int n = (length - 1) / 2;
    each_row(*task, length, [&](const std::int32_t* ids, const std::int32_t* targets) {
      std::vector<std::int32_t> sorted(ids, ids + n);
      std::sort(sorted.begin(), sorted.end());
      CHECK(ids[n] == 0);
      CHECK(std::equal(sorted.begin(), sorted.end(), ids + n + 1));
      for (int t = 0; t < length; ++t)
        CHECK(targets[t] == (t >= n && t < 2 * n ? sorted[static_cast<std::size_t>(t - n)] : -1));
    });
  }
}

TEST_CASE("Count: ticks since the last reset") {
  const auto task = task_of("count", {30, {}});
  CHECK(task->longest() == 29);
  int most = 0;
  each_row(*task, 24, [&](const std::int32_t* ids, const std::int32_t* targets) {
    for (int t = 0; t < 24; ++t) {
      int count = 0;
      for (int i = t; i >= 0 && ids[i] != 0; --i) count += ids[i] == 1;
      CHECK(targets[t] == count);
      most = std::max(most, count);
    }
  });
  CHECK(most > 6);
}

TEST_CASE("Addition: the sum is right, its ones first, and only it is scored") {
  const auto task = task_of("addition", {12, {}});
  for (const int length : {6, 17, 18}) {
    const int d = (length - 3) / 3;
    each_row(*task, length, [&](const std::int32_t* ids, const std::int32_t* targets) {
      const auto number = [](const std::int32_t* digits, int count) {
        long value = 0;
        for (int i = count - 1; i >= 0; --i) value = 10 * value + digits[i];
        return value;
      };
      CHECK(ids[d] == 10);
      CHECK(ids[2 * d + 1] == 11);
      CHECK(number(ids, d) + number(ids + d + 1, d) == number(ids + 2 * d + 2, d + 1));
      for (int t = 0; t < length; ++t)
        CHECK(targets[t] == (t > 2 * d && t <= 3 * d + 1 ? ids[t + 1] : -1));
    });
  }
}

TEST_CASE("Agent: the answer follows the order of the words, and no bag of words gives it away") {
  const auto task =
      task_of("agent", {24, {}});  // verbs 6 to 11, adjectives 12 to 17, nouns 18 to 23
  CHECK(task->shortest() == 11);
  int answers[2][2] = {};  // passive or not, yes or no
  each_row(*task, 13, [&](const std::int32_t* ids, const std::int32_t* targets) {
    std::vector<int> nouns;
    int t = 0;
    bool is_passive = false;
    for (; ids[t] != 3; ++t) {
      if (ids[t] >= 18) nouns.push_back(ids[t]);
      is_passive |= ids[t] == 5;
      CHECK(targets[t] == -1);
    }
    REQUIRE(nouns.size() == 2);
    CHECK(nouns[0] != nouns[1]);
    CHECK(targets[t] == -1);
    const int asked = ids[t + 1];
    const int agent = is_passive ? nouns[1] : nouns[0];
    CHECK((asked == nouns[0] || asked == nouns[1]));
    CHECK(targets[t + 1] == (asked == agent ? 1 : 0));
    ++answers[is_passive][targets[t + 1]];
    for (t += 2; t < 13; ++t) CHECK((ids[t] == 2 && targets[t] == -1));
  });
  for (const auto& row : answers)
    for (const int count : row) CHECK(count > 10);  // 25 expected, deviation 4.3
}

}  // namespace
}  // namespace wf
