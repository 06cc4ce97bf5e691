#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/training/task_batches.h"

namespace wf {
namespace {

using namespace testing;

std::vector<const TaskEntry*> every_task() {
  std::vector<const TaskEntry*> all;
  for (const auto list : {task_entries(), experiment_entries()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

// Returns an FNV-1a hash of ids and targets.
std::uint32_t fingerprint(const Batch& batch) {
  std::uint32_t hash = 2166136261u;
  for (const auto* list : {&batch.ids, &batch.targets})
    for (const std::int32_t id : *list) hash = (hash ^ static_cast<std::uint32_t>(id)) * 16777619u;
  return hash;
}

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

TEST_CASE("Batches are the same in every build") {
  const std::vector<std::int32_t> text = counting(0, 59);
  const TokenStream stream{text, 1};
  // Values of the native sanitizer build; this test runs natively and in WebAssembly.
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

TEST_CASE("Tasks refuse what they cannot work with, by name") {
  const auto refusal = [](const char* id, const TaskSettings& settings) {
    auto task = make_task(id, settings);
    REQUIRE(!task.ok());
    CHECK(task.status().code() == Code::kInvalidArgument);
    return std::string(task.status().message());
  };
  CHECK(refusal("sorting", {9, {}}) ==
        "task.id: \"sorting\" (expected one of language_model, copy, induction, "
        "masked_language_model, reverse, k_back, ordered_recall, sort, count, addition, agent, "
        "picture, picture_quadrant, picture_left)");
  CHECK(refusal("reverse", {2, {}}) == "vocabSize: 2 (expected 3 or more for task reverse)");
  CHECK(refusal("k_back", {1, {}}) == "vocabSize: 1 (expected 2 or more for task k_back)");
  CHECK(refusal("ordered_recall", {3, {}}) ==
        "vocabSize: 3 (expected 4 or more for task ordered_recall)");
  CHECK(refusal("sort", {2, {}}) == "vocabSize: 2 (expected 3 or more for task sort)");
  CHECK(refusal("count", {2, {}}) == "vocabSize: 2 (expected 3 or more for task count)");
  CHECK(refusal("addition", {11, {}}) == "vocabSize: 11 (expected 12 or more for task addition)");
  CHECK(refusal("agent", {9, {}}) == "vocabSize: 9 (expected 10 or more for task agent)");
  CHECK(refusal("picture_left", {9, {}}) == "vocabSize: 9 (expected 10 or more for task picture)");
  CHECK(refusal("copy", {2, {}}) == "vocabSize: 2 (expected 3 or more for task copy)");
  CHECK(refusal("induction", {1, {}}) == "vocabSize: 1 (expected 2 or more for task induction)");
  CHECK(refusal("language_model", {9, {}}) == "task language_model: 0 streams (expected 1 to 8)");
  const std::vector<std::int32_t> text = counting(0, 10);
  TokenStream stream{text, 1};
  CHECK(refusal("language_model", {9, {&stream, 1}}) == "stream 0: token id 9 (expected 0 to 8)");
  // The last id is the mask, so texts must not contain it.
  CHECK(refusal("masked_language_model", {10, {&stream, 1}}) ==
        "stream 0: token id 9 (expected 0 to 8)");
  stream.weight = 0;
  CHECK(refusal("language_model", {10, {&stream, 1}}) ==
        "weight of stream 0: 0 (expected a number above 0)");
  stream = {{text.data(), 1}, 1};
  CHECK(refusal("language_model", {10, {&stream, 1}}) == "stream 0: 1 tokens (expected 2 or more)");
}

}  // namespace
}  // namespace wf
