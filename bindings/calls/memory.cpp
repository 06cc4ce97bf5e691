#include "calls/memory.h"

namespace wf::calls {

Result<std::unique_ptr<Memory>> Memory::make(const Workspace& workspace, const Transformer& model,
                                             List states, int rows, List visible) {
  Reader reader(workspace);
  const int width = model.config().width;
  WF_RETURN_IF_ERROR(check_range("rows", rows, 1, INT32_MAX));
  const float* read = reader.array<const float>("states", states, {1.0 * rows, 1.0 * width});
  const std::uint8_t* seen =
      visible.length ? reader.array<const std::uint8_t>("attentionMask", visible, {1.0 * rows})
                     : nullptr;
  WF_RETURN_IF_ERROR(reader.status());
  WF_ASSIGN_OR_RETURN(CrossMemory memory,
                      CrossMemory::make(model, {read, rows, width, width}, seen));
  return std::make_unique<Memory>(std::move(memory));
}

}  // namespace wf::calls
