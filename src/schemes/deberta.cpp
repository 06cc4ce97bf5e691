// DeBERTa's disentangled attention: content looks at positions, positions look at content, through
// projections of a table of relative positions that all layers share.
// He et al. 2020, arXiv 2006.03654, equations 3 and 4; version 3, arXiv 2111.09543, shares the
// content's projections and buckets distances logarithmically.
#include <algorithm>
#include <cmath>

#include "kernels/dot.h"
#include "schemes/scheme.h"

namespace wf {
namespace {

enum OptionIndex { kMaxRelativePositions, kPositionBuckets, kShareProjections, kPaperIndex };
enum ParameterIndex { kTable, kKeyProjection, kQueryProjection };
enum TermIndex { kContentToPosition, kPositionToContent };

constexpr Option kOptions[] = {
    {.key = "maxRelativePositions",
     .config_key = "max_relative_positions",
     .kind = OptionKind::kInteger,
     .default_value = 128,
     .minimum = 2,
     .maximum = 65536},
    // Logarithmic buckets on each side; 0 gives every distance a row of its own.
    {.key = "positionBuckets",
     .config_key = "position_buckets",
     .kind = OptionKind::kInteger,
     .default_value = 0,
     .minimum = 0,
     .maximum = 65536},
    // Projects the table by the layer's own query and key weights; false: by weights of its own.
    {.key = "shareProjections",
     .config_key = "share_att_key",
     .kind = OptionKind::kBoolean,
     .default_value = 1},
    // The paper's index for position-to-content, delta(j, i); checkpoints follow the code, delta(i, j).
    {.key = "paperIndex", .config_key = "", .kind = OptionKind::kBoolean, .default_value = 0},
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
};

class Deberta : public Scheme {
 public:
  Deberta(const SchemeShape& shape, const OptionValues& options)
      : heads_(shape.num_heads),
        kv_heads_(shape.num_kv_heads),
        head_dim_(shape.head_dim),
        width_(shape.width ? shape.width : shape.num_heads * shape.head_dim),
        most_(static_cast<int>(options[kMaxRelativePositions])),
        buckets_(static_cast<int>(options[kPositionBuckets])),
        shares_(options[kShareProjections] != 0),
        paper_index_(options[kPaperIndex] != 0) {
    specs_[kTable] = {.name = "rel_embeddings", .rows = rows(), .columns = width_,
                      .scope = ParameterScope::kModel, .initialiser = Initialiser::kNormal, .decays = true};
    specs_[kKeyProjection] = {.name = "pos_key_proj", .rows = kv_heads_ * head_dim_, .columns = width_,
                              .initialiser = Initialiser::kNormal, .decays = true};
    specs_[kQueryProjection] = specs_[kKeyProjection];
    specs_[kQueryProjection].name = "pos_query_proj";
    specs_[kQueryProjection].rows = heads_ * head_dim_;
  }

  std::span<const ParameterSpec> parameters() const override { return {specs_, shares_ ? 1u : 3u}; }
  bool needs_projections() const override { return shares_; }
  // One share for each of the three products.
  float logit_scale() const override { return 1 / std::sqrt(3.0f * static_cast<float>(head_dim_)); }

  // Kr [rows, K·D], then Qr [rows, H·D].
  std::size_t layer_table_floats(const LayerContext&) const override {
    return std::size_t(rows()) * (key_width() + query_width());
  }
  void prepare_layer(const LayerContext& context, float* table, MatmulScratch& scratch) const override {
    const Operand positions = {context.values[kTable], width_};
    matmul(rows(), key_width(), width_, 1, positions, Operand{key_weight(context), width_}.transposed(),
           table, key_width(), Accumulate::kNo, scratch);
    matmul(rows(), query_width(), width_, 1, positions, Operand{query_weight(context), width_}.transposed(),
           table + std::ptrdiff_t{rows()} * key_width(), query_width(), Accumulate::kNo, scratch);
  }
  void prepare_layer_backward(const LayerContext& context, MatmulScratch& scratch) const override {
    if (!context.gradients) return;
    const float* d_keys = context.d_table;
    const float* d_queries = d_keys + std::ptrdiff_t{rows()} * key_width();
    project_backward(context, d_keys, key_width(), key_weight(context),
                     shares_ ? context.projections.d_key : context.gradients[kKeyProjection], scratch);
    project_backward(context, d_queries, query_width(), query_weight(context),
                     shares_ ? context.projections.d_query : context.gradients[kQueryProjection], scratch);
  }

  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    for (int i = 0; i < tile.rows; ++i)
      for (int j = 0; j < tile.columns; ++j) {
        const std::ptrdiff_t at = i * tile.stride + j;
        const auto pair = rows_of(context, context.table, tile, i, j);
        tile.term(kContentToPosition)[at] += context.scale * dot(tile.q.row(i), pair.key, head_dim_);
        tile.term(kPositionToContent)[at] += context.scale * dot(tile.k.row(j), pair.query, head_dim_);
      }
  }
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    for (int i = 0; i < tile.rows; ++i)
      for (int j = 0; j < tile.columns; ++j) {
        const float d = context.scale * gradient.d_logits[i * tile.stride + j];
        if (d == 0) continue;
        const auto pair = rows_of(context, context.table, tile, i, j);
        add_scaled(d, pair.key, head_dim_, gradient.d_q.row(i));
        add_scaled(d, pair.query, head_dim_, gradient.d_k.row(j));
        if (!context.gradients) continue;
        const auto d_pair = rows_of(context, context.d_table, tile, i, j);
        add_scaled(d, tile.q.row(i), head_dim_, d_pair.key);
        add_scaled(d, tile.k.row(j), head_dim_, d_pair.query);
      }
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double keys) const override {
    return {.layer = 2.0 * rows() * width_ * (key_width() + query_width()) +
                     4 * queries * keys * query_width()};
  }

 private:
  template <class Float>
  struct Pair {
    Float* key;    // Kr of the query's distance
    Float* query;  // Qr of the key's
  };

  int span() const { return buckets_ > 0 ? buckets_ : most_; }
  int rows() const { return 2 * span(); }
  int key_width() const { return kv_heads_ * head_dim_; }
  int query_width() const { return heads_ * head_dim_; }
  const float* key_weight(const LayerContext& context) const {
    return shares_ ? context.projections.key : context.values[kKeyProjection];
  }
  const float* query_weight(const LayerContext& context) const {
    return shares_ ? context.projections.query : context.values[kQueryProjection];
  }

  // Row of the offset i - j: itself while small, then by the logarithm of its size.
  int index(int offset) const {
    const int middle = buckets_ / 2, size = std::abs(offset);
    if (buckets_ > 0 && size > middle) {
      const double place = std::log(static_cast<double>(size) / middle) /
                           std::log(static_cast<double>(most_ - 1) / middle) * (middle - 1);
      const int bucket = static_cast<int>(std::min(std::ceil(place) + middle, 1e9));
      offset = offset < 0 ? -bucket : bucket;
    }
    return std::clamp(offset, -span(), span() - 1) + span();
  }

  template <class Float>
  Pair<Float> rows_of(const LayerContext& context, Float* table, const LogitTile& tile, int i, int j) const {
    const int offset = context.query_positions.at(tile.row0 + i) - context.key_positions.at(tile.column0 + j);
    Float* keys = table + std::ptrdiff_t{index(offset)} * key_width();
    Float* queries = table + std::ptrdiff_t{rows()} * key_width() +
                           std::ptrdiff_t{index(paper_index_ ? -offset : offset)} * query_width();
    return {keys + tile.kv_head * head_dim_, queries + tile.head * head_dim_};
  }

  // From d(P·Wᵀ) [rows, columns] to the table P and the weights W [columns, E].
  void project_backward(const LayerContext& context, const float* d, int columns, const float* weight,
                        float* d_weight, MatmulScratch& scratch) const {
    matmul(rows(), width_, columns, 1, {d, columns}, {weight, width_}, context.gradients[kTable],
           width_, Accumulate::kYes, scratch);
    if (d_weight)
      matmul(columns, width_, rows(), 1, Operand{d, columns}.transposed(),
             {context.values[kTable], width_}, d_weight, width_, Accumulate::kYes, scratch);
  }

  int heads_, kv_heads_, head_dim_, width_, most_, buckets_;
  bool shares_, paper_index_;
  ParameterSpec specs_[3];
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const double buckets = options[kPositionBuckets], most = options[kMaxRelativePositions];
  if (buckets != 0 && (buckets < 4 || most <= buckets / 2 + 1))
    return Status::error(Code::kInvalidArgument,
                         "positionBuckets: %g; allowed is 0, or 4 to less than twice maxRelativePositions (%g) - 2", buckets, most);
  return new_scheme<Deberta>(shape, options);
}

}  // namespace

extern const SchemeEntry deberta_entry;
const SchemeEntry deberta_entry = {&kDescription, hooks_of<Deberta>(), make};

}  // namespace wf
