// The bias of a scheme that is written as formulas: one to three named terms of the logit.
#pragma once

#include "formula/shared_parts.h"
#include "schemes/formula_inputs.h"
#include "schemes/tile.h"

namespace wf {

constexpr int kMaxFormulaTerms = 3;
constexpr std::size_t kMaxNameLength = 40;

class FormulaBias {
 public:
  // Adds a term, which messages call by `slot` and its name. Errors: as formula::compile;
  // kInvalidArgument for a fourth term, a name that is in use, or more than four sums in all.
  Status add(std::string_view slot, std::string_view name, std::string_view text,
             const formula::Scope& scope, formula::Fault& fault);

  std::span<const char* const> names() const {
    return {name_pointers_, static_cast<std::size_t>(count_)};
  }
  bool is_empty() const { return count_ == 0; }
  // Whether all terms depend on differences of positions, not on positions.
  bool is_shift_invariant() const;
  // Bits of the variables that terms read, and of the parameters by their index.
  std::uint32_t reads() const;
  std::uint32_t parameters() const;
  // Whether the last term is a strip: it depends on distance, head, layer and parameters alone.
  bool has_strip() const;
  // Whether any other term exists.
  bool has_tiles() const { return count_ > has_strip(); }
  Traversal traversal() const;
  // Operations for each logit, and for each entry of the strip.
  double tile_operations() const;
  double strip_operations() const;

  // Errors: kInvalidArgument if a term has no value, or is infinite, at this logit.
  Status explain(const LayerContext&, const formula::Declarations&, int head, int row, int column,
                 float content) const;

  void strip(const LayerContext&, const formula::Declarations&, int head, int low, int high,
             float* strip) const;
  void strip_backward(const LayerContext&, const formula::Declarations&, int head, int low,
                      int high, const float* d_strip) const;
  void tile(const LayerContext&, const formula::Declarations&, const LogitTile&) const;
  void tile_backward(const LayerContext&, const formula::Declarations&, const LogitTile&,
                     const LogitTileGradient&) const;

 private:
  const formula::Program& last() const { return programs_[count_ - 1]; }
  int tile_terms() const { return count_ - has_strip(); }
  int sums() const;
  // Doubles of memory for the tile terms in kMaxLanes lanes, with a backward pass.
  std::size_t tile_doubles() const;

  formula::Program programs_[kMaxFormulaTerms];
  formula::SharedParts shared_[kMaxFormulaTerms];
  const char* name_pointers_[kMaxFormulaTerms] = {};
  Buffer<char> names_[kMaxFormulaTerms];
  char slots_[kMaxFormulaTerms][64] = {};
  int count_ = 0;
};

}  // namespace wf
