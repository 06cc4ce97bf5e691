// One-hot positions through a learned projection: x_p += W·δ_p with W [E, L]. The product selects
// column p of W, so this is the learned table, transposed. The identity behind Gehring et al. 2017,
// arXiv 1705.03122, section 3.1.
#include "schemes/entry.h"
#include "schemes/position_checks.h"

namespace wf {
namespace {

enum OptionIndex { kMaxPositions };

constexpr Option kOptions[] = {
    integer_option("maxPositions", "", 512, 1, 1048576),
};

constexpr SchemeDescription kDescription = {
    .id = "one_hot",
    .family = "absolute",
    .paper = "Gehring et al. 2017, arXiv 1705.03122",
    .year = 2017,
    .options = kOptions,
    .claims = {.shift_invariant = false,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
};

class OneHot : public Scheme {
 public:
  OneHot(int width, int positions) : positions_(positions) {
    spec_ = {.name = "projection",
             .rows = width,
             .columns = positions,
             .scope = ParameterScope::kModel,
             .initialiser = Initialiser::kNormal,
             .decays = true};
  }

  std::span<const ParameterSpec> parameters() const override { return {&spec_, 1}; }

  Status check_positions(const Positions& positions) const override {
    return check_table_positions(positions, 0, positions_);
  }

  // All other addends of the product are zero.
  void add_to_embeddings(const LayerContext& context, Matrix x) const override {
    for (int t = 0; t < x.rows; ++t) {
      const float* column = context.values[0] + context.query_positions.at(t);
      float* row = x.row(t);
      for (int c = 0; c < x.columns; ++c) row[c] += column[c * std::ptrdiff_t{positions_}];
    }
  }
  void add_to_embeddings_backward(const LayerContext& context, Matrix d_x) const override {
    if (!context.gradients) return;
    for (int t = 0; t < d_x.rows; ++t) {
      float* column = context.gradients[0] + context.query_positions.at(t);
      const float* row = d_x.row(t);
      for (int c = 0; c < d_x.columns; ++c) column[c * std::ptrdiff_t{positions_}] += row[c];
    }
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double) const override {
    return {.once = queries * shape.width};
  }

 private:
  int positions_;
  ParameterSpec spec_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const int width = shape.model_width();
  return new_scheme<OneHot>(width, static_cast<int>(options[kMaxPositions]));
}

}  // namespace

extern const SchemeEntry one_hot_entry;
const SchemeEntry one_hot_entry = {&kDescription, hooks_of<OneHot>(), make};

}  // namespace wf
