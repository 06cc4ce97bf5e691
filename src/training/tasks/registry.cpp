#include "training/tasks/registry.h"

#include <cstring>

#include "format.h"

namespace wf {

extern const TaskEntry kLanguageModelTask;
extern const TaskEntry kCopyTask;
extern const TaskEntry kInductionTask;

namespace {

constexpr const TaskEntry* kEntries[] = {
    &kLanguageModelTask,
    &kCopyTask,
    &kInductionTask,
};

}  // namespace

std::span<const TaskEntry* const> task_entries() { return kEntries; }

Result<std::unique_ptr<Task>> make_task(const char* id, const TaskSettings& settings) {
  char known[160] = "";
  std::size_t used = 0;
  for (const TaskEntry* entry : kEntries) {
    if (std::strcmp(entry->id, id) == 0) return entry->make(settings);
    used += format_text(known + used, sizeof(known) - used, "%s%s",
                          used ? ", " : "", entry->id);
  }
  return Status::error(Code::kInvalidArgument, "task is %.40s; allowed: %s", id, known);
}

}  // namespace wf
