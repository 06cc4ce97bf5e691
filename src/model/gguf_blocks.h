// The types of numbers in GGUF files: single ones, and blocks of quantised ones
// (https://github.com/ggml-org/ggml, ggml-common.h, ggml-quants.c).
#pragma once

#include "model/dtype.h"

namespace wf {

// By ggml's number; of dtype kOther where only its size is known, null where not even that.
const DtypeInfo* gguf_dtype(std::uint32_t number);

// Writes `count` numbers, whole blocks of a dtype that is read, as float: what ggml's own reference
// computes, in its order.
void widen_blocks(Dtype dtype, const std::uint8_t* source, std::size_t count, float* values);

}  // namespace wf
