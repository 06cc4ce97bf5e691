// The lists of tasks.
#pragma once

#include "training/tasks/task.h"

namespace wf {

// Those that the package offers.
std::span<const TaskEntry* const> task_entries();
// Those of the native trainer's experiments alone. Nothing that the engine links asks for them, so
// they weigh nothing there.
std::span<const TaskEntry* const> experiment_entries();

// Of either list. Errors: kInvalidArgument, whose message lists the ids; those of the task.
Result<std::unique_ptr<Task>> make_task(const char* id, const TaskSettings& settings);

}  // namespace wf
