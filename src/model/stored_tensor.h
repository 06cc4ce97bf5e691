// A tensor as described in the header of a file.
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
  std::string_view name;  // as in the file, with escapes left in place
  Dtype dtype = Dtype::kF32;
  std::string_view dtype_text;
  int block = 1;  // number of values stored together, and their bytes
  int block_bytes = 4;
  int dimensions = 0;
  std::int64_t shape[kMaxDimensions] = {};
  std::uint64_t begin = 0;  // offsets into the data part
  std::uint64_t end = 0;
  std::size_t order = 0;  // index in the order in which a reader reads tensors

  std::size_t count() const { return static_cast<std::size_t>(end - begin) / block_bytes * block; }
  // Number of values in a row: the product of all dimensions but the first.
  std::int64_t columns() const {
    return shape[0] > 0 ? static_cast<std::int64_t>(count()) / shape[0] : 0;
  }
  // The product of all dimensions from this one on; `dimension` is 1 or 2.
  std::int64_t count_from(int dimension) const {
    if (dimension == 1) return columns();
    return shape[1] > 0 ? columns() / shape[1] : 0;
  }
  bool has_shape_of(const StoredTensor& other) const;
  // Errors: kUnsupported for a dtype that cannot be read.
  Status check_dtype() const;
};

// The part of a file's name that a message shows.
std::string_view shown(std::string_view name);

// Sorts the list by name. Errors: kMalformedFile if two have the same name.
Status check_names(Buffer<const StoredTensor*>& tensors);

// Sorts by offset in the file.
void sort_by_offset(Buffer<const StoredTensor*>& tensors);

// The index of the first of `count` floats (of any alignment) that is NaN or infinite; `count` if
// there is none.
std::size_t first_not_finite(const void* floats, std::size_t count);

Status not_finite(const StoredTensor& tensor, std::size_t index);

}  // namespace wf
