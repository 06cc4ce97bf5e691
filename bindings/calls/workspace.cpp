#include "calls/workspace.h"

#include <algorithm>

namespace wf::calls {
namespace {

bool lies_in(std::uintptr_t address, std::uint64_t bytes, const void* data, std::uint64_t size) {
  const auto first = reinterpret_cast<std::uintptr_t>(data);
  return address >= first && bytes <= size && address - first <= size - bytes;
}

}  // namespace

Status Workspace::reserve(double bytes) {
  if (!(bytes >= 0)) return WF_UNEXPECTED("workspace", "%.0f bytes", "0 or more", bytes);
  if (bytes > static_cast<double>(INT32_MAX))
    return Status::error(Code::kOutOfMemory, "out of memory: %.0f bytes asked for", bytes);
  return block_.reserve(static_cast<std::size_t>(bytes));
}

bool Workspace::holds(std::uintptr_t address, std::uint64_t bytes) const {
  return lies_in(address, bytes, block_.data(), block_.size());
}

const Workspace::TensorNumbers* Workspace::tensor_at(std::uintptr_t address,
                                                     std::uint64_t bytes) const {
  // The last tensor that begins at or before the address.
  auto after = std::upper_bound(
      tensors_.begin(), tensors_.end(), address, [](std::uintptr_t wanted, const auto& tensor) {
        return wanted < reinterpret_cast<std::uintptr_t>(tensor.numbers.data());
      });
  if (after == tensors_.begin()) return nullptr;
  --after;
  const std::span<const float> numbers = after->numbers;
  return lies_in(address, bytes, numbers.data(), numbers.size_bytes()) ? &*after : nullptr;
}

void Workspace::add_tensor(const TensorNumbers& tensor) {
  const auto next = std::upper_bound(
      tensors_.begin(), tensors_.end(), tensor,
      [](const auto& one, const auto& other) { return one.numbers.data() < other.numbers.data(); });
  tensors_.insert(next, tensor);
}

void Workspace::remove_tensor(const float* numbers) {
  std::erase_if(tensors_, [=](const auto& tensor) { return tensor.numbers.data() == numbers; });
}

}  // namespace wf::calls
