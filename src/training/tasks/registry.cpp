#include "training/tasks/registry.h"

#include <cstring>

#include "format.h"

namespace wf {

extern const TaskEntry kLanguageModelTask, kCopyTask, kInductionTask;
extern const TaskEntry kMaskedLanguageModelTask, kReverseTask, kKBackTask, kOrderedRecallTask,
    kSortTask, kCountTask, kAdditionTask, kAgentTask, kPictureTask, kPictureQuadrantTask,
    kPictureLeftTask;

namespace {

constexpr const TaskEntry* kEntries[] = {
    &kLanguageModelTask,
    &kCopyTask,
    &kInductionTask,
};

constexpr const TaskEntry* kExperiments[] = {
    &kMaskedLanguageModelTask,
    &kReverseTask,
    &kKBackTask,
    &kOrderedRecallTask,
    &kSortTask,
    &kCountTask,
    &kAdditionTask,
    &kAgentTask,
    &kPictureTask,
    &kPictureQuadrantTask,
    &kPictureLeftTask,
};

}  // namespace

std::span<const TaskEntry* const> task_entries() { return kEntries; }
std::span<const TaskEntry* const> experiment_entries() { return kExperiments; }

Result<std::unique_ptr<Task>> make_task(const char* id, const TaskSettings& settings) {
  char known[260] = "";
  std::size_t used = 0;
  for (const auto list : {task_entries(), experiment_entries()}) {
    for (const TaskEntry* entry : list) {
      if (std::strcmp(entry->id, id) == 0) return entry->make(settings);
      used += format_text(known + used, sizeof(known) - used, "%s%s", used ? ", " : "", entry->id);
    }
  }
  return WF_UNEXPECTED("task.id", "\"%.40s\"", "one of %s", id, known);
}

}  // namespace wf
