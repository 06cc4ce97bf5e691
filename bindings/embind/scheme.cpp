#include "scheme.h"

#include <algorithm>
#include <cmath>

#include "attention/distance_bias.h"
#include "model/parameters.h"

namespace wf::binding {

Status read_choice(Arguments& arguments, const SchemeEntry*& entry, OptionValues& options) {
  entry = scheme_entries()[arguments.integer()];
  options = default_options(*entry->description);
  const int count = arguments.integer();
  for (int i = 0; i < count; ++i) {
    const int index = arguments.integer();
    WF_RETURN_IF_ERROR(set_option(*entry->description, options, index, arguments.list<double>()));
  }
  return {};
}

void add_options(const SchemeDescription& description, const OptionValues& options,
                 Answer& answer) {
  for (int i = 0; i < static_cast<int>(description.options.size()); ++i)
    answer.add(description.options[i].kind == OptionKind::kList
                   ? options.list(i)
                   : std::span<const double>(&options.values[i], 1));
}

Status SchemeParameters::begin(const SchemeInstance& instance, std::uint64_t seed) {
  std::size_t count = 0;
  for (const ParameterSpec& spec : instance.scheme->parameters()) count += spec.size();
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

Status SchemeHandle::need_parameters() {
  if (parameters.numbers.size() || scheme.scheme->parameters().empty()) return {};
  return parameters.begin(scheme, seed);
}

Status SchemeHandle::need(bool has, const char* what) const {
  if (has) return {};
  return Status::error(Code::kUnsupported, "%s: %s has none", what, description().id);
}

namespace {

Status make(SchemeHandle& handle, Arguments& arguments) {
  const SchemeEntry* entry;
  OptionValues options;
  WF_RETURN_IF_ERROR(read_choice(arguments, entry, options));
  handle.shape.num_heads = arguments.integer();
  handle.shape.num_kv_heads = arguments.integer();
  handle.shape.head_dim = arguments.integer();
  handle.shape.width = arguments.integer();
  WF_ASSIGN_OR_RETURN(handle.scheme, make_scheme(*entry, handle.shape, options));
  return {};
}

Status options_of(SchemeHandle& handle, Arguments&, Answer& answer) {
  add_options(handle.description(), handle.scheme.options, answer);
  return {};
}

// Parameters of this seed, from the next use on; until then and without it those of seed 0.
Status initialise(SchemeHandle& handle, Arguments& arguments, Answer&) {
  handle.seed = arguments.seed();
  return {};
}

// Their number; name, rows, columns and values of each.
Status parameters_of(SchemeHandle& handle, Arguments&, Answer& answer) {
  WF_RETURN_IF_ERROR(handle.need_parameters());
  const std::span<const ParameterSpec> specs = handle.scheme.scheme->parameters();
  answer.add(static_cast<double>(specs.size()));
  for (std::size_t i = 0; i < specs.size(); ++i) {
    answer.add(specs[i].name);
    answer.add(specs[i].rows);
    answer.add(specs[i].columns);
    answer.add(std::span<const float>(handle.parameters.pointers[i], specs[i].size()));
  }
  return {};
}

// The index of a parameter, and as many numbers as it has.
Status set_parameter(SchemeHandle& handle, Arguments& arguments, Answer&) {
  WF_RETURN_IF_ERROR(handle.need_parameters());
  const int index = arguments.integer();
  const std::span<const float> given = arguments.floats();
  std::copy(given.begin(), given.end(), handle.parameters.pointers[index]);
  return {};
}

// H, how many heads stand before those of x, T, positions [axes,T], and x [heads,T,D], which is
// turned.
Status rotate(SchemeHandle& handle, Arguments& arguments, Answer&) {
  const Scheme& scheme = *handle.scheme.scheme;
  WF_RETURN_IF_ERROR(handle.need(handle.scheme.has(kHookTransform), "rotate"));
  const int heads = arguments.integer(), first = arguments.integer(), count = arguments.integer();
  if (handle.scheme.has(kHookParameters) && heads > handle.shape.num_heads)
    return Status::error(Code::kInvalidArgument,
                         "x.shape: %d heads; allowed are 1 to %d, since %s trains numbers for each",
                         heads, handle.shape.num_heads, handle.description().id);
  if (scheme.needs_projections())
    return Status::error(Code::kUnsupported, "rotate: %s shares a layer's projections; use a model",
                         handle.description().id);
  WF_RETURN_IF_ERROR(handle.need_parameters());
  const Positions rows = arguments.positions(count);
  const std::span<float> x = arguments.finite_floats();
  WF_RETURN_IF_ERROR(check_axes(handle.description(), "positions", rows));
  WF_RETURN_IF_ERROR(arguments.status());
  // Later pieces of a call have the positions of its first.
  if (first == 0) {
    WF_RETURN_IF_ERROR(handle.rotation.refresh(scheme, rows, sequence_length(rows)));
  }
  const int width = handle.shape.head_dim;
  const int given = static_cast<int>(x.size() / (std::size_t(count) * width));
  const Heads view = heads_outermost(x.data(), given, count, width);
  const LayerContext context = {
      .query_positions = rows, .key_positions = rows, .values = handle.values()};
  for (int h = 0; h < given; ++h)
    scheme.transform_projections(context, Projection::kQuery, first + h, handle.rotation.rows(rows),
                                 view.head(h));
  return {};
}

// The count of positions [axes,T] and those, and a seed; [T,E], what they add to token vectors,
// with fresh parameters of this seed, or with the scheme's own where the seed is below 0.
Status embeddings(SchemeHandle& handle, Arguments& arguments, Answer& answer) {
  const Scheme& scheme = *handle.scheme.scheme;
  WF_RETURN_IF_ERROR(handle.need(handle.scheme.has(kHookEmbeddings), "embeddings"));
  const Positions rows = arguments.positions(arguments.integer());
  const double seed = arguments.number();
  WF_RETURN_IF_ERROR(check_axes(handle.description(), "positions", rows));
  WF_RETURN_IF_ERROR(scheme.check_positions(rows));
  SchemeParameters fresh;
  WF_RETURN_IF_ERROR(seed < 0 ? handle.need_parameters()
                              : fresh.begin(handle.scheme, static_cast<std::uint64_t>(seed)));
  const SchemeShape& shape = handle.shape;
  const int width = shape.width ? shape.width : shape.num_heads * shape.head_dim;
  WF_ASSIGN_OR_RETURN(float* x, answer.floats({1.0 * rows.count, 1.0 * width}));
  const LayerContext context = {.query_positions = rows,
                                .key_positions = rows,
                                .values = seed < 0 ? handle.values() : fresh.pointers};
  scheme.add_to_embeddings(context, {x, rows.count, width, width});
  return {};
}

// Positions of T queries and S keys; [H,T,S].
Status bias(SchemeHandle& handle, Arguments& arguments, Answer& answer) {
  WF_RETURN_IF_ERROR(handle.need(handle.scheme.has(kHookDistanceStrip), "bias"));
  WF_RETURN_IF_ERROR(handle.need_parameters());
  const std::span<const std::int32_t> queries = arguments.integers(), keys = arguments.integers();
  const int rows = static_cast<int>(queries.size()), columns = static_cast<int>(keys.size());
  const int heads = handle.shape.num_heads;
  Buffer<float> run;
  WF_RETURN_IF_ERROR(run.reserve(keys.size()));
  WF_ASSIGN_OR_RETURN(float* row, answer.floats({1.0 * heads, 1.0 * rows, 1.0 * columns}));
  // Some biases are multiplied with the product.
  const float own_scale = handle.scheme.scheme->logit_scale();
  const LayerContext context = {
      .query_positions = {queries.data(), rows},
      .key_positions = {keys.data(), columns},
      .scale =
          own_scale != 0 ? own_scale : 1 / std::sqrt(static_cast<float>(handle.shape.head_dim)),
      .values = handle.values()};
  const LayerScheme item = {.scheme = handle.scheme.scheme.get(),
                            .description = &handle.description(),
                            .hooks = handle.scheme.hooks};
  for (int h = 0; h < heads; ++h)
    for (int t = 0; t < rows; ++t, row += columns)
      add_distance_row(item, context, h, t, 0, columns, run.data(), row);
  return {};
}

// T queries, S keys and the width of a model; { modelParameters, layerParameters, onceFlops,
// layerFlops, cacheFloats }.
Status cost(SchemeHandle& handle, Arguments& arguments, Answer& answer) {
  const int queries = arguments.integer(), keys = arguments.integer();
  SchemeShape shape = handle.shape;
  shape.width = arguments.integer();
  WF_ASSIGN_OR_RETURN(const SchemeInstance sized,
                      make_scheme(*handle.scheme.entry, shape, handle.scheme.options));
  double parameters[2] = {};  // of the model, of each layer
  for (const ParameterSpec& spec : sized.scheme->parameters())
    parameters[spec.scope == ParameterScope::kLayer] += 1.0 * spec.rows * spec.columns;
  const ExtraFlops flops = sized.scheme->extra_flops(shape, queries, keys);
  const auto projections = sized.entry->projections;
  const int cached = projections ? projections(shape, sized.options).cached()
                                 : shape.num_kv_heads * (shape.head_dim + shape.value_channels());
  for (const double number : {parameters[0], parameters[1], flops.once, flops.layer, 1.0 * cached})
    answer.add(number);
  return {};
}

// The length of a sequence; { attentionFactor, inverseFrequencies }.
Status frequencies(SchemeHandle& handle, Arguments& arguments, Answer& answer) {
  Buffer<double> found;
  WF_RETURN_IF_ERROR(found.reserve(handle.shape.head_dim));
  double factor = 1;
  const int count = handle.scheme.scheme->frequencies(arguments.integer(), found.data(), &factor);
  WF_RETURN_IF_ERROR(handle.need(count > 0, "frequencies"));
  answer.add(factor);
  WF_ASSIGN_OR_RETURN(float* rounded, answer.room<float>(count));
  for (int i = 0; i < count; ++i) rounded[i] = static_cast<float>(found[i]);
  return {};
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(scheme) {
  using namespace wf::binding;
  bind<&make>("makeScheme");
  bind<&options_of>("schemeOptions");
  bind<&initialise>("initialise");
  bind<&parameters_of>("parameters");
  bind<&set_parameter>("setParameter");
  bind<&rotate>("rotate");
  bind<&embeddings>("embeddings");
  bind<&bias>("bias");
  bind<&cost>("cost");
  bind<&frequencies>("frequencies");
}
