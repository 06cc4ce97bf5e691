// The types in which weight files hold numbers: single ones, and the blocks of GGUF's
// (gguf_blocks.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wf {

// kOther is one that a file may hold (a buffer of positions in I64, say) and nothing here reads.
enum class Dtype : std::uint8_t {
  kF32,
  kF16,
  kBF16,
  kQ4_0,
  kQ4_1,
  kQ5_0,
  kQ5_1,
  kQ8_0,
  kQ4_K,
  kQ5_K,
  kQ6_K,
  kIQ4_NL,
  kOther
};

struct DtypeInfo {
  std::string_view text;
  Dtype dtype = Dtype::kOther;
  int block = 1;  // numbers that lie together
  int block_bytes = 0;  // of so many
};

// Of a safetensors file; null for a name that the format does not have.
const DtypeInfo* safetensors_dtype(std::string_view text);

// Writes `count` numbers of a dtype without blocks as float; zeros for kOther.
void widen(Dtype dtype, const std::uint8_t* source, std::size_t count, float* values);

}  // namespace wf
