// A training task: a source of batches. Each task has one file, listed in the registry.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "status.h"
#include "tensor/random.h"

namespace wf {

// A stream of token ids, and the relative frequency with which windows are drawn from it.
struct TokenStream {
  std::span<const std::int32_t> ids;
  float weight = 1;
};

// The settings from which a task is made.
struct TaskSettings {
  int vocab_size = 0;
  std::span<const TokenStream> streams;  // not copied; must outlive the task
};

class Task {
 public:
  virtual ~Task() = default;

  // Writes ids and targets [batch,length]; a target of -1 is not scored. All random numbers come
  // from `random`, so a batch depends only on its state.
  virtual void fill(Random& random, int batch, int length, std::int32_t* ids,
                    std::int32_t* targets) const = 0;

  // Shortest sequence for which the task is defined.
  virtual int shortest() const { return 1; }
  // Longest sequence for which the task has data.
  virtual int longest() const { return 1 << 20; }

  // Whether the tokens are the cells of a square, row by row.
  virtual bool is_grid() const { return false; }
};

struct TaskEntry {
  const char* id;
  Result<std::unique_ptr<Task>> (*make)(const TaskSettings& settings);
};

// `new` that returns null on failure, for the entries' make functions.
template <class Derived, class... Arguments>
Result<std::unique_ptr<Task>> new_task(Arguments&&... arguments) {
  std::unique_ptr<Task> task(new (std::nothrow) Derived(arguments...));
  if (!task) return Status::error(Code::kOutOfMemory, "out of memory: a task");
  return task;
}

}  // namespace wf
