// Relative position representations: a learned vector for each clipped distance is added to the
// key, and another to the value. Shaw, Uszkoreit & Vaswani 2018, arXiv 1803.02155, equations 3 and
// 4; r = clip(j - i, -k, k).
#include <algorithm>

#include "schemes/clipped_blocks.h"
#include "schemes/distance_table.h"
#include "schemes/entry.h"

namespace wf {
namespace {

enum OptionIndex {
  kMaxDistance,
  kMaxRight,
  kRelativeValues,
  kRelativeQueries,
  kQueryMinusKey,
  kClips
};
enum ParameterIndex { kKeys, kValues };

constexpr Option kOptions[] = {
    // Limit on both sides, or only on the left if maxRight is set.
    integer_option("maxDistance", "left_max_position_embeddings", 16, 0, 4096),
    // -1: as maxDistance.
    integer_option("maxRight", "right_max_position_embeddings", -1, -1, 4096),
    flag_option("relativeValues", "", true),
    flag_option("relativeQueries", "", false),
    // Table rows in the order of i - j, as in BERT's checkpoints.
    flag_option("queryMinusKey", "", false),
    // False: distances outside the table are an error, as in Hugging Face's BERT.
    flag_option("clips", "", true),
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
    if (!relative_queries_ && buckets() <= kTileStride)
      blocks_ = ClippedBlocks(buckets(), key_dim_, relative_values_ ? value_dim_ : 0);
    specs_[kKeys] = {.name = "key_embeddings",
                     .rows = buckets(),
                     .columns = key_dim_,
                     .initialiser = Initialiser::kNormal,
                     .decays = true};
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
    return WF_UNEXPECTED("positions", "distances from %.0f to %.0f between query and key",
                         "%d to %d without clips", static_cast<double>(range.low()),
                         static_cast<double>(range.high()), -left_, right_);
  }

  // scale · q_i · wK[r], and optionally scale · k_j · wK[r]: the bias is multiplied by the scale
  // too.
  Traversal traversal() const override {
    return {.work_floats = std::max(DistanceTable::work_floats(key_dim_), blocks_.memory_floats())};
  }
  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    if (blocks_.can_multiply(tile))
      return blocks_.add_products(clipped(context, tile), tile, context.scale,
                                  table(context, kKeys).rows(0), values(context));
    const DistanceTable keys = by_distance(context);
    keys.add_query_products(context, tile, context.scale, tile.term(kRelativeKey));
    if (relative_queries_)
      keys.add_key_products(context, tile, context.scale, tile.term(kRelativeQuery));
  }
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    if (blocks_.exist())
      return table(context, kKeys)
          .products_backward(clipped(context, tile), tile, context.scale, gradient.d_logits,
                             gradient.d_q, blocks_.passing(tile));
    const DistanceTable keys = by_distance(context);
    keys.query_products_backward(context, tile, context.scale, gradient.d_logits, gradient.d_q);
    if (relative_queries_)
      keys.key_products_backward(context, tile, context.scale, gradient.d_logits, gradient.d_k);
  }

  // Sums of weights by table entry.
  int accumulator_width() const override { return relative_values_ ? buckets() : 0; }
  void accumulate(const LayerContext& context, const LogitTile& weights,
                  float* accumulator) const override {
    if (relative_values_)
      clipped(context, weights).gather(weights.logits, weights.work->sums, accumulator, buckets());
  }
  void adjust_output(const LayerContext& context, const LogitTile& block, const float* accumulator,
                     Matrix output) const override {
    if (!relative_values_) return;
    if (blocks_.hold_values(block)) return blocks_.add_values(block, accumulator, output);
    matmul(output.rows, value_dim_, buckets(), 1, {accumulator, buckets()}, values(context),
           output.data, output.stride, Accumulate::kYes, *block.work->matmul);
  }
  void adjust_output_backward(const LayerContext& context, const LogitTile& weights,
                              ConstMatrix d_output, float* d_weights) const override {
    if (relative_values_)
      table(context, kValues)
          .sums_backward(clipped(context, weights), weights, d_output, d_weights,
                         blocks_.passing(weights));
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    // A product for each distance that occurs in a row and a look-up; sums of weights by entry, and
    // their products.
    const double met = std::min<double>(buckets(), keys);
    const double key_part =
        2 * met * key_dim_ + keys + (relative_queries_ ? 2 * keys * key_dim_ : 0);
    const double value_part = relative_values_ ? keys + 2.0 * buckets() * value_dim_ : 0;
    return {.layer = shape.num_heads * queries * (key_part + value_part)};
  }

 private:
  int buckets() const { return left_ + right_ + 1; }
  ClippedTile clipped(const LayerContext& context, const LogitTile& tile) const {
    return {context, tile, left_, right_};
  }
  ClippedTable table(const LayerContext& context, int parameter) const {
    return {context.values[parameter], gradients(context, parameter), specs_[parameter].columns,
            buckets(), query_minus_key_};
  }
  Operand values(const LayerContext& context) const {
    return relative_values_ ? table(context, kValues).rows(0) : Operand{};
  }
  static float* gradients(const LayerContext& context, int parameter) {
    return context.gradients ? context.gradients[parameter] : nullptr;
  }
  DistanceTable by_distance(const LayerContext& context) const {
    const auto row_of = [](const void* self, int r) {
      return static_cast<const Shaw*>(self)->row_of(r);
    };
    return {context.values[kKeys], gradients(context, kKeys), key_dim_, row_of, this};
  }
  int row_of(int r) const {
    return query_minus_key_ ? right_ - std::clamp(r, -left_, right_)
                            : left_ + std::clamp(r, -left_, right_);
  }

  int left_, right_, key_dim_, value_dim_;
  bool relative_values_, relative_queries_, query_minus_key_, clips_;
  ClippedBlocks blocks_;
  ParameterSpec specs_[2];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  return new_scheme<Shaw>(shape, options);
}

}  // namespace

extern const SchemeEntry shaw_entry;
const SchemeEntry shaw_entry = {&kDescription, hooks_of<Shaw>(), make};

}  // namespace wf
