#include "calls/tensor.h"

#include <algorithm>

#include "kernels/dot.h"

namespace wf::calls {

Result<std::unique_ptr<Tensor>> Tensor::make(Workspace& workspace, List numbers) {
  Reader reader(workspace);
  const float* given = reader.floats("value", numbers, {1.0 * numbers.length});
  reader.forbid_not_finite(numbers, true);
  WF_RETURN_IF_ERROR(reader.status());
  auto tensor = std::make_unique<Tensor>(workspace);
  WF_RETURN_IF_ERROR(tensor->numbers_.reserve(numbers.length));
  std::copy_n(given, numbers.length, tensor->numbers_.begin());
  tensor->hides_ = !all_finite(given, numbers.length);
  workspace.add_tensor({tensor->numbers_, tensor->hides_});
  return tensor;
}

}  // namespace wf::calls
