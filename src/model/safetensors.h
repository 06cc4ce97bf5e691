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

#include "model/stored_tensor.h"

namespace wf {

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
  // Of a file of which only the beginning is here: nothing can be read from the result.
  // It must hold header_bytes(), which these are to be asked for first.
  static Result<SafetensorsFile> parse_header(std::span<const std::uint8_t> beginning,
                                              std::uint64_t file_bytes);
  // How many bytes the header takes, with its length before it, by the file's first eight.
  // Errors: kMalformedFile where the file is not that long.
  static Result<std::uint64_t> header_bytes(std::span<const std::uint8_t> beginning,
                                            std::uint64_t file_bytes);

  std::span<const StoredTensor> tensors() const { return {tensors_.data(), tensors_.size()}; }
  std::span<const MetadataPair> metadata() const { return {metadata_.data(), metadata_.size()}; }
  const StoredTensor* find(std::string_view name) const;
  // Empty when there is none.
  std::string_view metadata_value(std::string_view key) const;

  // Of a tensor in F32. Errors: kMalformedFile where one of its numbers is NaN or infinite.
  Status check_finite(const StoredTensor& tensor) const;
  // Writes the tensor's count() numbers, widened to float; zeros for a dtype that is not read.
  void read(const StoredTensor& tensor, float* values) const {
    widen(tensor.dtype, data_.data() + tensor.begin, tensor.count(), values);
  }

 private:
  std::span<const std::uint8_t> data_;
  Buffer<StoredTensor> tensors_;
  Buffer<MetadataPair> metadata_;
};

// What to write. Names and metadata must be plain printable ASCII without quotes or backslashes.
struct TensorToStore {
  std::string_view name;
  int dimensions = 1;
  std::int64_t shape[kMaxDimensions] = {};
  const float* values = nullptr;
  std::size_t count = 0;
};

// A whole file, as bytes. Errors: kInvalidArgument for a name that cannot be written or for BF16,
// which is read only; kOutOfMemory.
Result<Buffer<std::uint8_t>> write_safetensors(std::span<const TensorToStore> tensors,
                                               std::span<const MetadataPair> metadata, Dtype dtype);

}  // namespace wf
