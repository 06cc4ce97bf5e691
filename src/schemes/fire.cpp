// Functional interpolation for relative positions: a small network f, the same for all positions,
// maps the distance to a bias; the distance is divided by the query's position, so that the
// argument of f is at most 1 at any length. Li et al. 2024, arXiv 2310.04418, section 3: bias =
// f(ψ(i - j) / ψ(max(i, L))), ψ(x) = ln(|c·x| + 1). L is learned as a multiple of `threshold`, as
// in the authors' code.
//
// f has one input and ReLUs, so it is piecewise linear (piecewise_linear.h); its segments are
// computed once for each layer.
#include <algorithm>
#include <cmath>

#include "schemes/entry.h"
#include "schemes/piecewise_linear.h"
#include "tensor/extent.h"

namespace wf {
namespace {

enum OptionIndex { kHiddenWidth, kThreshold, kInitialScale, kPerLayer };
enum ParameterIndex { kScale, kMultiplier, kInWeight, kInBias, kOutWeight, kOutBias, kParameters };

constexpr Option kOptions[] = {
    integer_option("hiddenWidth", "", 32, 1, 1024),
    integer_option("threshold", "", 512, 1, 1048576),
    number_option("initialScale", "", 0.1, 1e-4, 1000),
    // False: all layers share one network, as in FIRE-S of the paper.
    flag_option("perLayer", "", true),
};

constexpr const char* kTerms[] = {"interpolation"};

constexpr SchemeDescription kDescription = {
    .id = "fire",
    .family = "relative",
    .paper = "Li et al. 2024, arXiv 2310.04418",
    .year = 2024,
    .options = kOptions,
    // Above L the bias depends on the query's position. Keys after the query would exceed the range
    // of f.
    .claims = {.shift_invariant = false,
               .extrapolates_by_construction = true,
               .bidirectional = false,
               .decodes = true},
    .bias_terms = kTerms,
};

constexpr double kEpsilon = 1e-6;

class Fire : public Scheme {
 public:
  Fire(const SchemeShape& shape, const OptionValues& options)
      : heads_(shape.num_heads),
        hidden_(static_cast<int>(options[kHiddenWidth])),
        threshold_(options[kThreshold]),
        network_(heads_, hidden_) {
    const auto scope = options[kPerLayer] != 0 ? ParameterScope::kLayer : ParameterScope::kModel;
    const auto spec = [&](const char* name, int rows, int columns, Initialiser initialiser,
                          double size) {
      return ParameterSpec{.name = name,
                           .rows = rows,
                           .columns = columns,
                           .scope = scope,
                           .initialiser = initialiser,
                           .deviation = static_cast<float>(size)};
    };
    // Initial weights as in PyTorch's linear layers: uniform within 1/√(inputs).
    const double bound = 1 / std::sqrt(static_cast<double>(hidden_));
    specs_[kScale] = spec("c", 1, 1, Initialiser::kConstant, options[kInitialScale]);
    specs_[kMultiplier] = spec("L_multiplier", 1, 1, Initialiser::kConstant, 1);
    specs_[kInWeight] = spec("mlp.0.weight", hidden_, 1, Initialiser::kUniform, 1);
    specs_[kInBias] = spec("mlp.0.bias", 1, hidden_, Initialiser::kUniform, 1);
    specs_[kOutWeight] = spec("mlp.2.weight", heads_, hidden_, Initialiser::kUniform, bound);
    specs_[kOutBias] = spec("mlp.2.bias", 1, heads_, Initialiser::kUniform, bound);
    specs_[kInWeight].decays = specs_[kOutWeight].decays = true;
  }

  std::span<const ParameterSpec> parameters() const override { return specs_; }

  // The segments of f, then ψ of every distance that occurs.
  std::size_t layer_table_floats(const LayerContext& context) const override {
    return added(network_.floats(), context.distances.rows());
  }
  void prepare_layer(const LayerContext& context, float* table, MatmulScratch&) const override {
    network_.fill(context.values + kInWeight, table);
    context.distances.for_each_row([&](std::size_t row, int r) {
      table[network_.floats() + row] = static_cast<float>(psi(context, r));
    });
  }
  void prepare_layer_backward(const LayerContext& context, MatmulScratch&) const override {
    if (!context.gradients) return;
    network_.backward(context.values + kInWeight, context.table, context.d_table,
                      context.gradients + kInWeight);
    double d_scale = 0;
    context.distances.for_each_row([&](std::size_t row, int r) {
      d_scale += context.d_table[network_.floats() + row] * psi_by_scale(context, r);
    });
    context.gradients[kScale][0] += static_cast<float>(d_scale);
  }

  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    const RelativeRange& range = context.distances;
    for (int i = 0; i < tile.rows; ++i) {
      float* target = tile.term(0) + i * tile.stride;
      const double norm = psi(context, farthest(context, tile, i)) + kEpsilon;
      walk(context, range, tile, i, norm, [&](int j, std::size_t, std::size_t at, float argument) {
        target[j] += context.table[at] * argument + context.table[at + 1];
      });
    }
  }
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    if (!context.gradients) return;
    const RelativeRange& range = context.distances;
    for (int i = 0; i < tile.rows; ++i) {
      const float* d_logits = gradient.d_logits + i * tile.stride;
      const double max = farthest(context, tile, i), norm = psi(context, max) + kEpsilon;
      double d_norm = 0;
      const auto add = [&](int j, std::size_t row, std::size_t at, float argument) {
        const float d = d_logits[j], d_argument = d * context.table[at];
        context.d_table[at] += d * argument;
        context.d_table[at + 1] += d;
        context.d_table[row] += d_argument / static_cast<float>(norm);
        d_norm -= d_argument * argument / norm;
      };
      walk(context, range, tile, i, norm, add);
      context.gradients[kScale][0] += static_cast<float>(d_norm * psi_by_scale(context, max));
      if (max > context.query_positions.at(tile.row0 + i)) {
        const double c = std::abs(context.values[kScale][0]);
        const double sign = context.values[kMultiplier][0] < 0 ? -1 : 1;
        context.gradients[kMultiplier][0] +=
            static_cast<float>(d_norm * c / (c * max + 1) * sign * threshold_);
      }
    }
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override {
    // The argument, then one step along the segments; the segments are computed once.
    return {.layer = heads_ * 3 * queries * keys + network_.flops()};
  }

 private:
  double psi(const LayerContext& context, double x) const {
    return std::log1p(std::abs(context.values[kScale][0] * x));
  }
  double psi_by_scale(const LayerContext& context, double x) const {
    const double c = context.values[kScale][0], size = std::abs(x);
    return (c < 0 ? -size : size) / (std::abs(c) * size + 1);
  }
  // max(i, L)
  double farthest(const LayerContext& context, const LogitTile& tile, int i) const {
    return std::max<double>(context.query_positions.at(tile.row0 + i),
                            std::abs(context.values[kMultiplier][0] * threshold_));
  }

  // Calls body(column, index of its ψ, index of its segment, argument of f) along row i. Adjacent
  // keys are usually on the same segment.
  template <class Body>
  void walk(const LayerContext& context, const RelativeRange& range, const LogitTile& tile, int i,
            double norm, Body body) const {
    const float inverse = static_cast<float>(1 / norm);
    const bool regular = context.key_positions.run_without_gaps(tile.column0, tile.columns);
    const std::size_t first = network_.floats() + range.row(tile.row0 + i, tile.column0);
    PiecewiseLinear::Segment segment = network_.find(context.table, tile.head, 0, 0);
    for (int j = 0; j < tile.columns; ++j) {
      const std::size_t row =
          regular ? first + j : network_.floats() + range.row(tile.row0 + i, tile.column0 + j);
      const float argument = context.table[row] * inverse;
      if (!segment.holds(argument))
        segment = network_.find(context.table, tile.head, argument, segment.index);
      body(j, row, segment.at, argument);
    }
  }

  int heads_, hidden_;
  double threshold_;
  PiecewiseLinear network_;
  ParameterSpec specs_[kParameters];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  return new_scheme<Fire>(shape, options);
}

}  // namespace

extern const SchemeEntry fire_entry;
const SchemeEntry fire_entry = {&kDescription, hooks_of<Fire>(), make};

}  // namespace wf
