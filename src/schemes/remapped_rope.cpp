// RoPE with other positions for distant keys: a model trained without them reads longer texts than
// it was trained on, as no distance is new to it. A near key has its position, as in RoPE; one
// beyond a window or in another chunk has another position, f(j), and the query one for it, g(i),
// so that the angle is (f(j) - g(i)) · frequency:
//   rerope       i - j >= w: f = 0, g = w. Su 2023, kexue.fm/archives/9708, and bojone/rerope.
//   leaky_rerope i - j >= w: f = j/k, g = i/k + w - w/k. The same.
//   self_extend  i - j >= w: f = ⌊j/G⌋, g = ⌊i/G⌋ + w - ⌊w/G⌋. Jin et al. 2024, arXiv 2401.01325.
//   dual_chunk   f = j mod s, for chunks of s = c - w; one chunk apart g = min(i mod s + s, c),
//                farther g = min(2s - 1, c). An et al. 2024, arXiv 2402.17463, as in
//                HKUNLP/ChunkLlama.
//   lm_infinite  as rerope, and keys with i - j >= w are hidden except the first n. Han et al.
//                2023, arXiv 2308.16137.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/dot.h"
#include "kernels/matmul.h"
#include "kernels/rotate_pairs.h"
#include "schemes/rotary_scheme.h"
#include "schemes/tile_work.h"
#include "tensor/extent.h"

namespace wf {
namespace {

enum OptionIndex { kRopeTheta, kInterleaved, kPartialRotaryFactor, kRopeScaling };

constexpr const char* kMethods[] = {"rerope", "leaky_rerope", "self_extend", "dual_chunk",
                                    "lm_infinite"};
enum Method { kRerope, kLeakyRerope, kSelfExtend, kDualChunk, kLmInfinite };

constexpr Option kBaseOptions[] = {
    rope_theta_option(),
    interleaved_option(false),
    number_option("partialRotaryFactor", "partial_rotary_factor", 1, 0.001, 1),
};
constexpr Option kLaterOptions[] = {
    choice_option("method", "", kMethods, kRerope),
    integer_option("window", "", 512, 1, 1 << 30),
    // k of leaky_rerope, G of self_extend.
    number_option("group", "", 8, 1, 1e6),
    integer_option("chunk", "", 3072, 2, 1 << 30),
    integer_option("kept", "", 10, 0, 1 << 30),
};
constexpr auto kOptions = joined(kBaseOptions, kRopeScalingOptions, kLaterOptions);
constexpr int kKept = static_cast<int>(kOptions.size()) - 1;
constexpr int kChunk = kKept - 1, kGroup = kKept - 2, kWindow = kKept - 3, kMethod = kKept - 4;

constexpr const char* kTerms[] = {"remapping"};

constexpr SchemeDescription describe(bool shift_invariant, bool is_bounded) {
  return {.id = "remapped_rope",
          .family = "rotary",
          .paper = "Jin et al. 2024, arXiv 2401.01325",
          .year = 2023,
          .options = kOptions,
          .claims = {.shift_invariant = shift_invariant,
                     .extrapolates_by_construction = is_bounded,
                     // Keys after the query have their positions.
                     .bidirectional = false,
                     .decodes = true},
          .bias_terms = kTerms,
          .transform_term = "rotation",
          .cross_attention = CrossAttention::kRefused};
}

constexpr SchemeDescription kDescription = describe(true, true);
constexpr SchemeDescription kUnbounded = describe(true, false);
constexpr SchemeDescription kInGroups = describe(false, false);
constexpr SchemeDescription kInChunks = describe(false, true);

// What a method makes of positions.
struct Remap {
  Method method;
  double window, group, chunk;

  // s of dual_chunk.
  double stride() const { return chunk - window; }
  // The number of positions that a query has besides its own.
  int parts() const { return method == kDualChunk ? 2 : 1; }
  // Differences of it decide which position of a query counts.
  std::int64_t coordinate(std::int32_t position) const {
    return method == kDualChunk ? static_cast<std::int64_t>(std::floor(position / stride()))
                                : position;
  }
  // The difference of coordinates from which `part` of a query counts.
  std::int64_t begins(int part) const {
    if (part > parts()) return std::numeric_limits<std::int64_t>::max();
    return method == kDualChunk ? part : static_cast<std::int64_t>(window);
  }
  double of_key(std::int32_t position) const {
    switch (method) {
      case kLeakyRerope:
        return position / group;
      case kSelfExtend:
        return std::floor(position / group);
      case kDualChunk:
        return position - coordinate(position) * stride();
      default:
        return 0;
    }
  }
  double of_query(std::int32_t position, int part) const {
    switch (method) {
      case kLeakyRerope:
        return of_key(position) + window - window / group;
      case kSelfExtend:
        return of_key(position) + window - std::floor(window / group);
      case kDualChunk:
        return std::min((part == 1 ? of_key(position) : stride() - 1) + stride(), chunk);
      default:
        return window;
    }
  }
};

// Keys of one pass: a tile, or a part of a recorded row.
constexpr int kPassColumns = kTileStride;

class RemappedRope : public Scheme {
 public:
  RemappedRope(RopeFrequencies frequencies, const SchemeShape& shape, const OptionValues& options)
      : frequencies_(std::move(frequencies)),
        interleaved_(options[kInterleaved] != 0),
        width_(shape.head_dim),
        kept_(static_cast<int>(options[kKept])),
        remap_{static_cast<Method>(options[kMethod]), options[kWindow], options[kGroup],
               options[kChunk]} {}

  const SchemeDescription* configured_description() const override {
    switch (remap_.method) {
      case kLeakyRerope:
        return &kUnbounded;
      case kSelfExtend:
        return &kInGroups;
      case kDualChunk:
        return &kInChunks;
      default:
        return nullptr;
    }
  }

  Reach reach() const override {
    if (remap_.method != kLmInfinite) return {};
    return {static_cast<int>(remap_.window), kept_};
  }

  // A query is its rotation by its position, then by each other one; a key has two in all.
  int transformed_channels(int head_dim) const override { return (1 + remap_.parts()) * head_dim; }
  int scored_channels(int head_dim) const override { return head_dim; }
  bool caches_raw_keys() const override { return frequencies_.follow_length(); }

  // For each position in turn: itself, that of a key, those of a query. Cosines [T, pairs], then
  // sines, both times the attention factor.
  std::size_t position_table_floats(int count) const override {
    return elements_of(2 * (2 + remap_.parts()), count, pairs());
  }
  void fill_position_table(const Positions& positions, int sequence_length, const float*,
                           float* table) const override {
    double frequencies[kMaxPairs];
    frequencies_.at(sequence_length, frequencies);
    const double factor = frequencies_.attention_factor();
    const std::ptrdiff_t block = std::ptrdiff_t{positions.count} * pairs();
    for (int set = 0; set < 2 + remap_.parts(); ++set)
      for (int i = 0; i < positions.count; ++i)
        for (int t = 0; t < pairs(); ++t) {
          const double angle = remapped(positions.at(i), set) * frequencies[t];
          float* cosine = table + 2 * set * block + i * std::ptrdiff_t{pairs()} + t;
          cosine[0] = static_cast<float>(factor * std::cos(angle));
          cosine[block] = static_cast<float>(factor * std::sin(angle));
        }
  }

  void transform_projections(const LayerContext&, Projection projection, int,
                             const RowPositions& rows, Matrix x) const override {
    for (int slice = slices(projection) - 1; slice >= 0; --slice) {
      const Matrix target = slice_of(x, slice);
      for (int i = 0; slice && i < x.rows; ++i)
        std::memcpy(target.row(i), x.row(i), sizeof(float) * width_);
      rotate(rows, set_of(projection, slice), target, rotate_pairs);
    }
  }
  // The inverse of a rotation is its transpose; the gradients of all rotations of a row add up.
  void transform_projections_backward(const LayerContext&, Projection projection, int,
                                      const RowPositions& rows, ConstMatrix,
                                      Matrix d_x) const override {
    for (int slice = 0; slice < slices(projection); ++slice) {
      const Matrix d = slice_of(d_x, slice);
      rotate(rows, set_of(projection, slice), d, rotate_pairs_back);
      for (int i = 0; slice && i < d.rows; ++i) add_to(d.row(i), width_, d_x.row(i));
    }
  }

  Traversal traversal() const override {
    return {.reads_content = true, .work_floats = kMaxTileRows * kPassColumns};
  }

  // Adds the difference between the product of a query and a key at their other positions and that
  // at their own.
  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    for (int part = 1; part <= remap_.parts(); ++part)
      for (int column0 = 0; column0 < tile.columns; column0 += kPassColumns) {
        const FarKeys far(*this, context, tile, part, column0);
        if (far.is_empty()) continue;
        const bool is_whole = tile.work;  // a recorded row is computed key by key
        float* products = is_whole ? tile.work->memory : nullptr;
        if (is_whole) multiply(context, tile, part, products);
        far.for_each([&](int i, int j) {
          const std::ptrdiff_t at = i * tile.stride + j;
          const float product =
              is_whole ? products[at]
                       : context.scale * dot(tile.q.row(i) + std::ptrdiff_t{part} * width_,
                                             tile.k.row(j) + width_, width_);
          tile.term(0)[at] += product - tile.content[at];
        });
      }
  }
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    for (int part = 1; part <= remap_.parts(); ++part) {
      const FarKeys far(*this, context, tile, part, 0);
      if (far.is_empty()) continue;
      float* d_products = tile.work->memory;
      std::fill_n(d_products, tile.rows * tile.stride, 0.0f);
      far.for_each([&](int i, int j) {
        const std::ptrdiff_t at = i * tile.stride + j;
        d_products[at] = gradient.d_logits[at];
        gradient.d_content[at] -= gradient.d_logits[at];
      });
      const Operand d = {d_products, tile.stride};
      const std::ptrdiff_t slice = std::ptrdiff_t{part} * width_;
      matmul(tile.rows, width_, tile.columns, context.scale, d,
             {tile.k.data + width_, tile.k.stride}, gradient.d_q.data + slice, gradient.d_q.stride,
             Accumulate::kYes, *tile.work->matmul);
      matmul(tile.columns, width_, tile.rows, context.scale, d.transposed(),
             {tile.q.data + slice, tile.q.stride}, gradient.d_k.data + width_, gradient.d_k.stride,
             Accumulate::kYes, *tile.work->matmul);
    }
  }

  int frequencies(int sequence_length, double* frequencies,
                  double* attention_factor) const override {
    frequencies_.at(sequence_length, frequencies);
    *attention_factor = frequencies_.attention_factor();
    return pairs();
  }

  // Several rotations, and the product of the other positions once more, at most.
  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override {
    return {.layer = 6.0 * pairs() *
                         ((1 + remap_.parts()) * shape.num_heads * queries +
                          2 * shape.num_kv_heads * keys) +
                     shape.num_heads * queries * keys * remap_.parts() * (2.0 * width_ + 2)};
  }

 private:
  // The keys of a pass over a tile that a part of the queries concerns.
  class FarKeys {
   public:
    FarKeys(const RemappedRope& scheme, const LayerContext& context, const LogitTile& tile,
            int part, int column0)
        : scheme_(scheme),
          context_(context),
          tile_(tile),
          column0_(column0),
          columns_(std::min(tile.columns - column0, kPassColumns)),
          begin_(scheme.remap_.begins(part)),
          end_(scheme.remap_.begins(part + 1)) {
      for (int j = 0; j < columns_; ++j) {
        keys_[j] = scheme.remap_.coordinate(context.key_positions.at(tile.column0 + column0 + j));
        first_ = std::min(first_, keys_[j]);
        last_ = std::max(last_, keys_[j]);
      }
    }
    // True only if there are none; exact for keys in order.
    bool is_empty() const {
      for (int i = 0; i < tile_.rows; ++i)
        if (query(i) - first_ >= begin_ && query(i) - last_ < end_) return false;
      return true;
    }
    template <class Body>
    void for_each(Body body) const {
      for (int i = 0; i < tile_.rows; ++i) {
        const std::int64_t at = query(i);
        for (int j = 0; j < columns_; ++j)
          if (at - keys_[j] >= begin_ && at - keys_[j] < end_) body(i, column0_ + j);
      }
    }

   private:
    static constexpr std::int64_t kNoKey = std::int64_t{1} << 40;

    std::int64_t query(int i) const {
      return scheme_.remap_.coordinate(context_.query_positions.at(tile_.row0 + i));
    }

    const RemappedRope& scheme_;
    const LayerContext& context_;
    const LogitTile& tile_;
    int column0_, columns_;
    std::int64_t begin_, end_, first_ = kNoKey, last_ = -kNoKey;
    std::int64_t keys_[kPassColumns];
  };

  int pairs() const { return frequencies_.pairs(); }
  int slices(Projection projection) const {
    return projection == Projection::kKey ? 2 : 1 + remap_.parts();
  }
  // Of the position table.
  static int set_of(Projection projection, int slice) {
    return slice == 0 ? 0 : projection == Projection::kKey ? 1 : 1 + slice;
  }
  double remapped(std::int32_t position, int set) const {
    if (set == 0) return position;
    return set == 1 ? remap_.of_key(position) : remap_.of_query(position, set - 1);
  }
  Matrix slice_of(Matrix x, int slice) const {
    // Without rows there may be no memory.
    return {x.rows ? x.data + std::ptrdiff_t{slice} * width_ : x.data, x.rows, width_, x.stride};
  }
  template <class Rotate>
  void rotate(const RowPositions& rows, int set, Matrix x, Rotate by) const {
    const std::ptrdiff_t block = std::ptrdiff_t{rows.positions.count} * pairs();
    const float* cosines = rows.table + 2 * set * block;
    by(cosines, cosines + block, pairs(), interleaved_, x);
  }
  void multiply(const LayerContext& context, const LogitTile& tile, int part,
                float* products) const {
    matmul(tile.rows, tile.columns, width_, context.scale,
           {tile.q.data + std::ptrdiff_t{part} * width_, tile.q.stride},
           Operand{tile.k.data + width_, tile.k.stride}.transposed(), products, tile.stride,
           Accumulate::kNo, *tile.work->matmul);
  }

  RopeFrequencies frequencies_;
  bool interleaved_;
  int width_, kept_;
  Remap remap_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  if (static_cast<Method>(options[kMethod]) == kDualChunk && options[kChunk] <= options[kWindow])
    return WF_UNEXPECTED("chunk", "%g", "more than window, %g", options[kChunk], options[kWindow]);
  WF_ASSIGN_OR_RETURN(
      RopeFrequencies frequencies,
      RopeFrequencies::make(shape.head_dim, options[kPartialRotaryFactor], options[kRopeTheta],
                            rope_scaling_of(options, kRopeScaling)));
  return new_scheme<RemappedRope>(std::move(frequencies), shape, options);
}

}  // namespace

extern const SchemeEntry remapped_rope_entry;
const SchemeEntry remapped_rope_entry = {&kDescription, hooks_of<RemappedRope>(), make};

}  // namespace wf
