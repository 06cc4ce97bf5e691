#include "calls/scheme.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "attention/distance_bias.h"
#include "kernels/dot.h"
#include "model/parameters.h"

namespace wf::calls {
namespace {

constexpr int kMaxWidth = 1 << 20;

}  // namespace

Status SchemeParameters::begin(const SchemeInstance& instance, std::uint64_t seed) {
  double total = 0;
  for (const ParameterSpec& spec : instance.scheme->parameters())
    total += 1.0 * spec.rows * spec.columns;
  WF_ASSIGN_OR_RETURN(const std::size_t count, count_of({total}));
  WF_RETURN_IF_ERROR(numbers.reserve(count));
  float* next = numbers.data();
  int index = 0;
  for (const ParameterSpec& spec : instance.scheme->parameters()) {
    const int layer = spec.scope == ParameterScope::kModel ? -1 : 0;
    const TensorInfo info = scheme_tensor_info(spec, instance.entry->description->id, layer);
    initialise_tensor(info, seed, next);
    pointers[index++] = next;
    next += spec.size();
  }
  return {};
}

Status SchemeState::need_parameters() {
  if (parameters.numbers.size() || instance.scheme->parameters().empty()) return {};
  return parameters.begin(instance, seed);
}

Result<std::unique_ptr<ConfiguredScheme>> ConfiguredScheme::make(const ChosenScheme& chosen,
                                                                 const SchemeShape& shape) {
  WF_RETURN_IF_ERROR(check_range("hiddenSize", shape.width, 0, kMaxWidth));
  auto state = std::make_shared<SchemeState>();
  state->shape = shape;
  const SchemeChoice& choice = chosen.choice();
  WF_ASSIGN_OR_RETURN(state->instance, make_scheme(*choice.entry, state->shape, choice.options));
  auto scheme = std::make_unique<ConfiguredScheme>();
  scheme->state_ = std::move(state);
  return scheme;
}

Status ConfiguredScheme::need(bool has, const char* what) const {
  if (has) return {};
  return Status::error(Code::kUnsupported, "%s: %s has none", what, state_->description().id);
}

List ConfiguredScheme::option(int index) const {
  return numbers_of(state_->description(), state_->instance.options, index);
}

Status ConfiguredScheme::initialise(double seed) {
  WF_ASSIGN_OR_RETURN(state_->seed, seed_of(seed));
  return {};
}

int ConfiguredScheme::parameter_count() const {
  return static_cast<int>(state_->instance.scheme->parameters().size());
}

ParameterView ConfiguredScheme::parameter(int index) const {
  if (index < 0 || index >= parameter_count()) return {"", 0, 0, {}};
  const ParameterSpec& spec = state_->instance.scheme->parameters()[index];
  const float* numbers = state_->parameters.pointers[index];
  return {spec.name,
          spec.rows,
          spec.columns,
          {reinterpret_cast<std::uintptr_t>(numbers), numbers ? static_cast<int>(spec.size()) : 0}};
}

Status ConfiguredScheme::set_parameter(const Workspace& workspace, int index, List numbers) {
  WF_RETURN_IF_ERROR(check_range("parameter", index, 0, parameter_count() - 1.0));
  WF_RETURN_IF_ERROR(prepare_parameters());
  const ParameterView spec = parameter(index);
  Reader reader(workspace);
  const float* given = reader.floats(spec.name, numbers, {1.0 * spec.rows, 1.0 * spec.columns});
  reader.forbid_not_finite(numbers);
  WF_RETURN_IF_ERROR(reader.status());
  std::copy_n(given, numbers.length, state_->parameters.pointers[index]);
  return {};
}

Status ConfiguredScheme::rotate(const Workspace& workspace, int heads, int first, int tokens,
                                List positions, List x) {
  const SchemeInstance& instance = state_->instance;
  const Scheme& scheme = *instance.scheme;
  const int width = state_->shape.head_dim;
  const bool widens = scheme.transformed_channels(width) > width;
  WF_RETURN_IF_ERROR(need(instance.has(kHookTransform) && !widens, "rotate"));
  const int max = instance.has(kHookParameters) ? state_->shape.num_heads : kMaxHeads;
  if (heads > max && max != kMaxHeads)
    return WF_UNEXPECTED("x.shape", "%d heads", "1 to %d, since %s has trained numbers for each",
                         heads, max, state_->description().id);
  if (scheme.needs_projections())
    return Status::error(Code::kUnsupported, "rotate: %s shares a layer's projections; use a model",
                         state_->description().id);
  WF_RETURN_IF_ERROR(check_range("heads", heads, 1, max));
  WF_RETURN_IF_ERROR(check_range("first", first, 0, heads - 1.0));
  WF_RETURN_IF_ERROR(check_range("tokens", tokens, 1, INT32_MAX));
  WF_RETURN_IF_ERROR(state_->need_parameters());
  const double head_size = 1.0 * tokens * width;
  const int given = static_cast<int>(x.length / head_size);
  Reader reader(workspace);
  const Positions rows = reader.positions("positions", positions, tokens);
  reader.refuse(check_range("heads", 1.0 * first + given, first + 1.0, heads));
  float* numbers = reader.result<float>("x", x, {1.0 * given, head_size});
  WF_RETURN_IF_ERROR(reader.status());
  WF_RETURN_IF_ERROR(check_axes(state_->description(), "positions", rows));
  reader.forbid_not_finite(x);
  WF_RETURN_IF_ERROR(reader.status());
  // Later pieces of a tensor use the positions of its first piece.
  if (first == 0) {
    rotated_tokens_ = 0;
    WF_RETURN_IF_ERROR(rotation_.refresh(scheme, rows, sequence_length(rows), state_->values()));
    rotated_tokens_ = tokens;
    rotated_axes_ = rows.axes;
  } else if (rotated_tokens_ != tokens || rotated_axes_ != rows.axes) {
    return WF_UNEXPECTED("positions", "other positions than for the first heads",
                         "equal positions");
  }
  const Heads view = heads_outermost(numbers, given, tokens, width);
  const LayerContext context = {
      .query_positions = rows, .key_positions = rows, .values = state_->values()};
  for (int h = 0; h < given; ++h)
    scheme.transform_projections(context, Projection::kQuery, first + h, rotation_.rows(rows),
                                 view.head(h));
  return {};
}

Status ConfiguredScheme::embeddings(const Workspace& workspace, int tokens, List positions,
                                    double seed, List result) {
  const Scheme& scheme = *state_->instance.scheme;
  WF_RETURN_IF_ERROR(need(state_->instance.has(kHookEmbeddings), "embeddings"));
  Reader reader(workspace);
  const Positions rows = reader.positions("positions", positions, tokens);
  const int width = state_->shape.model_width();
  float* x = reader.result<float>("out", result, {1.0 * tokens, 1.0 * width});
  WF_RETURN_IF_ERROR(reader.status());
  WF_RETURN_IF_ERROR(check_axes(state_->description(), "positions", rows));
  WF_RETURN_IF_ERROR(scheme.check_positions(rows));
  SchemeParameters begun;
  if (seed < 0) {
    WF_RETURN_IF_ERROR(state_->need_parameters());
  } else {
    WF_ASSIGN_OR_RETURN(const std::uint64_t checked_seed, seed_of(seed));
    WF_RETURN_IF_ERROR(begun.begin(state_->instance, checked_seed));
  }
  const LayerContext context = {.query_positions = rows,
                                .key_positions = rows,
                                .values = seed < 0 ? state_->values() : begun.pointers};
  std::memset(x, 0, sizeof(float) * result.length);
  scheme.add_to_embeddings(context, {x, tokens, width, width});
  for (int t = 0; scheme.may_fail() && t < tokens; ++t)
    if (!all_finite(x + std::ptrdiff_t{t} * width, width))
      WF_RETURN_IF_ERROR(scheme.explain(context, 0, t, t, 0));
  return {};
}

Status ConfiguredScheme::bias(const Workspace& workspace, List queries, List keys, List result) {
  const SchemeInstance& instance = state_->instance;
  // The tiles of formulas may depend on positions alone; those of other schemes read queries and
  // keys.
  const bool has_tiles = instance.has(kHookBias);
  const bool knows_tiles =
      instance.scheme->may_fail() && !instance.scheme->traversal().reads_content;
  WF_RETURN_IF_ERROR(need(has_tiles ? knows_tiles : instance.has(kHookDistanceStrip), "bias"));
  const int heads = state_->shape.num_heads;
  Reader reader(workspace);
  const Positions rows = reader.positions("queryPositions", queries, queries.length);
  const Positions columns = reader.positions("keyPositions", keys, keys.length);
  float* row =
      reader.result<float>("out", result, {1.0 * heads, 1.0 * queries.length, 1.0 * keys.length});
  WF_RETURN_IF_ERROR(reader.status());
  WF_RETURN_IF_ERROR(state_->need_parameters());
  Buffer<float> run;
  WF_RETURN_IF_ERROR(run.reserve(keys.length));
  // Some biases are multiplied by the scale.
  const float scheme_scale = instance.scheme->logit_scale();
  const LayerContext context = {
      .query_positions = rows,
      .key_positions = columns,
      .scale = scheme_scale != 0 ? scheme_scale
                                 : 1 / std::sqrt(static_cast<float>(state_->shape.head_dim)),
      .values = state_->values()};
  const LayerScheme item = {.scheme = instance.scheme.get(),
                            .description = &state_->description(),
                            .hooks = instance.hooks};
  std::memset(row, 0, sizeof(float) * result.length);
  for (int h = 0; h < heads; ++h)
    for (int t = 0; t < rows.count; ++t, row += columns.count) {
      if (instance.has(kHookDistanceStrip))
        add_distance_row(item, context, h, t, 0, columns.count, run.data(), row);
      for (int first = 0; has_tiles && first < columns.count; first += kTileStride)
        instance.scheme->bias_logits(context,
                                     {.head = h,
                                      .row0 = t,
                                      .rows = 1,
                                      .column0 = first,
                                      .columns = std::min(kTileStride, columns.count - first),
                                      .logits = row + first,
                                      .stride = kTileStride,
                                      .q = {},
                                      .k = {}});
      for (int j = 0; instance.scheme->may_fail() && j < columns.count; ++j)
        if (!(row[j] < INFINITY)) WF_RETURN_IF_ERROR(instance.scheme->explain(context, h, t, j, 0));
    }
  return {};
}

Result<SchemeCost> ConfiguredScheme::cost(int queries, int keys, int width) const {
  WF_RETURN_IF_ERROR(check_range("queries", queries, 1, INT32_MAX));
  WF_RETURN_IF_ERROR(check_range("keys", keys, 1, INT32_MAX));
  WF_RETURN_IF_ERROR(check_range("width", width, 1, kMaxWidth));
  SchemeShape shape = state_->shape;
  shape.width = width;
  WF_ASSIGN_OR_RETURN(const SchemeInstance sized,
                      make_scheme(*state_->instance.entry, shape, state_->instance.options));
  SchemeCost cost;
  for (const ParameterSpec& spec : sized.scheme->parameters())
    (spec.scope == ParameterScope::kLayer ? cost.layer_parameters : cost.model_parameters) +=
        1.0 * spec.rows * spec.columns;
  const ExtraFlops flops = sized.scheme->extra_flops(shape, queries, keys);
  cost.once_flops = flops.once;
  cost.layer_flops = flops.layer;
  const auto projections = sized.entry->projections;
  cost.cache_floats = projections ? projections(shape, sized.options).cached()
                                  : shape.num_kv_heads * (shape.head_dim + shape.value_channels());
  if (sized.has(kHookFeatures) && sized.scheme->feature_side() == FeatureSide::kKeys)
    cost.cache_floats += sized.scheme->feature_count();
  const int channels = shape.head_dim;
  cost.cache_floats +=
      shape.num_kv_heads * (sized.scheme->transformed_channels(channels) - channels);
  return cost;
}

Result<Frequencies> ConfiguredScheme::frequencies(const Workspace& workspace, int length,
                                                  List result) const {
  WF_RETURN_IF_ERROR(check_range("sequenceLength", length, 1, INT32_MAX));
  Reader reader(workspace);
  float* rounded = reader.result<float>("out", result, {1.0 * state_->shape.head_dim});
  WF_RETURN_IF_ERROR(reader.status());
  Buffer<double> found;
  WF_RETURN_IF_ERROR(found.reserve(state_->shape.head_dim));
  Frequencies frequencies;
  frequencies.count =
      state_->instance.scheme->frequencies(length, found.data(), &frequencies.attention_factor);
  WF_RETURN_IF_ERROR(need(frequencies.count > 0, "frequencies"));
  for (int i = 0; i < frequencies.count; ++i) rounded[i] = static_cast<float>(found[i]);
  return frequencies;
}

}  // namespace wf::calls
