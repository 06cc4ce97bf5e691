// The header of a GGUF file (https://github.com/ggml-org/ggml, docs/gguf.md), versions 2 and 3:
// "GGUF", version, counts, keys with typed values, and the tensors' names, shapes, types and
// offsets; then the tensors' bytes, each tensor at a multiple of the alignment.
//
// Files are not trusted: sizes are compared with the remaining bytes before memory is allocated or
// bytes are skipped, tensors may not overlap or exceed the file, and names must be unique.
#pragma once

#include <span>

#include "model/stored_tensor.h"

namespace wf {

// Offsets of a key and its value in the header; the caller reads the values it needs.
struct GgufEntry {
  std::uint64_t key_begin = 0, key_bytes = 0;
  // ggml's type numbers: 0 to 7 are u8, i8, u16, i16, u32, i32, f32, bool; 8 a string (a length of
  // 8 bytes, then bytes); 10 to 12 u64, i64, f64. For a list, the type of its items.
  std::uint32_t type = 0;
  bool is_list = false;
  std::uint64_t count = 1;  // number of items of a list
  std::uint64_t begin = 0;  // offset of the value, or of a list's first item
};

class GgufFile {
 public:
  // Reads `beginning`, the first bytes of a file of `file_bytes`, which must outlive the result. If
  // they are too few, needed() says how many to pass instead, and the rest of the result is empty.
  // Errors: kMalformedFile with a description and an offset; kUnsupported for another version;
  // kOutOfMemory.
  static Result<GgufFile> parse(std::span<const std::uint8_t> beginning, std::uint64_t file_bytes);

  std::uint64_t needed() const { return needed_; }
  // kUnsupported, with the first tensor whose type cannot be read. Not an error of parse(), since
  // the keys may give a better reason to refuse the file.
  const Status& types() const { return types_; }
  // Shapes in PyTorch's order: the last dimension is contiguous.
  std::span<const StoredTensor> tensors() const { return {tensors_.data(), tensors_.size()}; }
  std::span<const GgufEntry> entries() const { return {entries_.data(), entries_.size()}; }
  // Offset of the tensors' data.
  std::uint64_t data() const { return data_; }

 private:
  std::uint64_t needed_ = 0;
  std::uint64_t data_ = 0;
  Status types_;
  Buffer<StoredTensor> tensors_;
  Buffer<GgufEntry> entries_;
};

}  // namespace wf
