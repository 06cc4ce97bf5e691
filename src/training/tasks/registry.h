// The list of tasks.
#pragma once

#include "training/tasks/task.h"

namespace wf {

std::span<const TaskEntry* const> task_entries();

// Errors: kInvalidArgument, whose message lists the ids; those of the task.
Result<std::unique_ptr<Task>> make_task(const char* id, const TaskSettings& settings);

}  // namespace wf
