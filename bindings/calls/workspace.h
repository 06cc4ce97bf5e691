// The memory through which arrays cross: a caller copies what a call reads into one block, the call
// leaves its result there, and the caller copies it out. The block stays from call to call, so that
// a call in a loop takes no memory.
//
// An array is named by its address and its length. Nothing is read or written before both are seen
// to lie in the block, or in a tensor that is alive.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "status.h"
#include "tensor/buffer.h"

namespace wf::calls {

// An array as a caller names it. One of no elements is absent, wherever it begins.
struct List {
  std::uintptr_t address = 0;
  int length = 0;  // elements, not bytes
};

class Workspace {
 public:
  // Gives the block room for so many bytes. Where it has to grow, what it held is lost.
  // Errors: kInvalidArgument for a negative size or NaN, kOutOfMemory.
  Status reserve(double bytes);
  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(block_.data()); }
  std::size_t size() const { return block_.size(); }
  // Gives the block back.
  void release() { block_ = {}; }

  // Whether all of these bytes lie in the block.
  bool holds(std::uintptr_t address, std::uint64_t bytes) const;
  // Numbers that operands may lie in.
  struct TensorNumbers {
    std::span<const float> numbers;
    bool hides;  // -infinity is among them, as in a mask
  };
  // The tensor in which all of these bytes lie, or null.
  const TensorNumbers* tensor_at(std::uintptr_t address, std::uint64_t bytes) const;
  // From now on, until it is removed.
  void add_tensor(const TensorNumbers& tensor);
  void remove_tensor(const float* numbers);

 private:
  Buffer<std::uint8_t> block_;
  std::vector<TensorNumbers> tensors_;  // ascending addresses
};

}  // namespace wf::calls
