// The safetensors format (https://github.com/huggingface/safetensors, README, "Format"), in memory:
// 8 bytes little-endian length of a JSON header, the header, then the tensors' bytes end to end.
//
// The reader trusts nothing. A header that is not exactly an object of {dtype, shape,
// data_offsets} objects (and a __metadata__ object of strings), that names a tensor twice, that
// leaves bytes unclaimed or claimed twice, or that reaches past the end, is kMalformedFile.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "status.h"
#include "tensor/buffer.h"

namespace wf {

// kOther is one that a file may hold (a buffer of positions in I64, say) and nothing here reads.
enum class Dtype : std::uint8_t { kF32, kF16, kBF16, kOther };

// Of those that are read.
std::size_t dtype_bytes(Dtype dtype);

constexpr int kMostDimensions = 8;

// A tensor of a file. Views point into the file's bytes.
struct StoredTensor {
  std::string_view name;  // as written: escapes are not undone
  Dtype dtype = Dtype::kF32;
  std::string_view dtype_text;
  int element_bytes = 4;
  int dimensions = 0;
  std::int64_t shape[kMostDimensions] = {};
  std::uint64_t begin = 0;  // offsets into the data part
  std::uint64_t end = 0;

  std::size_t count() const { return static_cast<std::size_t>(end - begin) / element_bytes; }
  // Errors: kUnsupported for a dtype that is not F32, F16 or BF16.
  Status check_dtype() const;
};

struct MetadataPair {
  std::string_view key;
  std::string_view value;
};

class SafetensorsFile {
 public:
  // `bytes` must outlive the result.
  // Errors: kMalformedFile, saying what is wrong and where; kUnsupported for an unknown dtype;
  // kOutOfMemory.
  static Result<SafetensorsFile> parse(std::span<const std::uint8_t> bytes);

  std::span<const StoredTensor> tensors() const { return {tensors_.data(), tensors_.size()}; }
  std::span<const MetadataPair> metadata() const { return {metadata_.data(), metadata_.size()}; }
  const StoredTensor* find(std::string_view name) const;
  // Empty when there is none.
  std::string_view metadata_value(std::string_view key) const;

  // Whether both hold the same numbers in the same type and shape.
  bool are_same(const StoredTensor& a, const StoredTensor& b) const;
  // Of a dtype that is read, as below. Errors: kMalformedFile where one of the tensor's numbers is
  // NaN or infinite.
  Status check_finite(const StoredTensor& tensor) const;
  // Writes the tensor's count() numbers, widened to float.
  void read(const StoredTensor& tensor, float* values) const {
    read(tensor, 0, tensor.count(), values);
  }
  // Numbers [first, first + count) of it; zeros for a dtype that is not read.
  void read(const StoredTensor& tensor, std::size_t first, std::size_t count, float* values) const;

 private:
  std::span<const std::uint8_t> data_;
  Buffer<StoredTensor> tensors_;
  Buffer<MetadataPair> metadata_;
};

// What to write. Names and metadata must be plain printable ASCII without quotes or backslashes.
struct TensorToStore {
  std::string_view name;
  int dimensions = 1;
  std::int64_t shape[kMostDimensions] = {};
  const float* values = nullptr;
  std::size_t count = 0;
};

// A whole file, as bytes. Errors: kInvalidArgument for a name that cannot be written or for BF16,
// which is read only; kOutOfMemory.
Result<Buffer<std::uint8_t>> write_safetensors(std::span<const TensorToStore> tensors,
                                               std::span<const MetadataPair> metadata, Dtype dtype);

}  // namespace wf
