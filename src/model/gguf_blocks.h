// Number types of GGUF files: single numbers, and blocks of quantised ones
// (https://github.com/ggml-org/ggml, ggml-common.h, ggml-quants.c).
#pragma once

#include "model/dtype.h"

namespace wf {

// A type by ggml's number; its dtype is kOther if only its size is known; null for an unknown
// number.
const DtypeInfo* gguf_dtype(std::uint32_t number);

// Converts `count` numbers (whole blocks) of a supported dtype to float, with the operations of
// ggml's reference code in the same order.
void widen_blocks(Dtype dtype, const std::uint8_t* source, std::size_t count, float* values);

}  // namespace wf
