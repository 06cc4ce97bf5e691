#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "training/tasks/registry.h"

namespace wf {
namespace {

struct Batch {
  std::vector<std::int32_t> ids, targets;
};

Batch filled(const Task& task, std::uint64_t seed, int batch, int length) {
  Batch made;
  made.ids.assign(static_cast<std::size_t>(batch * length), -7);
  made.targets = made.ids;
  Random random(seed);
  task.fill(random, batch, length, made.ids.data(), made.targets.data());
  return made;
}

std::unique_ptr<Task> task_of(const char* id, const TaskSettings& settings) {
  auto task = make_task(id, settings);
  REQUIRE_MESSAGE(task.ok(), task.status().message());
  return task.take();
}

// 0, 1, 2, …: a window shows where it came from.
std::vector<std::int32_t> counting(int from, int count) {
  std::vector<std::int32_t> ids;
  for (int i = 0; i < count; ++i) ids.push_back(from + i);
  return ids;
}

std::vector<const TaskEntry*> every_task() {
  std::vector<const TaskEntry*> all;
  for (const auto list : {task_entries(), experiment_entries()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

// FNV-1a over ids and targets.
std::uint32_t fingerprint(const Batch& batch) {
  std::uint32_t hash = 2166136261u;
  for (const auto* list : {&batch.ids, &batch.targets})
    for (const std::int32_t id : *list) hash = (hash ^ static_cast<std::uint32_t>(id)) * 16777619u;
  return hash;
}

// Calls check(ids, targets) with many rows of a task.
template <class Check>
void each_row(const Task& task, int length, Check&& check) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const Batch batch = filled(task, seed, 4, length);
    for (int row = 0; row < 4; ++row)
      check(batch.ids.data() + row * length, batch.targets.data() + row * length);
  }
}

}  // namespace

TEST_CASE("Every task fills its batch and repeats with its seed") {
  const std::vector<std::int32_t> text = counting(0, 59);
  const TokenStream stream{text, 1};
  for (const TaskEntry* entry : every_task()) {
    CAPTURE(std::string(entry->id));
    const auto task = task_of(entry->id, {60, {&stream, 1}});
    const int length = std::max(16, task->shortest());
    const Batch a = filled(*task, 3, 5, length), b = filled(*task, 3, 5, length),
                c = filled(*task, 4, 5, length);
    CHECK(a.ids == b.ids);
    CHECK(a.targets == b.targets);
    CHECK(a.ids != c.ids);
    CHECK(std::all_of(a.ids.begin(), a.ids.end(), [](int id) { return id >= 0 && id < 60; }));
    CHECK(std::all_of(a.targets.begin(), a.targets.end(), [](int t) { return t >= -1 && t < 60; }));
    CHECK(std::any_of(a.targets.begin(), a.targets.end(), [](int t) { return t >= 0; }));
  }
}

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

TEST_CASE("Batches are the same in every build") {
  const std::vector<std::int32_t> text = counting(0, 59);
  const TokenStream stream{text, 1};
  // As the native sanitizer build printed them; this test runs natively and in wasm.
  const std::pair<const char*, std::uint32_t> expected[] = {
      {"language_model", 3091847749u},  {"copy", 2018990345u},
      {"induction", 1177681101u},       {"masked_language_model", 1915233065u},
      {"reverse", 2675973839u},         {"k_back", 1832053420u},
      {"ordered_recall", 1123460877u},  {"sort", 3022251964u},
      {"count", 4175714625u},           {"addition", 1427700668u},
      {"agent", 3491225528u},           {"picture", 111756824u},
      {"picture_quadrant", 634521900u}, {"picture_left", 4274067242u},
  };
  CHECK(std::size(expected) == every_task().size());
  for (const auto& [id, hash] : expected) {
    CAPTURE(std::string(id));
    const auto task = task_of(id, {60, {&stream, 1}});
    CHECK(fingerprint(filled(*task, 3, 5, std::max(16, task->shortest()))) == hash);
  }
}

TEST_CASE("Masked language model: 15 % are hidden, four fifths of them under the mask") {
  const std::vector<std::int32_t> text = counting(0, 400);
  const TokenStream stream{text, 1};
  const auto task = task_of("masked_language_model", {401, {&stream, 1}});
  int hidden = 0, masked = 0, kept = 0;
  each_row(*task, 128, [&](const std::int32_t* ids, const std::int32_t* targets) {
    // A token that is not scored is shown as it is, so it tells where the window began.
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

TEST_CASE("Picture: the corner asks for a quarter or for the left of two shapes") {
  const int side = 9, first_ink = 8;
  for (const char* id : {"picture", "picture_quadrant", "picture_left"}) {
    CAPTURE(std::string(id));
    const auto task = task_of(id, {14, {}});
    CHECK(task->is_grid());
    std::set<int> questions, answers;
    each_row(*task, side * side, [&](const std::int32_t* ids, const std::int32_t* targets) {
      CHECK(std::all_of(targets + 1, targets + side * side, [](int t) { return t == -1; }));
      std::vector<int> shape_cells;
      for (int t = 0; t < side * side; ++t)
        if (ids[t] >= first_ink) shape_cells.push_back(t);
      questions.insert(ids[0]);
      answers.insert(targets[0]);
      if (ids[0] == 2) {
        REQUIRE(shape_cells.size() == 4);
        const auto half = [&](int place) {
          return place < side / 2 ? 0 : place >= side - side / 2 ? 1 : -9;
        };
        for (const int cell : shape_cells)
          CHECK(targets[0] == 4 + 2 * half(cell / side) + half(cell % side));
      } else {
        REQUIRE(ids[0] == 3);
        REQUIRE(shape_cells.size() == 8);
        int leftmost = shape_cells[0];
        for (const int cell : shape_cells)
          if (cell % side < leftmost % side) leftmost = cell;
        CHECK(targets[0] == ids[leftmost]);
        for (const int cell : shape_cells)
          if (ids[cell] != ids[leftmost]) CHECK(cell % side > leftmost % side + 1);
      }
    });
    if (std::string(id) == "picture") CHECK(questions == std::set<int>{2, 3});
    if (std::string(id) == "picture_quadrant") CHECK(answers == std::set<int>{4, 5, 6, 7});
    if (std::string(id) == "picture_left") CHECK(answers.size() == 6);
  }
}

TEST_CASE("Tasks refuse what they cannot work with, by name") {
  const auto refusal = [](const char* id, const TaskSettings& settings) {
    auto task = make_task(id, settings);
    REQUIRE(!task.ok());
    CHECK(task.status().code() == Code::kInvalidArgument);
    return std::string(task.status().message());
  };
  CHECK(
      refusal("sorting", {9, {}}) ==
      "task is sorting; allowed: language_model, copy, induction, masked_language_model, reverse, "
      "k_back, ordered_recall, sort, count, addition, agent, picture, picture_quadrant, "
      "picture_left");
  CHECK(refusal("reverse", {2, {}}) == "vocab_size is 2; task reverse allows: 3 and more");
  CHECK(refusal("k_back", {1, {}}) == "vocab_size is 1; task k_back allows: 2 and more");
  CHECK(refusal("ordered_recall", {3, {}}) ==
        "vocab_size is 3; task ordered_recall allows: 4 and more");
  CHECK(refusal("sort", {2, {}}) == "vocab_size is 2; task sort allows: 3 and more");
  CHECK(refusal("count", {2, {}}) == "vocab_size is 2; task count allows: 3 and more");
  CHECK(refusal("addition", {11, {}}) == "vocab_size is 11; task addition allows: 12 and more");
  CHECK(refusal("agent", {9, {}}) == "vocab_size is 9; task agent allows: 10 and more");
  CHECK(refusal("picture_left", {9, {}}) == "vocab_size is 9; task picture allows: 10 and more");
  CHECK(refusal("copy", {2, {}}) == "vocab_size is 2; task copy allows: 3 and more");
  CHECK(refusal("induction", {1, {}}) == "vocab_size is 1; task induction allows: 2 and more");
  CHECK(refusal("language_model", {9, {}}) == "task language_model has 0 streams; allowed: 1 to 8");
  const std::vector<std::int32_t> text = counting(0, 10);
  TokenStream stream{text, 1};
  CHECK(refusal("language_model", {9, {&stream, 1}}) == "stream 0 has the id 9; allowed: 0 to 8");
  // The mask is the last id, so no text may hold it.
  CHECK(refusal("masked_language_model", {10, {&stream, 1}}) ==
        "stream 0 has the id 9; allowed: 0 to 8");
  stream.weight = 0;
  CHECK(refusal("language_model", {10, {&stream, 1}}) ==
        "weight of stream 0 is 0; allowed: above 0");
  stream = {{text.data(), 1}, 1};
  CHECK(refusal("language_model", {10, {&stream, 1}}) ==
        "stream 0 has 1 tokens; allowed: 2 and more");
}

}  // namespace wf
