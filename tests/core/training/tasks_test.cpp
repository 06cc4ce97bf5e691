#include <doctest/doctest.h>

#include <algorithm>
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

}  // namespace

TEST_CASE("Every task fills its batch and repeats with its seed") {
  const std::vector<std::int32_t> text = counting(0, 60);
  const TokenStream stream{text, 1};
  for (const TaskEntry* entry : task_entries()) {
    CAPTURE(std::string(entry->id));
    const auto task = task_of(entry->id, {60, {&stream, 1}});
    const Batch a = filled(*task, 3, 5, 16), b = filled(*task, 3, 5, 16), c = filled(*task, 4, 5, 16);
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

TEST_CASE("Tasks refuse what they cannot work with, by name") {
  const auto refusal = [](const char* id, const TaskSettings& settings) {
    auto task = make_task(id, settings);
    REQUIRE(!task.ok());
    CHECK(task.status().code() == Code::kInvalidArgument);
    return std::string(task.status().message());
  };
  CHECK(refusal("sorting", {9, {}}) ==
        "task is sorting; allowed: language_model, copy, induction");
  CHECK(refusal("copy", {2, {}}) == "vocab_size is 2; task copy allows: 3 and more");
  CHECK(refusal("induction", {1, {}}) == "vocab_size is 1; task induction allows: 2 and more");
  CHECK(refusal("language_model", {9, {}}) ==
        "task language_model has 0 streams; allowed: 1 to 8");
  const std::vector<std::int32_t> text = counting(0, 10);
  TokenStream stream{text, 1};
  CHECK(refusal("language_model", {9, {&stream, 1}}) ==
        "stream 0 has the id 9; allowed: 0 to 8");
  stream.weight = 0;
  CHECK(refusal("language_model", {10, {&stream, 1}}) ==
        "weight of stream 0 is 0; allowed: above 0");
  stream = {{text.data(), 1}, 1};
  CHECK(refusal("language_model", {10, {&stream, 1}}) ==
        "stream 0 has 1 tokens; allowed: 2 and more");
}

}  // namespace wf
