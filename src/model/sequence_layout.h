// The layout of the rows of a pass.
#pragma once

#include <cstdint>

#include "attention/attention.h"

namespace wf {

class CrossMemory;

// The layout of B consecutive sequences of T tokens.
struct SequenceLayout {
  int batch = 1;
  int length = 0;
  Positions positions;  // the same for every sequence
  const std::int32_t* segments = nullptr;    // [B,T] segment of each token, or null
  // [B,T] 0: a key hidden from all queries; null: none is hidden.
  const std::uint8_t* visible = nullptr;
  // [B] number of tokens before the padding, or null: no padding.
  const std::int32_t* lengths = nullptr;
  const CrossMemory* memory = nullptr;  // input of cross-attention; for one sequence only

  int rows() const { return batch * length; }
};

}  // namespace wf
