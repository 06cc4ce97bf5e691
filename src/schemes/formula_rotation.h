// The rotation of a scheme that is written as a formula: the angle of each pair of channels at a
// position, or its frequency.
#pragma once

#include "schemes/formula_inputs.h"
#include "status.h"

namespace wf {

class FormulaRotation {
 public:
  enum class Form : std::uint8_t { kNone, kAngle, kFrequency };

  // `slot` is "angle" or "frequency". Errors: as formula::compile.
  Status set(Form form, const char* slot, std::string_view text, formula::Scope scope, int head_dim,
             bool interleaved, formula::Fault& fault);

  // Errors: kInvalidArgument if the angle of a pair is no finite number at this position.
  Status explain(const LayerContext&, const formula::Declarations&, int head, const Positions&,
                 int index, int sequence_length) const;

  bool is_empty() const { return form_ == Form::kNone; }
  int pairs() const { return pairs_; }
  // Whether one angle for each distance makes the product: the frequency does not depend on the
  // position.
  bool is_shift_invariant() const { return form_ != Form::kAngle; }
  // Whether angles depend on the length, so that rotated keys must not be cached.
  bool follows_length() const;
  // Whether all heads and layers have the same angles: these are in the position table.
  bool has_table() const;
  double operations() const;
  // Bits of the variables that it reads, and of the parameters by their index.
  std::uint32_t reads() const;
  std::uint32_t parameters() const { return program_.parameters(); }

  // Cosines [T, pairs], then sines.
  std::size_t table_floats(int count) const;
  void fill_table(const Positions&, int sequence_length, float* table) const;

  void rotate(const LayerContext&, const formula::Declarations&, int head, const RowPositions&,
              Matrix x) const;
  // Rotates the gradient back, and adds the gradients of parameters.
  void rotate_back(const LayerContext&, const formula::Declarations&, int head, const RowPositions&,
                   ConstMatrix raw, Matrix d_x) const;

  int channel_pairs(std::int32_t* channels) const;
  // The frequencies for a length; 0 of them if they differ by head, or if only angles are known.
  int frequencies(int sequence_length, double* frequencies) const;

 private:
  int first(int pair) const { return interleaved_ ? 2 * pair : pair; }
  int second(int pair) const { return interleaved_ ? 2 * pair + 1 : pair + pairs_; }
  // Calls body(evaluation, inputs, index of a position, first pair, count), where results are
  // angles there or frequencies.
  template <class Body>
  void each_block(const LayerContext&, const formula::Declarations&, int head, const Positions&,
                  int sequence_length, Body body) const;
  // The factor from a result to an angle.
  double factor(double position) const { return form_ == Form::kFrequency ? position : 1; }

  Form form_ = Form::kNone;
  bool interleaved_ = false;
  int pairs_ = 0;
  formula::Program program_;
};

}  // namespace wf
