// DeBERTa's disentangled attention: content attends to positions and positions attend to content,
// through projections of a table of relative positions that all layers share. He et al. 2020, arXiv
// 2006.03654, equations 3 and 4; version 3, arXiv 2111.09543, uses the projections of the content
// and logarithmic distance buckets.
#include <algorithm>
#include <cmath>

#include "schemes/distance_table.h"
#include "schemes/entry.h"
#include "schemes/log_buckets.h"
#include "schemes/projected_table.h"

namespace wf {
namespace {

enum OptionIndex {
  kMaxRelativePositions,
  kPositionBuckets,
  kShareProjections,
  kPaperIndex,
  kUseContentToPosition,
  kUsePositionToContent,
  kNormalisesTable,
  kClampsDistance
};
enum TermIndex { kContentToPosition, kPositionToContent };

constexpr Option kOptions[] = {
    integer_option("maxRelativePositions", "max_relative_positions", 128, 2, 65536),
    // Logarithmic buckets on each side; 0 means one row for each distance.
    integer_option("positionBuckets", "position_buckets", 0, 0, 65536),
    // Projects the table with the layer's query and key weights; false: with separate weights.
    flag_option("shareProjections", "share_att_key", true),
    // The index of position-to-content in the paper, delta(j, i); checkpoints use that of the code,
    // delta(i, j).
    flag_option("paperIndex", "", false),
    // Hugging Face's pos_att_type: which of the two terms are used.
    flag_option("contentToPosition", "", true),
    flag_option("positionToContent", "", true),
    // A LayerNorm of the table before the projections: norm_rel_ebd "layer_norm".
    flag_option("normalisesTable", "", false),
    // Clamps distances to maxRelativePositions - 1, in the last bucket but one, as in Microsoft's
    // code.
    flag_option("clampsDistance", "", false),
};

constexpr const char* kTerms[] = {"contentToPosition", "positionToContent"};

constexpr SchemeDescription kDescription = {
    .id = "deberta",
    .family = "relative",
    .paper = "He et al. 2020, arXiv 2006.03654",
    .year = 2020,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = kTerms,
    .cross_attention = CrossAttention::kRefused,
};

class Deberta : public Scheme {
 public:
  Deberta(const SchemeShape& shape, const OptionValues& options, LogBuckets log_buckets)
      : kv_heads_(shape.num_kv_heads),
        heads_(shape.num_heads),
        head_dim_(shape.head_dim),
        max_(static_cast<int>(options[kMaxRelativePositions])),
        buckets_(static_cast<int>(options[kPositionBuckets])),
        shares_(options[kShareProjections] != 0),
        paper_index_(options[kPaperIndex] != 0),
        by_query_(options[kUseContentToPosition] != 0),
        by_key_(options[kUsePositionToContent] != 0),
        table_({.rows = 2 * span(),
                .width = shape.model_width(),
                .key_width = key_width(),
                .query_width = query_width(),
                .shares = shares_,
                .normalises = options[kNormalisesTable] != 0}),
        log_buckets_(std::move(log_buckets)) {}

  std::span<const ParameterSpec> parameters() const override { return table_.parameters(); }
  bool needs_projections() const override { return shares_; }
  // 1/√(the number of products · D).
  float logit_scale() const override {
    return 1 / std::sqrt(static_cast<float>((1 + by_query_ + by_key_) * head_dim_));
  }

  std::size_t layer_table_floats(const LayerContext&) const override { return table_.floats(); }
  void prepare_layer(const LayerContext& context, float* table,
                     MatmulScratch& scratch) const override {
    table_.fill(context, table, scratch);
  }
  void prepare_layer_backward(const LayerContext& context, MatmulScratch& scratch) const override {
    table_.backward(context, scratch);
  }

  Traversal traversal() const override {
    return {.work_floats = DistanceTable::work_floats(head_dim_)};
  }
  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    if (by_query_)
      keys_of_distances(context, tile)
          .add_query_products(context, tile, context.scale, tile.term(kContentToPosition));
    if (by_key_)
      queries_of_distances(context, tile)
          .add_key_products(context, tile, context.scale, tile.term(kPositionToContent));
  }
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    if (by_query_)
      keys_of_distances(context, tile)
          .query_products_backward(context, tile, context.scale, gradient.d_logits, gradient.d_q);
    if (by_key_)
      queries_of_distances(context, tile)
          .key_products_backward(context, tile, context.scale, gradient.d_logits, gradient.d_k);
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override {
    return {.layer = table_.flops() + 2 * (by_query_ + by_key_) * queries * keys * query_width()};
  }

 private:
  int span() const { return buckets_ > 0 ? buckets_ : max_; }
  int key_width() const { return kv_heads_ * head_dim_; }
  int query_width() const { return heads_ * head_dim_; }

  // Row of the offset i - j.
  int index(int offset) const {
    return std::clamp(log_buckets_.of(offset), -span(), span() - 1) + span();
  }

  // Kr, indexed by the query's distance to the key; below, Qr.
  DistanceTable keys_of_distances(const LayerContext& context, const LogitTile& tile) const {
    return distances(
        context, std::ptrdiff_t{tile.kv_head} * head_dim_, key_width(),
        [](const void* self, int r) { return static_cast<const Deberta*>(self)->index(-r); });
  }
  DistanceTable queries_of_distances(const LayerContext& context, const LogitTile& tile) const {
    return distances(context, table_.queries_at() + tile.head * head_dim_, query_width(),
                     [](const void* self, int r) {
                       const auto* deberta = static_cast<const Deberta*>(self);
                       return deberta->index(deberta->paper_index_ ? r : -r);
                     });
  }
  DistanceTable distances(const LayerContext& context, std::ptrdiff_t at, int width,
                          DistanceTable::RowOf row_of) const {
    return {context.table + at, context.d_table ? context.d_table + at : nullptr, width, row_of,
            this};
  }

  int kv_heads_, heads_, head_dim_, max_, buckets_;
  bool shares_, paper_index_, by_query_, by_key_;
  ProjectedTable table_;
  LogBuckets log_buckets_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  if (options[kUseContentToPosition] == 0 && options[kUsePositionToContent] == 0)
    return WF_UNEXPECTED("contentToPosition, positionToContent", "false, false",
                         "at least one true");
  const double buckets = options[kPositionBuckets], max = options[kMaxRelativePositions];
  if (buckets != 0 && (buckets < 4 || max <= buckets / 2 + 1))
    return WF_UNEXPECTED("positionBuckets", "%g",
                         "0, or a number from 4 to below 2 * maxRelativePositions - 2, %g", buckets,
                         2 * max - 2);
  LogBuckets log_buckets;
  if (buckets > 0) {
    WF_ASSIGN_OR_RETURN(log_buckets,
                        LogBuckets::make(static_cast<int>(buckets), static_cast<int>(max),
                                         options[kClampsDistance] != 0));
  }
  return new_scheme<Deberta>(shape, options, std::move(log_buckets));
}

}  // namespace

extern const SchemeEntry deberta_entry;
const SchemeEntry deberta_entry = {&kDescription, hooks_of<Deberta>(), make};

}  // namespace wf
