#include "schemes/number_list.h"

#include <algorithm>
#include <new>

namespace wf {

Result<NumberList> NumberList::make(std::span<const double> numbers) {
  NumberList list;
  if (numbers.empty()) return list;
  Buffer<double> copy;
  WF_RETURN_IF_ERROR(copy.reserve(numbers.size()));
  std::copy(numbers.begin(), numbers.end(), copy.begin());
  list.shared_ = new (std::nothrow) Shared;
  if (!list.shared_) return Status::error(Code::kOutOfMemory, "out of memory: a list of numbers");
  list.shared_->numbers = std::move(copy);
  return list;
}

}  // namespace wf
