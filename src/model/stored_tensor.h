// A tensor as the head of a file names it.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/dtype.h"
#include "status.h"
#include "tensor/buffer.h"

namespace wf {

constexpr int kMaxDimensions = 8;

// Views point into the file's bytes.
struct StoredTensor {
  std::string_view name;  // as written: escapes are not undone
  Dtype dtype = Dtype::kF32;
  std::string_view dtype_text;
  int block = 1;  // numbers that lie together, and their bytes
  int block_bytes = 4;
  int dimensions = 0;
  std::int64_t shape[kMaxDimensions] = {};
  std::uint64_t begin = 0;  // offsets into the data part
  std::uint64_t end = 0;

  std::size_t count() const { return static_cast<std::size_t>(end - begin) / block_bytes * block; }
  // Numbers of a row, all dimensions but the first being one.
  std::int64_t columns() const {
    return shape[0] > 0 ? static_cast<std::int64_t>(count()) / shape[0] : 0;
  }
  bool has_shape_of(const StoredTensor& other) const;
  // Errors: kUnsupported for a dtype that is not read.
  Status check_dtype() const;
};

// What a message may show of a name that a file made up.
std::string_view shown(std::string_view name);

// Errors: kMalformedFile where two have one name. Leaves the list in the names' order.
Status check_names(Buffer<const StoredTensor*>& tensors);

// As they lie in their file.
void sort_by_offset(Buffer<const StoredTensor*>& tensors);

// The index of the first of `count` floats, wherever they lie, that is NaN or infinite; `count`
// where none is.
std::size_t first_not_finite(const void* floats, std::size_t count);

Status not_finite(const StoredTensor& tensor, std::size_t index);

}  // namespace wf
