// The memory through which arrays are passed: a caller copies the arguments of a call into one
// block, the call writes its result there, and the caller copies it out. The block is kept between
// calls, so that calls in a loop do not allocate.
//
// An array is an address and a length. Before it is read or written, both are checked to be in the
// block, or in a tensor that exists.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "status.h"
#include "tensor/buffer.h"

namespace wf::calls {

// An array as passed by a caller. One without elements is absent, whatever its address.
struct List {
  std::uintptr_t address = 0;
  int length = 0;  // elements, not bytes
};

class Workspace {
 public:
  // Grows the block to this many bytes; growing discards the contents. Errors: kInvalidArgument for
  // a negative size or NaN, kOutOfMemory.
  Status reserve(double bytes);
  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(block_.data()); }
  std::size_t size() const { return block_.size(); }
  // Frees the block.
  void release() { block_ = {}; }

  // Whether all of these bytes are in the block.
  bool holds(std::uintptr_t address, std::uint64_t bytes) const;
  // Numbers outside the block that operands may use.
  struct TensorNumbers {
    std::span<const float> numbers;
    bool hides;  // contains -infinity, as a mask may
  };
  // The tensor that contains all of these bytes, or null.
  const TensorNumbers* tensor_at(std::uintptr_t address, std::uint64_t bytes) const;
  // Makes the tensor available until it is removed.
  void add_tensor(const TensorNumbers& tensor);
  void remove_tensor(const float* numbers);

 private:
  Buffer<std::uint8_t> block_;
  std::vector<TensorNumbers> tensors_;  // by ascending address
};

}  // namespace wf::calls
