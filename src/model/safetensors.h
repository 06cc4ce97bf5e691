// The safetensors format (https://github.com/huggingface/safetensors, README, "Format"), in memory:
// the length of a JSON header (8 bytes, little-endian), the header, then the tensors' bytes without
// gaps.
//
// Files are not trusted. kMalformedFile if a header is not exactly an object of {dtype, shape,
// data_offsets} objects (and a __metadata__ object of strings), if a name occurs twice, if bytes
// belong to no tensor or to two, or if a tensor exceeds the file.
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
  // `bytes` must outlive the result. Errors: kMalformedFile with a description and an offset;
  // kUnsupported for an unknown dtype; kOutOfMemory.
  static Result<SafetensorsFile> parse(std::span<const std::uint8_t> bytes);
  // Parses only the beginning of a file; tensors cannot be read from the result. `beginning` must
  // have at least header_bytes() bytes.
  static Result<SafetensorsFile> parse_header(std::span<const std::uint8_t> beginning,
                                              std::uint64_t file_bytes);
  // Size of the header including its length, from the file's first eight bytes. Errors:
  // kMalformedFile if the file is shorter.
  static Result<std::uint64_t> header_bytes(std::span<const std::uint8_t> beginning,
                                            std::uint64_t file_bytes);

  std::span<const StoredTensor> tensors() const { return {tensors_.data(), tensors_.size()}; }
  // For renaming; the names must stay in the file's bytes.
  std::span<StoredTensor> tensors() { return {tensors_.data(), tensors_.size()}; }
  std::span<const MetadataPair> metadata() const { return {metadata_.data(), metadata_.size()}; }
  const StoredTensor* find(std::string_view name) const;
  // Empty if there is no such key.
  std::string_view metadata_value(std::string_view key) const;

  // Checks a tensor in F32. Errors: kMalformedFile if one of its numbers is NaN or infinite.
  Status check_finite(const StoredTensor& tensor) const;
  // Writes the tensor's count() numbers, converted to float; zeros for a dtype that is not read.
  void read(const StoredTensor& tensor, float* values) const {
    widen(tensor.dtype, data_.data() + tensor.begin, tensor.count(), values);
  }

 private:
  std::span<const std::uint8_t> data_;
  Buffer<StoredTensor> tensors_;
  Buffer<MetadataPair> metadata_;
};

// A tensor to write. Names and metadata must be printable ASCII without quotes or backslashes.
struct TensorToStore {
  std::string_view name;
  int dimensions = 1;
  std::int64_t shape[kMaxDimensions] = {};
  const float* values = nullptr;
  std::size_t count = 0;
};

// A whole file, as bytes. Errors: kInvalidArgument for an invalid name or for BF16, which can only
// be read; kOutOfMemory.
Result<Buffer<std::uint8_t>> write_safetensors(std::span<const TensorToStore> tensors,
                                               std::span<const MetadataPair> metadata, Dtype dtype);

}  // namespace wf
