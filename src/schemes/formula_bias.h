// The bias of a scheme that is written as formulas: one to three named terms of the logit.
#pragma once

#include "schemes/formula_inputs.h"
#include "schemes/tile.h"

namespace wf {

constexpr int kMaxFormulaTerms = 3;

class FormulaBias {
 public:
  // Adds a term. Errors: as formula::compile; kInvalidArgument for a fourth term or more than four
  // sums in all.
  Status add(std::string_view name, std::string_view text, const formula::Scope& scope,
             formula::Fault& fault);

  std::span<const char* const> names() const {
    return {name_pointers_, static_cast<std::size_t>(count_)};
  }
  bool is_empty() const { return count_ == 0; }
  // Whether all terms depend on differences of positions, not on positions.
  bool is_shift_invariant() const;
  // Whether a term reads the axes of a grid; whether one reads the positions of a text.
  bool reads_grid() const { return reads(kGridReads); }
  bool reads_text() const { return reads(kTextReads); }
  // Whether the last term is a strip: it depends on distance, head, layer and parameters alone.
  bool has_strip() const;
  // Whether any other term exists.
  bool has_tiles() const { return count_ > has_strip(); }
  Traversal traversal() const;
  // Operations for each logit, and for each entry of the strip.
  double tile_operations() const;
  double strip_operations() const;

  // Errors: kInvalidArgument if the strip has no value at a distance that occurs.
  Status check(const LayerContext&, int heads, const formula::Declarations&) const;

  void strip(const LayerContext&, const formula::Declarations&, int head, int low, int high,
             float* strip) const;
  void strip_backward(const LayerContext&, const formula::Declarations&, int head, int low,
                      int high, const float* d_strip) const;
  void tile(const LayerContext&, const formula::Declarations&, const LogitTile&) const;
  void tile_backward(const LayerContext&, const formula::Declarations&, const LogitTile&,
                     const LogitTileGradient&) const;

 private:
  static constexpr std::uint32_t kGridReads = formula::bit_of(formula::Variable::kQueryRow) |
                                              formula::bit_of(formula::Variable::kQueryColumn) |
                                              formula::bit_of(formula::Variable::kKeyRow) |
                                              formula::bit_of(formula::Variable::kKeyColumn) |
                                              formula::bit_of(formula::Variable::kDistanceRow) |
                                              formula::bit_of(formula::Variable::kDistanceColumn);
  static constexpr std::uint32_t kTextReads = formula::bit_of(formula::Variable::kQueryPosition) |
                                              formula::bit_of(formula::Variable::kKeyPosition) |
                                              formula::bit_of(formula::Variable::kDistance);

  // Whether a term reads one of these variables.
  bool reads(std::uint32_t variables) const;
  const formula::Program& last() const { return programs_[count_ - 1]; }
  int tile_terms() const { return count_ - has_strip(); }
  int sums() const;
  // Doubles of memory for the tile terms in kMaxLanes lanes, with a backward pass.
  std::size_t tile_doubles() const;

  formula::Program programs_[kMaxFormulaTerms];
  const char* name_pointers_[kMaxFormulaTerms] = {};
  Buffer<char> names_[kMaxFormulaTerms];
  int count_ = 0;
};

}  // namespace wf
