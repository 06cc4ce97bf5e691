// Relative position representations: a learned vector for each clipped distance is added to the key,
// and another to the value.
// Shaw, Uszkoreit & Vaswani 2018, arXiv 1803.02155, equations 3 and 4; r = clip(j - i, -k, k).
#include <algorithm>

#include "kernels/dot.h"
#include "schemes/distance_table.h"
#include "schemes/scheme.h"

namespace wf {
namespace {

enum OptionIndex {
  kMaxDistance, kMaxRight, kRelativeValues, kRelativeQueries, kQueryMinusKey, kClips
};
enum ParameterIndex { kKeys, kValues };

constexpr Option kOptions[] = {
    // On both sides, or to the left where maxRight says another number for the right.
    {.key = "maxDistance", .config_key = "left_max_position_embeddings", .kind = OptionKind::kInteger,
     .default_value = 16, .minimum = 0, .maximum = 4096},
    // -1 is maxDistance.
    {.key = "maxRight", .config_key = "right_max_position_embeddings", .kind = OptionKind::kInteger,
     .default_value = -1, .minimum = -1, .maximum = 4096},
    {.key = "relativeValues", .config_key = "", .kind = OptionKind::kBoolean, .default_value = 1},
    {.key = "relativeQueries", .config_key = "", .kind = OptionKind::kBoolean, .default_value = 0},
    // The tables' rows in the order of i - j, as BERT's checkpoints have them.
    {.key = "queryMinusKey", .config_key = "", .kind = OptionKind::kBoolean, .default_value = 0},
    // Off: distances beyond the table are an error, as in Hugging Face's BERT.
    {.key = "clips", .config_key = "", .kind = OptionKind::kBoolean, .default_value = 1},
};

constexpr const char* kTerms[] = {"relativeKey", "relativeQuery"};
enum TermIndex { kRelativeKey, kRelativeQuery };

constexpr SchemeDescription kDescription = {
    .id = "shaw",
    .family = "relative",
    .paper = "Shaw, Uszkoreit & Vaswani 2018, arXiv 1803.02155",
    .year = 2018,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = kTerms,
    .selects = "bert?position_embedding_type=relative_key"
               ":maxDistance==@max_position_embeddings-1,relativeValues=false,queryMinusKey=true,"
               "clips=false "
               "bert?position_embedding_type=relative_key_query"
               ":maxDistance==@max_position_embeddings-1,relativeValues=false,queryMinusKey=true,"
               "relativeQueries=true,clips=false "
               "wav2vec2-bert?position_embeddings_type=relative_key:relativeValues=false",
};

class Shaw : public Scheme {
 public:
  Shaw(const SchemeShape& shape, const OptionValues& options)
      : left_(static_cast<int>(options[kMaxDistance])),
        right_(options[kMaxRight] < 0 ? left_ : static_cast<int>(options[kMaxRight])),
        key_dim_(shape.head_dim),
        value_dim_(shape.value_channels()),
        relative_values_(options[kRelativeValues] != 0),
        relative_queries_(options[kRelativeQueries] != 0),
        query_minus_key_(options[kQueryMinusKey] != 0),
        clips_(options[kClips] != 0) {
    specs_[kKeys] = {.name = "key_embeddings", .rows = buckets(), .columns = key_dim_,
                     .initialiser = Initialiser::kNormal, .decays = true};
    specs_[kValues] = specs_[kKeys];
    specs_[kValues].name = "value_embeddings";
    specs_[kValues].columns = value_dim_;
  }

  std::span<const ParameterSpec> parameters() const override {
    return {specs_, relative_values_ ? 2u : 1u};
  }

  Status check_distances(const LayerContext& context) const override {
    const RelativeRange& range = context.distances;
    if (clips_ || (range.low() >= -left_ && range.high() <= right_)) return {};
    return Status::error(Code::kInvalidArgument,
                         "positions: from %.0f to %.0f between a query and a key; allowed is %d to %d without clips",
                         static_cast<double>(range.low()), static_cast<double>(range.high()), -left_, right_);
  }

  // scale · q_i · wK[r], and scale · k_j · wK[r] where keys ask too: the bias is inside the scale.
  Traversal traversal() const override { return {.work_floats = DistanceTable::work_floats(key_dim_)}; }
  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    const DistanceTable keys = table(context, kKeys, key_dim_);
    keys.add_query_products(context, tile, context.scale, tile.term(kRelativeKey));
    if (relative_queries_) keys.add_key_products(context, tile, context.scale, tile.term(kRelativeQuery));
  }
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    const DistanceTable keys = table(context, kKeys, key_dim_);
    keys.query_products_backward(context, tile, context.scale, gradient.d_logits, gradient.d_q);
    if (relative_queries_) keys.key_products_backward(context, tile, context.scale, gradient.d_logits, gradient.d_k);
  }

  int accumulator_width() const override { return relative_values_ ? buckets() : 0; }
  void accumulate(const LayerContext& context, const LogitTile& weights,
                  float* accumulator) const override {
    if (!relative_values_) return;
    for_each_run(context, weights, [&](int i, int first, int end, int bucket) {
      float* row = accumulator + std::ptrdiff_t{i} * buckets();
      const float* w = weights.logits + i * weights.stride + first;
      if (bucket == kRising) add_to(w, end - first, row + left_ + distance(context, weights, i, first));
      else row[bucket] += sum_of(w, end - first);
    }, !query_minus_key_);
  }
  void adjust_output(const LayerContext& context, int, const float* accumulator,
                     Matrix output, MatmulScratch& scratch) const override {
    if (!relative_values_) return;
    matmul(output.rows, value_dim_, buckets(), 1, {accumulator, buckets()}, {value_row(context, 0), value_dim_},
           output.data, output.stride, Accumulate::kYes, scratch);
  }
  void adjust_output_backward(const LayerContext& context, const LogitTile& weights,
                              ConstMatrix d_output, float* d_weights) const override {
    if (!relative_values_) return;
    for_each_run(context, weights, [&](int i, int first, int end, int bucket) {
      const std::ptrdiff_t at = i * weights.stride + first;
      add_constant(dot(d_output.row(i), value_row(context, bucket), value_dim_), end - first, d_weights + at);
      if (context.gradients)
        add_scaled(sum_of(weights.logits + at, end - first), d_output.row(i), value_dim_,
                   context.gradients[kValues] + bucket * value_dim_);
    });
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    // A product for each distance that a row meets, then a look-up; buckets of weights, then theirs.
    const double met = std::min<double>(buckets(), keys);
    const double key_part = 2 * met * key_dim_ + keys + (relative_queries_ ? 2 * keys * key_dim_ : 0);
    const double value_part = relative_values_ ? keys + 2.0 * buckets() * value_dim_ : 0;
    return {.layer = shape.num_heads * queries * (key_part + value_part)};
  }

 private:
  int buckets() const { return left_ + right_ + 1; }
  DistanceTable table(const LayerContext& context, int parameter, int width) const {
    return {context.values[parameter], context.gradients ? context.gradients[parameter] : nullptr, width,
            [](const void* self, int r) { return static_cast<const Shaw*>(self)->bucket(r); }, this,
            relative_queries_ || buckets() > kTileStride ? 0 : buckets()};
  }
  int bucket(int r) const {
    const int clipped = std::clamp(r, -left_, right_);
    return query_minus_key_ ? right_ - clipped : left_ + clipped;
  }
  const float* value_row(const LayerContext& context, int bucket) const {
    return context.values[kValues] + bucket * value_dim_;
  }

  static int distance(const LayerContext& context, const LogitTile& tile, int i, int j) {
    return context.key_positions.at(tile.column0 + j) - context.query_positions.at(tile.row0 + i);
  }

  // body(row, first and end of columns that share a bucket, the bucket): beyond the clipping distance
  // whole runs of keys do. Where `rises`, those between come as one, with kRising for the bucket.
  static constexpr int kRising = -1;
  template <class Body>
  void for_each_run(const LayerContext& context, const LogitTile& tile, Body body, bool rises = false) const {
    const bool regular = context.key_positions.run_without_gaps(tile.column0, tile.columns);
    for (int i = 0; i < tile.rows; ++i) {
      for (int j = 0, end; j < tile.columns; j = end) {
        const int r = distance(context, tile, i, j);
        end = j + 1;
        const bool rising = rises && regular && r >= -left_ && r < right_;
        if (rising) end = std::min(tile.columns, j + right_ - r);
        else if (regular && r >= right_) end = tile.columns;
        else if (regular && r < -left_) end = std::min(tile.columns, j - left_ - r);
        body(i, j, end, rising ? kRising : bucket(r));
      }
    }
  }

  int left_, right_, key_dim_, value_dim_;
  bool relative_values_, relative_queries_, query_minus_key_, clips_;
  ParameterSpec specs_[2];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  return new_scheme<Shaw>(shape, options);
}

}  // namespace

extern const SchemeEntry shaw_entry;
const SchemeEntry shaw_entry = {&kDescription, hooks_of<Shaw>(), make};

}  // namespace wf
