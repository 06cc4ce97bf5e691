#include "calls/memory.h"

#include "calls/model.h"

namespace wf::calls {

Result<std::unique_ptr<Memory>> Memory::make(const Workspace& workspace, const Model& model,
                                             List states, int rows) {
  Reader reader(workspace);
  const int width = model.transformer()->config().width;
  WF_RETURN_IF_ERROR(check_range("rows", rows, 1, INT32_MAX));
  const float* read = reader.array<const float>("states", states, {1.0 * rows, 1.0 * width});
  WF_RETURN_IF_ERROR(reader.status());
  WF_ASSIGN_OR_RETURN(CrossMemory memory,
                      CrossMemory::make(*model.transformer(), {read, rows, width, width}));
  return std::make_unique<Memory>(std::move(memory));
}

}  // namespace wf::calls
