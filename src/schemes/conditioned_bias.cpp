// Relative position bias conditioned on the token: each token has a few numbers for each head,
// computed from its state, which mix a shared bank of curves over the distance. Thinking Machines
// 2026, Inkling (as in Transformers 5.24.0, InklingRelativeLogits): bias = r_i · P[:, i - j] for
// 0 <= i - j < L, beyond it 0.
#include <algorithm>
#include <cmath>

#include "schemes/distance_table.h"
#include "schemes/entry.h"
#include "schemes/tile_work.h"

namespace wf {
namespace {

enum OptionIndex { kCurves, kExtent, kScale, kScaleLength };
enum ParameterIndex { kWeight, kBank };

constexpr Option kOptions[] = {
    integer_option("curves", "d_rel", 16, 1, 256),
    integer_option("extent", "rel_extent", 1024, 1, 65536),
    // The bias of query i times 1 + scale · ln max(1, (i + 1) / scaleLength); 0: not scaled.
    number_option("scale", "log_scaling_alpha", 0.1, 0, 10),
    integer_option("scaleLength", "log_scaling_n_floor", 0, 0, 1e9),
};

constexpr const char* kTerms[] = {"conditioned"};

constexpr SchemeDescription kDescription = {
    .id = "conditioned_bias",
    .family = "relative",
    .paper = "Thinking Machines 2026, Inkling",
    .year = 2026,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = kTerms,
};

constexpr SchemeDescription kScaledDescription = [] {
  SchemeDescription scaled = kDescription;
  scaled.claims.shift_invariant = false;
  return scaled;
}();

class ConditionedBias : public Scheme {
 public:
  ConditionedBias(const SchemeShape& shape, const OptionValues& options)
      : heads_(shape.num_heads),
        width_(shape.model_width()),
        curves_(static_cast<int>(options[kCurves])),
        extent_(static_cast<int>(options[kExtent])),
        scale_(options[kScale]),
        scale_length_(options[kScaleLength]) {
    specs_[kWeight] = {.name = "r_proj.weight",
                       .rows = heads_ * curves_,
                       .columns = width_,
                       .initialiser = Initialiser::kNormal,
                       .decays = true};
    specs_[kBank] = {.name = "rel_logits_proj.proj",
                     .rows = curves_,
                     .columns = extent_,
                     .initialiser = Initialiser::kNormal,
                     .decays = true};
  }

  const SchemeDescription* configured_description() const override {
    return is_scaled() ? &kScaledDescription : nullptr;
  }
  std::span<const ParameterSpec> parameters() const override { return specs_; }

  // The numbers r of a query, for each head in turn.
  int feature_count() const override { return heads_ * curves_; }
  FeatureSide feature_side() const override { return FeatureSide::kQueries; }
  void compute_features(const LayerContext& context, ConstMatrix states, Matrix features,
                        MatmulScratch& scratch) const override {
    matmul(states.rows, feature_count(), width_, 1, {states.data, states.stride},
           Operand{context.values[kWeight], width_}.transposed(), features.data, features.stride,
           Accumulate::kNo, scratch);
    scale_rows(context, features);
  }
  void compute_features_backward(const LayerContext& context, ConstMatrix states, Matrix d_states,
                                 MatmulScratch& scratch) const override {
    scale_rows(context, context.d_features);
    const Operand d = {context.d_features.data, context.d_features.stride};
    matmul(states.rows, width_, feature_count(), 1, d, {context.values[kWeight], width_},
           d_states.data, d_states.stride, Accumulate::kYes, scratch);
    if (context.gradients)
      matmul(feature_count(), width_, states.rows, 1, d.transposed(), {states.data, states.stride},
             context.gradients[kWeight], width_, Accumulate::kYes, scratch);
  }

  // The bank, with a row for each distance from 0 on, between a row of zeros for keys after the
  // query and one for keys that are too far.
  std::size_t layer_table_floats(const LayerContext&) const override {
    return elements_of(extent_ + 2, curves_);
  }
  void prepare_layer(const LayerContext& context, float* table, MatmulScratch&) const override {
    std::fill_n(table, layer_table_floats(context), 0.0f);
    for_each_entry([&](std::size_t in_table, std::size_t in_bank) {
      table[in_table] = context.values[kBank][in_bank];
    });
  }
  void prepare_layer_backward(const LayerContext& context, MatmulScratch&) const override {
    if (context.gradients)
      for_each_entry([&](std::size_t in_table, std::size_t in_bank) {
        context.gradients[kBank][in_bank] += context.d_table[in_table];
      });
  }

  Traversal traversal() const override {
    return {.work_floats = table_floats() + static_cast<int>(strip_floats(kTileStride, curves_))};
  }
  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    TileWork work;
    by_distance(context).add_query_products(context, mixing(context, tile, work), 1, tile.term(0));
  }
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    TileWork work;
    const Matrix& d = context.d_features;
    by_distance(context).query_products_backward(
        context, mixing(context, tile, work), 1, gradient.d_logits,
        {d.row(tile.row0) + tile.head * curves_, tile.rows, curves_, d.stride});
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override {
    // The numbers of each query, its products with the distances that occur, and the additions.
    const double met = std::min<double>(extent_, keys);
    return {.layer = queries * heads_ * (curves_ * (2.0 * width_ + 2 * met) + keys)};
  }

 private:
  bool is_scaled() const { return scale_length_ > 0 && scale_ > 0; }
  int table_floats() const { return DistanceTable::work_floats(curves_); }

  void scale_rows(const LayerContext& context, Matrix rows) const {
    if (!is_scaled()) return;
    for (int t = 0; t < rows.rows; ++t) {
      const double count = context.query_positions.at(t) + 1.0;
      const float factor =
          static_cast<float>(1 + scale_ * std::log(std::max(count / scale_length_, 1.0)));
      for (int c = 0; c < rows.columns; ++c) rows.row(t)[c] *= factor;
    }
  }

  template <class Body>
  void for_each_entry(Body body) const {
    for (int distance = 0; distance < extent_; ++distance)
      for (int curve = 0; curve < curves_; ++curve)
        body(elements_of(distance + 1, curves_) + curve, elements_of(curve, extent_) + distance);
  }

  DistanceTable by_distance(const LayerContext& context) const {
    const auto row_of = [](const void* self, int r) {
      return std::clamp(-r, -1, static_cast<const ConditionedBias*>(self)->extent_) + 1;
    };
    return {context.table, context.d_table, curves_, row_of, this};
  }

  // The tile with the numbers r in place of queries.
  LogitTile mixing(const LayerContext& context, const LogitTile& tile, TileWork& work) const {
    const ConstMatrix& all = context.features;
    LogitTile mixed = tile;
    mixed.q = {all.row(tile.row0) + tile.head * curves_, tile.rows, curves_, all.stride};
    if (!tile.work) return mixed;
    work = *tile.work;
    mixed.work = &work;
    if (!work.q_strips) return mixed;
    float* strips = work.memory + table_floats();
    pack_strips({mixed.q.data, mixed.q.stride}, tile.rows, curves_, strips);
    work.q_strips = strips;
    return mixed;
  }

  int heads_, width_, curves_, extent_;
  double scale_, scale_length_;
  ParameterSpec specs_[2];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  return new_scheme<ConditionedBias>(shape, options);
}

}  // namespace

extern const SchemeEntry conditioned_bias_entry;
const SchemeEntry conditioned_bias_entry = {&kDescription, hooks_of<ConditionedBias>(), make};

}  // namespace wf
