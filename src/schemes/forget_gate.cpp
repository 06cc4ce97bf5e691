// Forget gate of the Forgetting Transformer: a token's gate, between 0 and 1, is computed from its
// state, and a key's weight is multiplied by the gates of all tokens after it, up to the query's.
// Lin et al. 2025, arXiv 2503.02130, equations 4 and 6: bias = Σ ln σ(w · x + b) over the tokens
// j + 1 … i. If all gates are equal, that is ALiBi.
#include <cmath>
#include <limits>

#include "kernels/matmul.h"
#include "schemes/entry.h"

namespace wf {
namespace {

enum ParameterIndex { kWeight, kBias };

constexpr const char* kTerms[] = {"forgetting"};

constexpr SchemeDescription kDescription = {
    .id = "forget_gate",
    .family = "relative",
    .paper = "Lin et al. 2025, arXiv 2503.02130",
    .year = 2025,
    .options = {},
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = false,
               .decodes = true},
    .bias_terms = kTerms,
    .cross_attention = CrossAttention::kRefused,
};

class ForgetGate : public Scheme {
 public:
  explicit ForgetGate(const SchemeShape& shape)
      : heads_(shape.num_heads), width_(shape.model_width()) {
    specs_[kWeight] = {.name = "fgate_proj.weight",
                       .rows = heads_,
                       .columns = width_,
                       .initialiser = Initialiser::kNormal,
                       .decays = true};
    specs_[kBias] = {.name = "fgate_proj.bias", .columns = heads_};
  }

  std::span<const ParameterSpec> parameters() const override { return specs_; }

  // A feature is the logarithm of a gate.
  int feature_count() const override { return heads_; }
  void compute_features(const LayerContext& context, ConstMatrix states, Matrix features,
                        MatmulScratch& scratch) const override {
    matmul(states.rows, heads_, width_, 1, {states.data, states.stride},
           Operand{context.values[kWeight], width_}.transposed(), features.data, features.stride,
           Accumulate::kNo, scratch);
    for (int t = 0; t < features.rows; ++t)
      for (int h = 0; h < heads_; ++h) {
        const float z = features.row(t)[h] + context.values[kBias][h];
        features.row(t)[h] = std::min(z, 0.0f) - std::log1p(std::exp(-std::abs(z)));
      }
  }
  void compute_features_backward(const LayerContext& context, ConstMatrix states, Matrix d_states,
                                 MatmulScratch& scratch) const override {
    const Matrix& d = context.d_features;
    for (int t = 0; t < d.rows; ++t)
      for (int h = 0; h < heads_; ++h) {
        d.row(t)[h] *= -std::expm1(context.features.row(t)[h]);  // 1 - the gate
        if (context.gradients) context.gradients[kBias][h] += d.row(t)[h];
      }
    const Operand given = {d.data, d.stride};
    matmul(d.rows, width_, heads_, 1, given, {context.values[kWeight], width_}, d_states.data,
           d_states.stride, Accumulate::kYes, scratch);
    if (context.gradients)
      matmul(heads_, width_, d.rows, 1, given.transposed(), {states.data, states.stride},
             context.gradients[kWeight], width_, Accumulate::kYes, scratch);
  }
  float gate(const LayerContext& context, int head, int key) const override {
    return std::exp(context.features.row(key)[head]);
  }

  Traversal traversal() const override { return {.right_to_left = true, .carry_floats = 1}; }

  // Gates of keys that are hidden from a query do not count.
  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    for (int i = 0; i < tile.rows; ++i) {
      float* target = tile.term(0) + i * tile.stride;
      const float* mask = tile.mask + i * tile.stride;
      double sum = tile.carry[i];  // over thousands of gates
      for (int j = tile.columns - 1; j >= 0; --j) {
        target[j] += static_cast<float>(sum);
        if (mask[j] != kHidden) sum += context.features.row(tile.column0 + j)[tile.head];
      }
      tile.carry[i] = static_cast<float>(sum);
    }
  }
  // A gate is in the bias of all keys to its left.
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    for (int i = 0; i < tile.rows; ++i) {
      const float* d_logits = gradient.d_logits + i * tile.stride;
      const float* mask = tile.mask + i * tile.stride;
      float& slope = gradient.carry[i];
      for (int j = 0; j < tile.columns; ++j) {
        if (mask[j] != kHidden) context.d_features.row(tile.column0 + j)[tile.head] += slope;
        slope += d_logits[j];
      }
    }
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override {
    // Gates of new tokens; for each logit its sum, and the addition to the next.
    return {.layer = heads_ * (queries * (width_ + 4.0) + 2 * queries * keys)};
  }

 private:
  static constexpr float kHidden = -std::numeric_limits<float>::infinity();

  int heads_, width_;
  ParameterSpec specs_[2];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues&) {
  return new_scheme<ForgetGate>(shape);
}

}  // namespace

extern const SchemeEntry forget_gate_entry;
const SchemeEntry forget_gate_entry = {&kDescription, hooks_of<ForgetGate>(), make};

}  // namespace wf
