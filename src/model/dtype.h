// The types in which weight files hold numbers: single ones, and blocks of quantised ones as GGUF
// has them (https://github.com/ggml-org/ggml, docs/gguf.md; block layouts: ggml-common.h).
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
// Of a GGUF file, by ggml's number; of dtype kOther where only its size is known, null where not
// even that.
const DtypeInfo* gguf_dtype(std::uint32_t number);

// Writes `count` numbers, whole blocks of them, as float; zeros for kOther. Numbers are what ggml's
// own reference computes, in its order.
void widen(Dtype dtype, const std::uint8_t* source, std::size_t count, float* values);

}  // namespace wf
