// Number types of weight files: single numbers, and blocks of quantised ones in GGUF files
// (gguf_blocks.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wf {

// kOther: types that may occur in a file but are not read (for example a position buffer in I64).
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
  kMXFP4,
  kOther
};

struct DtypeInfo {
  std::string_view text;
  Dtype dtype = Dtype::kOther;
  int block = 1;  // number of values stored together
  int block_bytes = 0;  // bytes of these
};

// A dtype of safetensors by its name; null if the format has none of that name.
const DtypeInfo* safetensors_dtype(std::string_view text);

// Converts `count` numbers of a dtype without blocks to float; zeros for kOther.
void widen(Dtype dtype, const std::uint8_t* source, std::size_t count, float* values);

}  // namespace wf
