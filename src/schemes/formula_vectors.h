// A formula with a value for each channel of each row: what is added to token vectors, or a factor
// on queries or keys.
#pragma once

#include "schemes/formula_inputs.h"
#include "status.h"

namespace wf {

class FormulaVectors {
 public:
  // `names` are those of a row's position in the formula. Errors: as formula::compile.
  Status set(const char* slot, std::string_view text, const PositionNames& names,
             formula::Scope scope, formula::Fault& fault);

  // Errors: kInvalidArgument if the value of a channel is no finite number at this position.
  Status explain(const LayerContext&, const formula::Declarations&, int head, const Positions&,
                 int index, int channels) const;

  bool is_empty() const { return program_.nodes().empty(); }
  // Whether the value is the same at all positions.
  bool is_shift_invariant() const;
  // Bits of the variables that it reads, and of the parameters by their index.
  std::uint32_t reads() const { return is_empty() ? 0 : program_.reads(); }
  std::uint32_t parameters() const { return program_.parameters(); }
  double operations() const { return static_cast<double>(program_.nodes().size()); }

  void add(const LayerContext&, const formula::Declarations&, const Positions&, Matrix x) const;
  // Adds the gradients of parameters; that of x does not change.
  void add_backward(const LayerContext&, const formula::Declarations&, const Positions&,
                    ConstMatrix d_x) const;

  void multiply(const LayerContext&, const formula::Declarations&, int head, const Positions&,
                Matrix x) const;
  // Adds the gradients of parameters, and multiplies the gradient of the products by the factors.
  // `x` has the rows before the product.
  void multiply_backward(const LayerContext&, const formula::Declarations&, int head,
                         const Positions&, ConstMatrix x, Matrix d_x) const;

 private:
  struct Block;
  // Calls body(evaluation, inputs, block); more values at once if body calls no backward().
  template <class Body>
  void each_block(const LayerContext&, const formula::Declarations&, int head, const Positions&,
                  int channels, bool has_backward, Body body) const;

  formula::Program program_;
  const char* slot_ = "";
  PositionNames names_ = kQueryNames;
};

}  // namespace wf
