// The head of a GGUF file (https://github.com/ggml-org/ggml, docs/gguf.md), versions 2 and 3:
// "GGUF", version, counts, keys with typed values, tensors' names, shapes, types and places; then
// the tensors' bytes, each from a multiple of the alignment on.
//
// The reader trusts nothing: sizes are compared with what is left before anything is taken or
// skipped, tensors may not overlap or reach past the end, and names must differ.
#pragma once

#include <span>

#include "model/stored_tensor.h"

namespace wf {

// Where a key and its value stand in the head; they are read by those who need them.
struct GgufEntry {
  std::uint64_t key_begin = 0, key_bytes = 0;
  // ggml's numbers of types: 0 to 7 are u8, i8, u16, i16, u32, i32, f32, bool; 8 a string (a length
  // of 8 bytes, then bytes); 10 to 12 u64, i64, f64. Of a list, what its items are.
  std::uint32_t type = 0;
  bool is_list = false;
  std::uint64_t count = 1;  // of a list
  std::uint64_t begin = 0;  // of the value, or of a list's first item
};

class GgufFile {
 public:
  // `beginning` are the first bytes of a file of `file_bytes`; they must outlive the result. Where
  // they are too few, needed() is how many to come with next time, and nothing else holds.
  // Errors: kMalformedFile, saying what is wrong and where; kUnsupported for another version;
  // kOutOfMemory.
  static Result<GgufFile> parse(std::span<const std::uint8_t> beginning, std::uint64_t file_bytes);

  std::uint64_t needed() const { return needed_; }
  // kUnsupported, with the first tensor whose type is not read. Not an error of parse(), since keys
  // may give a better reason to refuse the file.
  const Status& types() const { return types_; }
  // Shapes as PyTorch says them: the last extent is that of numbers that lie together.
  std::span<const StoredTensor> tensors() const { return {tensors_.data(), tensors_.size()}; }
  std::span<const GgufEntry> entries() const { return {entries_.data(), entries_.size()}; }
  // Where the tensors' data begins.
  std::uint64_t data() const { return data_; }

 private:
  std::uint64_t needed_ = 0;
  std::uint64_t data_ = 0;
  Status types_;
  Buffer<StoredTensor> tensors_;
  Buffer<GgufEntry> entries_;
};

}  // namespace wf
