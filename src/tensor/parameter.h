// Trainable tensors: specifications by the parts of a model, and the memory that the owner
// allocated.
//
// Everywhere, gradients of parameters and of layer inputs are ADDED to their previous values; the
// caller that starts a step clears them.
#pragma once

#include <cstdint>

#include "tensor/extent.h"

namespace wf {

enum class Initialiser : std::uint8_t { kZero, kOne, kConstant, kNormal, kUniform, kGiven };

// One instance for the whole model, or one for each layer.
enum class ParameterScope : std::uint8_t { kModel, kLayer };

struct ParameterSpec {
  const char* name = "";      // unique within its owner, e.g. "slopes"
  int rows = 1;               // shape [rows, columns]; a vector has one row
  int columns = 0;
  ParameterScope scope = ParameterScope::kLayer;
  Initialiser initialiser = Initialiser::kZero;
  float deviation = 0.02f;    // standard deviation; half-width when uniform; the constant
  bool decays = false;        // subject to weight decay
  float mean = 0;             // of normal and uniform initial values
  const float* given = nullptr;  // [size()], for kGiven; lives as long as its owner

  std::size_t size() const { return elements_of(rows, columns); }
};

}  // namespace wf
