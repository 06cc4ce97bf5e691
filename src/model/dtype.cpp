#include "model/dtype.h"

#include <cstring>

#include "kernels/float16.h"

namespace wf {
namespace {

constexpr DtypeInfo kSafetensors[] = {
    {"F32", Dtype::kF32, 1, 4},       {"F16", Dtype::kF16, 1, 2},
    {"BF16", Dtype::kBF16, 1, 2},     {"F64", Dtype::kOther, 1, 8},
    {"I64", Dtype::kOther, 1, 8},     {"U64", Dtype::kOther, 1, 8},
    {"I32", Dtype::kOther, 1, 4},     {"U32", Dtype::kOther, 1, 4},
    {"I16", Dtype::kOther, 1, 2},     {"U16", Dtype::kOther, 1, 2},
    {"I8", Dtype::kOther, 1, 1},      {"U8", Dtype::kOther, 1, 1},
    {"F8_E4M3", Dtype::kOther, 1, 1}, {"F8_E5M2", Dtype::kOther, 1, 1},
    {"BOOL", Dtype::kOther, 1, 1}};

std::uint16_t word_at(const std::uint8_t* bytes) {
  std::uint16_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

}  // namespace

const DtypeInfo* safetensors_dtype(std::string_view text) {
  for (const DtypeInfo& known : kSafetensors)
    if (known.text == text) return &known;
  return nullptr;
}

void widen(Dtype dtype, const std::uint8_t* source, std::size_t count, float* values) {
  if (dtype == Dtype::kF32) {
    if (count) std::memcpy(values, source, count * sizeof(float));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (dtype == Dtype::kF16)
      values[i] = float_from_half(word_at(source + 2 * i));
    else
      values[i] = dtype == Dtype::kBF16 ? float_from_bfloat(word_at(source + 2 * i)) : 0;
  }
}

}  // namespace wf
