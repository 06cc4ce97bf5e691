// Transformer-XL's relative attention: the key's position is a projected sinusoid of the distance,
// and two learned vectors, u and v, replace the query's position. Dai et al. 2019, arXiv
// 1901.02860, section 3.3; offset = i - j, sinusoid as [sin | cos]. Offsets are indexed, so the
// authors' rel_shift is not needed.
#include "kernels/dot.h"
#include "schemes/distance_table.h"
#include "schemes/entry.h"
#include "schemes/frequencies.h"
#include "schemes/projected_sinusoids.h"

namespace wf {
namespace {

enum OptionIndex { kClampLength, kPerLayer };
enum ParameterIndex { kContentBias, kPositionBias, kProjection };
enum TermIndex { kQueryDistance, kKeyBias, kDistanceBias };

constexpr Option kOptions[] = {
    // Clamps offsets to this; 0: no limit.
    integer_option("clampLength", "clamp_len", 0, 0, 1048576),
    // Separate u and v for each layer instead of one pair for the model.
    flag_option("perLayer", "untie_r", false),
};

constexpr const char* kTerms[] = {"queryDistance", "keyBias", "distanceBias"};

constexpr SchemeDescription kDescription = {
    .id = "transformer_xl",
    .family = "relative",
    .paper = "Dai et al. 2019, arXiv 1901.02860",
    .year = 2019,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = kTerms,
    .cross_attention = CrossAttention::kRefused,
};

class TransformerXl : public Scheme {
 public:
  TransformerXl(const SchemeShape& shape, ProjectedSinusoids sinusoids, bool per_layer)
      : heads_(shape.num_heads), head_dim_(shape.head_dim), sinusoids_(std::move(sinusoids)) {
    const ParameterScope scope = per_layer ? ParameterScope::kLayer : ParameterScope::kModel;
    specs_[kContentBias] = {.name = "r_w_bias",
                            .rows = heads_,
                            .columns = head_dim_,
                            .scope = scope,
                            .initialiser = Initialiser::kNormal};
    specs_[kPositionBias] = specs_[kContentBias];
    specs_[kPositionBias].name = "r_r_bias";
    specs_[kProjection] = {.name = "r_net",
                           .rows = heads_ * head_dim_,
                           .columns = sinusoids_.width(),
                           .initialiser = Initialiser::kNormal,
                           .decays = true};
  }

  std::span<const ParameterSpec> parameters() const override { return specs_; }

  std::size_t layer_table_floats(const LayerContext& context) const override {
    return sinusoids_.floats(context);
  }
  bool tables_by_head() const override { return true; }
  void prepare_layer(const LayerContext& context, float* table,
                     MatmulScratch& scratch) const override {
    sinusoids_.fill(context, context.values[kProjection], table, scratch);
  }
  void prepare_layer_backward(const LayerContext& context, MatmulScratch& scratch) const override {
    if (context.gradients) sinusoids_.backward(context, context.gradients[kProjection], scratch);
  }

  // scale · (q·R + u·k), the paper's terms (b) and (c). Term (d), scale · v·R, is the distance
  // strip, except if each pair has its own distance.
  Traversal traversal() const override {
    return {.work_floats = DistanceTable::work_floats(head_dim_)};
  }
  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    const float* u = context.values[kContentBias] + tile.head * head_dim_;
    for (int j = 0; j < tile.columns; ++j) {
      const float by_key = context.scale * dot(u, tile.k.row(j), head_dim_);
      for (int i = 0; i < tile.rows; ++i) tile.term(kKeyBias)[i * tile.stride + j] += by_key;
    }
    if (!context.distances.by_pair())
      return distances(context, tile.head)
          .add_query_products(context, tile, context.scale, tile.term(kQueryDistance));
    const float* v = context.values[kPositionBias] + tile.head * head_dim_;
    for (int i = 0; i < tile.rows; ++i)
      for (int j = 0; j < tile.columns; ++j) {
        const std::ptrdiff_t at = i * tile.stride + j;
        const float* distance = row_of(context, context.table, tile, i, j);
        tile.term(kQueryDistance)[at] += context.scale * dot(tile.q.row(i), distance, head_dim_);
        tile.term(kDistanceBias)[at] += context.scale * dot(v, distance, head_dim_);
      }
  }
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    const std::ptrdiff_t head = std::ptrdiff_t{tile.head} * head_dim_;
    float by_key[kTileStride] = {};
    for (int i = 0; i < tile.rows; ++i)
      add_to(gradient.d_logits + i * tile.stride, tile.columns, by_key);
    for (int j = 0; j < tile.columns; ++j) {
      const float d = context.scale * by_key[j];
      add_scaled(d, context.values[kContentBias] + head, head_dim_, gradient.d_k.row(j));
      if (context.gradients)
        add_scaled(d, tile.k.row(j), head_dim_, context.gradients[kContentBias] + head);
    }
    if (!context.distances.by_pair())
      return distances(context, tile.head)
          .query_products_backward(context, tile, context.scale, gradient.d_logits, gradient.d_q);
    for (int i = 0; i < tile.rows; ++i)
      for (int j = 0; j < tile.columns; ++j) {
        const float d = context.scale * gradient.d_logits[i * tile.stride + j];
        const float* distance = row_of(context, context.table, tile, i, j);
        add_scaled(d, distance, head_dim_, gradient.d_q.row(i));
        if (!context.gradients) continue;
        float* d_distance = row_of(context, context.d_table, tile, i, j);
        add_scaled(d, tile.q.row(i), head_dim_, d_distance);
        add_scaled(d, context.values[kPositionBias] + head, head_dim_, d_distance);
        add_scaled(d, distance, head_dim_, context.gradients[kPositionBias] + head);
      }
  }

  void distance_strip(const LayerContext& context, int head, int low, int high,
                      float* strip) const override {
    if (context.distances.by_pair()) return;
    const float* v = context.values[kPositionBias] + head * head_dim_;
    for (int r = low; r < high; ++r)
      strip[r - low] += context.scale *
                        dot(v, context.table + sinusoids_.at_distance(context, r, head), head_dim_);
  }
  void distance_strip_backward(const LayerContext& context, int head, int low, int high,
                               const float* d_strip) const override {
    if (context.distances.by_pair() || !context.gradients) return;
    for (int r = low; r < high; ++r) {
      const float d = context.scale * d_strip[r - low];
      add_scaled(d, context.values[kPositionBias] + head * head_dim_, head_dim_,
                 context.d_table + sinusoids_.at_distance(context, r, head));
      add_scaled(d, context.table + sinusoids_.at_distance(context, r, head), head_dim_,
                 context.gradients[kPositionBias] + head * head_dim_);
    }
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override {
    return {.layer = ((queries + keys - 1) * 2 * sinusoids_.width() + queries * keys * 6) * heads_ *
                     head_dim_};
  }

 private:
  template <class Float>
  Float* row_of(const LayerContext& context, Float* table, const LogitTile& tile, int i,
                int j) const {
    return table + sinusoids_.at(context, context.distances.row(tile.row0 + i, tile.column0 + j),
                                 tile.head);
  }
  DistanceTable distances(const LayerContext& context, int head) const {
    const std::ptrdiff_t first = sinusoids_.at(context, 0, head);
    return {
        context.table + first, context.d_table ? context.d_table + first : nullptr,
        sinusoids_.row_floats(context),
        [](const void* rows, int r) { return static_cast<const RelativeRange*>(rows)->row_of(r); },
        &context.distances};
  }

  int heads_, head_dim_;
  ProjectedSinusoids sinusoids_;
  ParameterSpec specs_[3];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const int width = shape.model_width();
  if (width % 2 != 0)
    return WF_UNEXPECTED("width", "%d", "an even number, for pairs of sine and cosine", width);
  Buffer<double> frequencies;
  WF_RETURN_IF_ERROR(frequencies.reserve(width / 2));
  geometric_frequencies(10000, width, frequencies.data());
  ProjectedSinusoids sinusoids(shape.num_heads, shape.head_dim,
                               static_cast<int>(options[kClampLength]), std::move(frequencies));
  return new_scheme<TransformerXl>(shape, std::move(sinusoids), options[kPerLayer] != 0);
}

}  // namespace

extern const SchemeEntry transformer_xl_entry;
const SchemeEntry transformer_xl_entry = {&kDescription, hooks_of<TransformerXl>(), make};

}  // namespace wf
