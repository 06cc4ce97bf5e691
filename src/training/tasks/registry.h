// The lists of tasks.
#pragma once

#include "training/tasks/task.h"

namespace wf {

// The tasks of the package.
std::span<const TaskEntry* const> task_entries();
// Tasks that only the native trainer's experiments use. The engine does not reference them, so they
// are not linked into it.
std::span<const TaskEntry* const> experiment_entries();

// A task of either list. Errors: kInvalidArgument, whose message lists the ids; those of the task.
Result<std::unique_ptr<Task>> make_task(const char* id, const TaskSettings& settings);

}  // namespace wf
