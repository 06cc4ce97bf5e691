// A positional encoding that its user writes as formulas (src/formula): a bias, an angle or a
// frequency of rotation, an addition to token vectors, factors on queries and keys, a scale of the
// logits; several at once.
#include "schemes/formula.h"

#include <algorithm>
#include <limits>

#include "formula/parser.h"
#include "schemes/formula_bias.h"
#include "schemes/formula_rotation.h"
#include "schemes/formula_vectors.h"

namespace wf {
namespace {

using formula::Declarations;
using formula::Fault;
using formula::Scope;
using formula::Variable;

enum OptionIndex {
  kBias,
  kTerms,
  kAngle,
  kFrequency,
  kPairing,
  kAdd,
  kQueryScale,
  kKeyScale,
  kLogitScale,
  kParameters,
  kValues
};
constexpr std::size_t kMaxValues = 1 << 18;
constexpr int kMaxWidestHead = 4096;  // kMaxHeadDim of the registry

enum PairingChoice { kHalves, kInterleaved };

constexpr std::uint32_t kDistances = formula::bit_of(Variable::kDistance) |
                                     formula::bit_of(Variable::kDistanceRow) |
                                     formula::bit_of(Variable::kDistanceColumn);
constexpr std::uint32_t kTextReads = formula::bit_of(Variable::kQueryPosition) |
                                     formula::bit_of(Variable::kKeyPosition) |
                                     formula::bit_of(Variable::kDistance);
constexpr std::uint32_t kGridReads =
    (kQueryNames.bits() | kKeyNames.bits() | kDistances) & ~kTextReads;

constexpr const char* kPairings[] = {"halves", "interleaved"};
constexpr Option kOptions[] = {
    text_option("bias"),
    // Named terms of the bias, one in each line: "name: formula".
    text_option("terms"),
    text_option("angle"),
    text_option("frequency"),
    choice_option("pairing", "", kPairings, kHalves),
    text_option("add"),
    text_option("queryScale"),
    text_option("keyScale"),
    text_option("logitScale"),
    text_option("parameters"),
    {.key = "values",
     .config_key = "",
     .kind = OptionKind::kList,
     .minimum = -std::numeric_limits<double>::max(),
     .maximum = std::numeric_limits<double>::max(),
     .max_count = kMaxValues},
};

constexpr SchemeDescription kDescription = {
    .id = "formula",
    .family = "formula",
    .paper = "",
    .year = 0,
    .options = kOptions,
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
    .cross_attention = CrossAttention::kRefused,
};

class Formula : public Scheme {
 public:
  Status read(const SchemeShape& shape, const OptionValues& options);

  const SchemeDescription* configured_description() const override { return &description_; }
  std::span<const ParameterSpec> parameters() const override {
    return {specs_, declarations_.parameters().size()};
  }
  void constrain(float* const* values) const override;
  std::uint32_t idle_hooks() const override;

  void add_to_embeddings(const LayerContext& context, Matrix x) const override {
    add_.add(context, declarations_, context.query_positions, x);
  }
  void add_to_embeddings_backward(const LayerContext& context, Matrix d_x) const override {
    add_.add_backward(context, declarations_, context.query_positions, d_x);
  }

  std::size_t position_table_floats(int count) const override {
    return rotation_.table_floats(count);
  }
  void fill_position_table(const Positions& positions, int sequence_length, const float*,
                           float* table) const override {
    rotation_.fill_table(positions, sequence_length, table);
  }
  // A factor, then the rotation.
  void transform_projections(const LayerContext&, Projection, int head, const RowPositions&,
                             Matrix x) const override;
  void transform_projections_backward(const LayerContext&, Projection, int head,
                                      const RowPositions&, ConstMatrix raw,
                                      Matrix d_x) const override;
  bool caches_raw_keys() const override { return rotation_.follows_length(); }
  int channel_pairs(std::int32_t* pairs) const override { return rotation_.channel_pairs(pairs); }
  int frequencies(int sequence_length, double* frequencies,
                  double* attention_factor) const override {
    *attention_factor = 1;
    return rotation_.frequencies(sequence_length, frequencies);
  }

  float logit_scale() const override { return logit_scale_; }

  bool may_fail() const override { return true; }
  Status explain(const LayerContext& context, int head, int row, int column,
                 float content) const override;
  void distance_strip(const LayerContext& context, int head, int low, int high,
                      float* strip) const override {
    bias_.strip(context, declarations_, head, low, high, strip);
  }
  void distance_strip_backward(const LayerContext& context, int head, int low, int high,
                               const float* d_strip) const override {
    bias_.strip_backward(context, declarations_, head, low, high, d_strip);
  }
  Traversal traversal() const override { return bias_.traversal(); }
  void bias_logits(const LayerContext& context, const LogitTile& tile) const override {
    bias_.tile(context, declarations_, tile);
  }
  void bias_logits_backward(const LayerContext& context, const LogitTile& tile,
                            const LogitTileGradient& gradient) const override {
    bias_.tile_backward(context, declarations_, tile, gradient);
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double keys) const override;

 private:
  Status read_terms(std::string_view lines, const Scope& scope);
  Status read_rotation(const OptionValues& options, const Scope& scope);
  Status read_logit_scale(std::string_view text, const Scope& scope);
  Status declare_specs();
  void describe();
  bool scales_projection(Projection projection) const {
    return projection == Projection::kQuery
               ? !query_scale_.is_empty()
               : projection == Projection::kKey && !key_scale_.is_empty();
  }
  const FormulaVectors& scale_of(Projection projection) const {
    return projection == Projection::kQuery ? query_scale_ : key_scale_;
  }

  SchemeShape shape_;
  SchemeDescription description_ = kDescription;
  Declarations declarations_;
  ParameterSpec specs_[formula::kMaxParameters];
  Buffer<float> initial_;  // the parameters' initial values, one after the other
  FormulaBias bias_;
  FormulaRotation rotation_;
  FormulaVectors add_, query_scale_, key_scale_;
  float logit_scale_ = 0;
  bool is_of_grid_ = false;
  Fault fault_;
};

// ---- From options to formulas

// The text of an option, kept for as long as it is compiled.
class OptionText {
 public:
  Status read(const OptionValues& options, int index) {
    const std::span<const double> bytes = options.list(index);
    WF_RETURN_IF_ERROR(text_.reserve(bytes.size()));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      text_[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]));
    length_ = bytes.size();
    return {};
  }
  std::string_view get() const { return {text_.data(), length_}; }
  bool is_empty() const { return length_ == 0; }

 private:
  Buffer<char> text_;
  std::size_t length_ = 0;
};

Status Formula::read(const SchemeShape& shape, const OptionValues& options) {
  shape_ = shape;
  OptionText text;
  Scope scope;
  scope.sizes[static_cast<int>(formula::Size::kHeads)] = shape.num_heads;
  scope.sizes[static_cast<int>(formula::Size::kHeadDim)] = shape.head_dim;
  scope.sizes[static_cast<int>(formula::Size::kWidth)] = shape.model_width();
  WF_RETURN_IF_ERROR(text.read(options, kParameters));
  WF_ASSIGN_OR_RETURN(declarations_,
                      Declarations::parse(text.get(), scope.sizes, options.list(kValues), fault_));
  scope.parameters = declarations_.parameters();
  WF_RETURN_IF_ERROR(declare_specs());

  using formula::bit_of;
  scope.variables = bit_of(Variable::kLayer);
  WF_RETURN_IF_ERROR(text.read(options, kAdd));
  if (!text.is_empty()) WF_RETURN_IF_ERROR(add_.set("add", text.get(), kQueryNames, scope, fault_));
  scope.variables |= bit_of(Variable::kHead);
  WF_RETURN_IF_ERROR(text.read(options, kQueryScale));
  if (!text.is_empty())
    WF_RETURN_IF_ERROR(query_scale_.set("queryScale", text.get(), kQueryNames, scope, fault_));
  WF_RETURN_IF_ERROR(text.read(options, kKeyScale));
  if (!text.is_empty())
    WF_RETURN_IF_ERROR(key_scale_.set("keyScale", text.get(), kKeyNames, scope, fault_));
  WF_RETURN_IF_ERROR(read_rotation(options, scope));
  WF_RETURN_IF_ERROR(text.read(options, kLogitScale));
  if (!text.is_empty()) WF_RETURN_IF_ERROR(read_logit_scale(text.get(), scope));

  scope.variables |= kQueryNames.bits() | kKeyNames.bits() | kDistances | bit_of(Variable::kLogit);
  scope.allows_sums = true;
  WF_RETURN_IF_ERROR(text.read(options, kBias));
  if (!text.is_empty()) WF_RETURN_IF_ERROR(bias_.add("", "bias", text.get(), scope, fault_));
  WF_RETURN_IF_ERROR(text.read(options, kTerms));
  WF_RETURN_IF_ERROR(read_terms(text.get(), scope));
  const std::uint32_t reads =
      bias_.reads() | add_.reads() | rotation_.reads() | query_scale_.reads() | key_scale_.reads();
  if ((reads & kGridReads) && (reads & kTextReads))
    return WF_UNEXPECTED_AS(Code::kUnsupported, "positions",
                            "those of a grid beside those of a text", "one kind in all formulas");
  is_of_grid_ = (reads & kGridReads) != 0;
  // A parameter of token vectors alone is not one of each layer.
  const std::uint32_t of_layers = bias_.parameters() | rotation_.parameters() |
                                  query_scale_.parameters() | key_scale_.parameters();
  for (std::size_t p = 0; p < declarations_.parameters().size(); ++p)
    if ((add_.parameters() & ~of_layers) >> p & 1) specs_[p].scope = ParameterScope::kModel;
  describe();
  return {};
}

Status Formula::read_terms(std::string_view lines, const Scope& scope) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon == line.npos || colon == 0)
      return WF_UNEXPECTED("terms", "\"%.*s\"", "\"name: formula\"",
                           static_cast<int>(std::min<std::size_t>(line.size(), 40)), line.data());
    WF_RETURN_IF_ERROR(
        bias_.add("terms.", line.substr(0, colon), line.substr(colon + 1), scope, fault_));
    lines = lines.substr(std::min(end + 1, lines.size()));
  }
  return {};
}

Status Formula::read_rotation(const OptionValues& options, const Scope& scope) {
  OptionText angle, frequency;
  WF_RETURN_IF_ERROR(angle.read(options, kAngle));
  WF_RETURN_IF_ERROR(frequency.read(options, kFrequency));
  if (!angle.is_empty() && !frequency.is_empty())
    return WF_UNEXPECTED("frequency", "given beside angle", "one of the two");
  const bool interleaved = static_cast<int>(options[kPairing]) == kInterleaved;
  if (!angle.is_empty())
    return rotation_.set(FormulaRotation::Form::kAngle, "angle", angle.get(), scope,
                         shape_.head_dim, interleaved, fault_);
  if (!frequency.is_empty())
    return rotation_.set(FormulaRotation::Form::kFrequency, "frequency", frequency.get(), scope,
                         shape_.head_dim, interleaved, fault_);
  return {};
}

Status Formula::read_logit_scale(std::string_view text, const Scope& scope) {
  Scope constants = scope;
  constants.variables = 0;
  constants.parameters = {};
  WF_ASSIGN_OR_RETURN(const formula::Program program,
                      formula::compile("logitScale", text, constants, fault_));
  const double value = program.nodes()[program.result()].constant;
  if (!(value > 0 && value < 1e6))
    return WF_UNEXPECTED("logitScale", "%g", "a number above 0 and below 1e6", value);
  logit_scale_ = static_cast<float>(value);
  return {};
}

Status Formula::declare_specs() {
  std::size_t total = 0;
  for (const formula::Parameter& parameter : declarations_.parameters()) total += parameter.size();
  WF_RETURN_IF_ERROR(initial_.reserve(total));
  float* next = initial_.data();
  int index = 0;
  for (const formula::Parameter& parameter : declarations_.parameters()) {
    const int columns = parameter.rank ? parameter.shape[parameter.rank - 1] : 1;
    declarations_.initialise(index, next);
    specs_[index++] = {.name = parameter.name.data(),
                       .rows = parameter.size() / columns,
                       .columns = columns,
                       .initialiser = Initialiser::kGiven,
                       .given = next};
    next += parameter.size();
  }
  return {};
}

void Formula::describe() {
  description_.bias_terms = bias_.names();
  if (!rotation_.is_empty() || !query_scale_.is_empty() || !key_scale_.is_empty())
    description_.transform_term = "transform";
  description_.claims.shift_invariant =
      bias_.is_shift_invariant() && rotation_.is_shift_invariant() && add_.is_empty() &&
      query_scale_.is_shift_invariant() && key_scale_.is_shift_invariant();
  if (is_of_grid_) description_.position_axes = 2;
}

std::uint32_t Formula::idle_hooks() const {
  const bool transforms =
      !rotation_.is_empty() || !query_scale_.is_empty() || !key_scale_.is_empty();
  return (add_.is_empty() ? kHookEmbeddings : 0u) | (transforms ? 0u : kHookTransform) |
         (bias_.has_strip() ? 0u : kHookDistanceStrip) | (bias_.has_tiles() ? 0u : kHookBias) |
         (logit_scale_ != 0 ? 0u : kHookScale) |
         (declarations_.parameters().empty() ? kHookParameters | kHookConstrain : 0u);
}

// ---- Hooks

void Formula::constrain(float* const* values) const {
  constexpr float kSmallest = 1e-6f;
  const std::span<const formula::Parameter> parameters = declarations_.parameters();
  for (int p = 0; p < static_cast<int>(parameters.size()); ++p)
    for (int i = 0; declarations_.is_positive(p) && i < parameters[p].size(); ++i)
      values[p][i] = std::max(values[p][i], kSmallest);
}

void Formula::transform_projections(const LayerContext& context, Projection projection, int head,
                                    const RowPositions& rows, Matrix x) const {
  if (projection == Projection::kValue) return;
  if (scales_projection(projection))
    scale_of(projection).multiply(context, declarations_, head, rows.positions, x);
  if (!rotation_.is_empty()) rotation_.rotate(context, declarations_, head, rows, x);
}

void Formula::transform_projections_backward(const LayerContext& context, Projection projection,
                                             int head, const RowPositions& rows, ConstMatrix raw,
                                             Matrix d_x) const {
  if (projection == Projection::kValue) return;
  const bool scales = scales_projection(projection);
  if (rotation_.is_empty() || rotation_.has_table() || !scales) {
    if (!rotation_.is_empty()) rotation_.rotate_back(context, declarations_, head, rows, raw, d_x);
    if (scales)
      scale_of(projection)
          .multiply_backward(context, declarations_, head, rows.positions, raw, d_x);
    return;
  }
  // The gradients of a rotation's parameters read the rows that it rotated: here scaled ones.
  float scaled[kMaxWidestHead];
  for (int i = 0; i < d_x.rows; ++i) {
    std::int32_t axes[3] = {};
    for (int a = 0; a < rows.positions.axes; ++a) axes[a] = rows.positions.at(i, a);
    const RowPositions row = {.positions = {axes, 1, rows.positions.axes}};
    const Matrix copy = {scaled, 1, d_x.columns, d_x.columns};
    const ConstMatrix before = {raw.row(i), 1, d_x.columns, d_x.columns};
    const Matrix gradient = {d_x.row(i), 1, d_x.columns, d_x.columns};
    std::copy_n(raw.row(i), d_x.columns, scaled);
    scale_of(projection).multiply(context, declarations_, head, row.positions, copy);
    rotation_.rotate_back(context, declarations_, head, row, {scaled, 1, d_x.columns, d_x.columns},
                          gradient);
    scale_of(projection)
        .multiply_backward(context, declarations_, head, row.positions, before, gradient);
  }
}

Status Formula::explain(const LayerContext& context, int head, int row, int column,
                        float content) const {
  WF_RETURN_IF_ERROR(bias_.explain(context, declarations_, head, row, column, content));
  const Positions &queries = context.query_positions, &keys = context.key_positions;
  const int kv_head = head / (shape_.num_heads / shape_.num_kv_heads);
  const int width = shape_.model_width(), channels = shape_.head_dim;
  WF_RETURN_IF_ERROR(add_.explain(context, declarations_, 0, queries, row, width));
  WF_RETURN_IF_ERROR(add_.explain(context, declarations_, 0, keys, column, width));
  WF_RETURN_IF_ERROR(query_scale_.explain(context, declarations_, head, queries, row, channels));
  WF_RETURN_IF_ERROR(key_scale_.explain(context, declarations_, kv_head, keys, column, channels));
  int length = 0;
  for (const Positions& positions : {queries, keys})
    for (int t = 0; t < positions.count; ++t) length = std::max(length, positions.at(t) + 1);
  WF_RETURN_IF_ERROR(rotation_.explain(context, declarations_, head, queries, row, length));
  return rotation_.explain(context, declarations_, kv_head, keys, column, length);
}

ExtraFlops Formula::extra_flops(const SchemeShape& shape, double queries, double keys) const {
  const double pairs = queries * keys, distances = queries + keys - 1;
  const double heads = shape.num_heads, rows = heads * queries + shape.num_kv_heads * keys;
  double layer = heads * pairs * bias_.tile_operations();
  if (bias_.has_strip()) layer += heads * (pairs + distances * bias_.strip_operations());
  if (!rotation_.is_empty()) layer += 6.0 * rotation_.pairs() * rows;
  if (!query_scale_.is_empty())
    layer += heads * queries * shape.head_dim * (1 + query_scale_.operations());
  if (!key_scale_.is_empty())
    layer += shape.num_kv_heads * keys * shape.head_dim * (1 + key_scale_.operations());
  return {.once = add_.is_empty() ? 0 : queries * shape.model_width() * (1 + add_.operations()),
          .layer = layer};
}

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  std::unique_ptr<Formula> scheme(new (std::nothrow) Formula());
  if (!scheme) return Status::error(Code::kOutOfMemory, "out of memory: a scheme");
  WF_RETURN_IF_ERROR(scheme->read(shape, options));
  return std::unique_ptr<Scheme>(std::move(scheme));
}

}  // namespace

const SchemeEntry formula_entry = {&kDescription, hooks_of<Formula>(), make};

}  // namespace wf
