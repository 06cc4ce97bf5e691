// Batches of the training tasks, for tests that check them row by row.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "training/tasks/registry.h"

namespace wf::testing {

struct Batch {
  std::vector<std::int32_t> ids, targets;
};

inline Batch filled(const Task& task, std::uint64_t seed, int batch, int length) {
  Batch made;
  made.ids.assign(static_cast<std::size_t>(batch * length), -7);
  made.targets = made.ids;
  Random random(seed);
  task.fill(random, batch, length, made.ids.data(), made.targets.data());
  return made;
}

inline std::unique_ptr<Task> task_of(const char* id, const TaskSettings& settings) {
  auto task = make_task(id, settings);
  REQUIRE_MESSAGE(task.ok(), task.status().message());
  return task.take();
}

// Returns `count` ids from `from` on, so that the ids of a window tell where it starts.
inline std::vector<std::int32_t> counting(int from, int count) {
  std::vector<std::int32_t> ids;
  for (int i = 0; i < count; ++i) ids.push_back(from + i);
  return ids;
}

// Calls check(ids, targets) with 100 rows of a task.
template <class Check>
void each_row(const Task& task, int length, Check&& check) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const Batch batch = filled(task, seed, 4, length);
    for (int row = 0; row < 4; ++row)
      check(batch.ids.data() + row * length, batch.targets.data() + row * length);
  }
}

}  // namespace wf::testing
