// The states of one forward pass, to change and to copy: outputs of attention heads before the
// output projection, and the stream of vectors between the blocks.
#pragma once

#include <span>

#include "model/config.h"
#include "status.h"
#include "tensor/view.h"
#include "words.h"

namespace wf {

// What replaces the output of a head. kMean: its mean over the visible tokens of the text.
#define WF_HEAD_ABLATIONS(X) X(kNone, "none") X(kZero, "zero") X(kMean, "mean")
WF_ENUM_WITH_WORDS(HeadAblation, WF_HEAD_ABLATIONS)
#undef WF_HEAD_ABLATIONS

// Numbers from elsewhere, such as another pass.
struct Patch {
  int layer = 0;  // -1: the stream before the first layer
  int head = -1;  // whose output is replaced; -1: the stream after the layer
  std::span<const std::int32_t> rows;  // indices of tokens; empty: all
  int count = 0;  // of rows
  int width = 0;  // Dv for a head, E for the stream
  const float* values = nullptr;  // [count, width]
};

// Empty lists mean all.
struct StateRecord {
  std::span<const std::int32_t> rows;
  std::span<const std::int32_t> layers, heads;  // for `outputs`
  float* stream = nullptr;  // [layers + 1, rows, E], or null
  float* outputs = nullptr;  // [layers, heads, rows, Dv] after ablations and patches, or null
};

struct PassStates {
  std::span<const HeadAblation> ablations;  // empty, or [layers, H]
  std::span<const Patch> patches;  // in this order, after the ablations
  StateRecord record;

  bool is_empty() const {
    return ablations.empty() && patches.empty() && !record.stream && !record.outputs;
  }
  // Errors: kInvalidArgument for patches of another model or of another number of tokens.
  Status check(const ModelConfig& config, int batch, int length) const;
  // `visible`: 0 for hidden tokens; may be null.
  void change_outputs(int layer, Heads outputs, const std::uint8_t* visible) const;
  // Layer -1: the stream before the first.
  void change_stream(int layer, Matrix stream) const;
};

}  // namespace wf
