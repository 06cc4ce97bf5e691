#include "scheme.h"

#include <algorithm>
#include <cmath>

#include "attention/distance_bias.h"
#include "attention/position_table.h"
#include "model/parameters.h"

namespace wf::binding {
namespace {

struct HookName {
  Hook hook;
  const char* name;
};
constexpr HookName kHookNames[] = {{kHookEmbeddings, "embeddings"},
                                   {kHookTransform, "transform"},
                                   {kHookDistanceStrip, "distanceStrip"},
                                   {kHookBias, "bias"},
                                   {kHookParameters, "parameters"},
                                   {kHookPrepare, "prepare"},
                                   {kHookOutput, "output"},
                                   {kHookScale, "scale"},
                                   {kHookConstrain, "constrain"}};
constexpr const char* kCrossNames[] = {"none", "positions", "refused"};
constexpr const char* kKindNames[] = {"boolean", "integer", "number", "choice", "list"};

val number_array(std::span<const double> numbers) {
  val result = val::array();
  for (double x : numbers) result.call<void>("push", x);
  return result;
}


val option_value(const Option& option, double value, std::span<const double> list) {
  switch (option.kind) {
    case OptionKind::kList: return number_array(list);
    case OptionKind::kBoolean: return val(value != 0);
    case OptionKind::kChoice: return val(std::string(option.choices[static_cast<int>(value)]));
    default: return val(value);
  }
}

val describe_option(const Option& option) {
  val result = val::object();
  result.set("key", std::string(option.key));
  result.set("configKey", std::string(option.config_key));
  result.set("kind", std::string(kKindNames[static_cast<int>(option.kind)]));
  result.set("default", option_value(option, option.default_value, {}));
  if (option.kind == OptionKind::kInteger || option.kind == OptionKind::kNumber ||
      option.kind == OptionKind::kList) {
    result.set("minimum", option.minimum);
    result.set("maximum", option.maximum);
  }
  if (option.kind == OptionKind::kChoice) {
    val choices = val::array();
    for (const char* choice : option.choices) choices.call<void>("push", std::string(choice));
    result.set("choices", choices);
  }
  return result;
}

val describe(const SchemeEntry& entry) {
  const SchemeDescription& from = *entry.description;
  val claims = val::object();
  claims.set("shiftInvariant", from.claims.shift_invariant);
  claims.set("extrapolatesByConstruction", from.claims.extrapolates_by_construction);
  claims.set("bidirectional", from.claims.bidirectional);
  claims.set("decodes", from.claims.decodes);
  val options = val::array(), hooks = val::array(), terms = val::array();
  for (const Option& option : from.options) options.call<void>("push", describe_option(option));
  for (const HookName& item : kHookNames)
    if (entry.hooks & item.hook) hooks.call<void>("push", std::string(item.name));
  if (from.transform_term) terms.call<void>("push", std::string(from.transform_term));
  for (const char* term : from.bias_terms) terms.call<void>("push", std::string(term));

  val result = val::object();
  result.set("id", std::string(from.id));
  result.set("family", std::string(from.family));
  result.set("paper", std::string(from.paper));
  result.set("year", from.year);
  result.set("options", options);
  result.set("claims", claims);
  result.set("crossAttention",
             std::string(kCrossNames[static_cast<int>(from.cross_attention)]));
  result.set("hooks", hooks);
  result.set("terms", terms);
  result.set("positionAxes", from.position_axes);
  result.set("selects", std::string(from.selects));
  return result;
}

val describe_schemes() {
  val result = val::array();
  for (const SchemeEntry* entry : scheme_entries()) result.call<void>("push", describe(*entry));
  return result;
}

}  // namespace

Result<OptionValues> options_from(const SchemeDescription& description, const val& keys,
                                  const val& values) {
  OptionValues options = default_options(description);
  const int count = keys["length"].as<int>();
  for (int i = 0; i < count; ++i) {
    const auto key = keys[i].as<std::string>();
    const val value = values[i];
    if (value.isArray()) {
      const int length = value["length"].as<int>();
      WF_ASSIGN_OR_RETURN(Buffer<double> list, Buffer<double>::make(length));
      for (int k = 0; k < length; ++k) list[k] = value[k].as<double>();
      WF_RETURN_IF_ERROR(set_option(description, options, key.c_str(),
                                    std::span<const double>(list.data(), list.size())));
    } else if (value.isString()) {
      const auto word = value.as<std::string>();
      WF_RETURN_IF_ERROR(set_option(description, options, key.c_str(), 0, word.c_str()));
    } else {
      const double number = value.isTrue() ? 1 : value.isFalse() ? 0 : value.as<double>();
      WF_RETURN_IF_ERROR(set_option(description, options, key.c_str(), number));
    }
  }
  return options;
}

val options_object(const SchemeDescription& description, const OptionValues& options) {
  val result = val::object();
  for (std::size_t i = 0; i < description.options.size(); ++i) {
    const std::string key = description.options[i].key;
    const val value = option_value(description.options[i], options.values[i],
                                   description.options[i].kind == OptionKind::kList
                                       ? options.list(static_cast<int>(i))
                                       : std::span<const double>());
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) {
      result.set(key, value);
      continue;
    }
    const std::string group = key.substr(0, dot);
    if (result[group].isUndefined()) result.set(group, val::object());
    result[group].set(key.substr(dot + 1), value);
  }
  return result;
}

Result<std::unique_ptr<SchemeHandle>> SchemeHandle::make(std::string id, int num_heads,
                                                         int num_kv_heads, int head_dim, int width,
                                                         val keys, val values) {
  WF_ASSIGN_OR_RETURN(const SchemeEntry* entry, find_scheme(id.c_str()));
  WF_ASSIGN_OR_RETURN(const OptionValues options,
                      options_from(*entry->description, keys, values));
  const SchemeShape shape = {num_heads, num_kv_heads, head_dim, 0, width};
  WF_ASSIGN_OR_RETURN(SchemeInstance instance, make_scheme(*entry, shape, options));
  return new_handle<SchemeHandle>(std::move(instance), shape);
}

Status SchemeHandle::refuse(const char* what) const {
  return Status::error(Code::kUnsupported, "%s: %s has none", what,
                       instance_->entry->description->id);
}

Result<val> SchemeHandle::rotate(val x, int heads, int count, val positions) {
  if (!instance_->has(kHookTransform)) return refuse("rotate");
  if (instance_->has(kHookParameters) && heads > shape_.num_heads)
    return Status::error(Code::kInvalidArgument,
                         "x.shape: %d heads; allowed are 1 to %d, since %s trains numbers for each", heads,
                         shape_.num_heads, instance_->entry->description->id);
  if (instance_->scheme->needs_projections())
    return Status::error(Code::kUnsupported, "rotate: %s shares a layer's projections; use a model",
                         instance_->entry->description->id);
  WF_RETURN_IF_ERROR(need_parameters());
  WF_ASSIGN_OR_RETURN(Buffer<float> values, floats_from(x));
  WF_ASSIGN_OR_RETURN(const Buffer<std::int32_t> places, integers_from(positions));
  const Positions rows = positions_of(places, count);
  WF_RETURN_IF_ERROR(check_axes(*instance_->entry->description, "positions", rows));
  PositionTable table;
  WF_RETURN_IF_ERROR(table.refresh(*instance_->scheme, rows, sequence_length(rows)));
  const Heads view = heads_outermost(values.data(), heads, rows.count, shape_.head_dim);
  const LayerContext context = {.query_positions = rows,
                                .key_positions = rows,
                                .values = instance_->parameters.pointers};
  for (int h = 0; h < heads; ++h)
    instance_->scheme->transform_projections(context, Projection::kQuery, h, table.rows(rows),
                                             view.head(h));
  return float32_array(values.data(), values.size());
}

Result<SchemeParameters> SchemeParameters::fresh(const SchemeInstance& instance, double seed) {
  SchemeParameters made;
  std::size_t count = 0;
  for (const ParameterSpec& spec : instance.scheme->parameters()) count += spec.size();
  WF_ASSIGN_OR_RETURN(made.values, Buffer<float>::make(count));
  float* next = made.values.data();
  int index = 0;
  for (const ParameterSpec& spec : instance.scheme->parameters()) {
    const int layer = spec.scope == ParameterScope::kModel ? -1 : 0;
    const TensorInfo info = scheme_tensor_info(spec, instance.entry->description->id, layer);
    initialise_tensor(info, static_cast<std::uint64_t>(seed), next);
    made.pointers[index++] = next;
    next += spec.size();
  }
  return made;
}

Status SchemeHandle::need_parameters() {
  if (instance_->parameters.values.size() || instance_->scheme->parameters().empty()) return {};
  WF_ASSIGN_OR_RETURN(instance_->parameters, SchemeParameters::fresh(*instance_, seed_));
  return {};
}

Result<std::shared_ptr<const ParameterisedScheme>> SchemeHandle::instance() {
  WF_RETURN_IF_ERROR(need_parameters());
  return std::shared_ptr<const ParameterisedScheme>(instance_);
}

void SchemeHandle::initialise(double seed) { seed_ = seed; }

Result<val> SchemeHandle::parameters() {
  WF_RETURN_IF_ERROR(need_parameters());
  val result = val::object();
  int index = 0;
  for (const ParameterSpec& spec : instance_->scheme->parameters()) {
    val shape = val::array();
    if (spec.rows > 1) shape.call<void>("push", spec.rows);
    shape.call<void>("push", spec.columns);
    val item = val::object();
    item.set("data", float32_array(instance_->parameters.pointers[index++], spec.size()));
    item.set("shape", shape);
    result.set(spec.name, item);
  }
  return result;
}

Status SchemeHandle::set_parameter(int index, val data) {
  WF_RETURN_IF_ERROR(need_parameters());
  WF_ASSIGN_OR_RETURN(const Buffer<float> given, floats_from(data));
  const auto& specs = instance_->scheme->parameters();
  if (index < 0 || index >= static_cast<int>(specs.size()) || specs[index].size() != given.size())
    return Status::error(Code::kInternal, "a parameter of %zu numbers", given.size());
  const std::size_t offset =
      static_cast<std::size_t>(instance_->parameters.pointers[index] - instance_->parameters.values.data());
  std::copy_n(given.data(), given.size(), instance_->parameters.values.data() + offset);
  return {};
}

Result<val> SchemeHandle::embeddings(val positions, int count, double seed) {
  if (!instance_->has(kHookEmbeddings)) return refuse("embeddings");
  const Scheme& scheme = *instance_->scheme;
  WF_ASSIGN_OR_RETURN(const Buffer<std::int32_t> places, integers_from(positions));
  const Positions rows = positions_of(places, count);
  WF_RETURN_IF_ERROR(check_axes(*instance_->entry->description, "positions", rows));
  WF_RETURN_IF_ERROR(scheme.check_positions(rows));
  SchemeParameters other;
  if (seed < 0) {
    WF_RETURN_IF_ERROR(need_parameters());
  } else {
    WF_ASSIGN_OR_RETURN(other, SchemeParameters::fresh(*instance_, seed));
  }
  const int width = shape_.width ? shape_.width : shape_.num_heads * shape_.head_dim;
  WF_ASSIGN_OR_RETURN(const std::size_t floats, count_of({1.0 * rows.count, 1.0 * width}));
  WF_ASSIGN_OR_RETURN(Buffer<float> x, Buffer<float>::make(floats));
  const LayerContext context = {
      .query_positions = rows,
      .key_positions = rows,
      .values = (seed < 0 ? instance_->parameters : other).pointers};
  scheme.add_to_embeddings(context, {x.data(), rows.count, width, width});
  return float32_array(x.data(), x.size());
}

Result<val> SchemeHandle::bias(val query_positions, val key_positions) {
  if (!instance_->has(kHookDistanceStrip)) return refuse("bias");
  WF_RETURN_IF_ERROR(need_parameters());
  WF_ASSIGN_OR_RETURN(const Buffer<std::int32_t> queries, integers_from(query_positions));
  WF_ASSIGN_OR_RETURN(const Buffer<std::int32_t> keys, integers_from(key_positions));
  const int columns = static_cast<int>(keys.size());
  WF_ASSIGN_OR_RETURN(Buffer<float> run, Buffer<float>::make(keys.size()));
  WF_ASSIGN_OR_RETURN(const std::size_t cells,
                      count_of({1.0 * shape_.num_heads, 1.0 * queries.size(), 1.0 * keys.size()}));
  WF_ASSIGN_OR_RETURN(Buffer<float> bias, Buffer<float>::make(cells));
  // Some biases are multiplied with the product.
  const float own_scale = instance_->scheme->logit_scale();
  const LayerContext context = {
      .query_positions = positions_of(queries, static_cast<int>(queries.size())),
      .key_positions = positions_of(keys, columns),
      .scale = own_scale != 0 ? own_scale : 1 / std::sqrt(static_cast<float>(shape_.head_dim)),
      .values = instance_->parameters.pointers};
  const LayerScheme item = {.scheme = instance_->scheme.get(),
                            .description = instance_->entry->description,
                            .hooks = instance_->hooks};
  float* row = bias.data();
  for (int h = 0; h < shape_.num_heads; ++h)
    for (std::size_t t = 0; t < queries.size(); ++t, row += columns)
      add_distance_row(item, context, h, static_cast<int>(t), 0, columns, run.data(), row);
  return float32_array(bias.data(), bias.size());
}

Result<val> SchemeHandle::cost(int queries, int keys, int width) const {
  SchemeShape shape = shape_;
  shape.width = width;
  WF_ASSIGN_OR_RETURN(const SchemeInstance sized,
                      make_scheme(*instance_->entry, shape, instance_->options));
  double parameters[2] = {};  // of the model, of each layer
  for (const ParameterSpec& spec : sized.scheme->parameters())
    parameters[spec.scope == ParameterScope::kLayer] += 1.0 * spec.rows * spec.columns;
  const ExtraFlops flops = sized.scheme->extra_flops(shape, queries, keys);
  val result = val::object();
  result.set("modelParameters", parameters[0]);
  result.set("layerParameters", parameters[1]);
  result.set("onceFlops", flops.once);
  result.set("layerFlops", flops.layer);
  const auto projections = sized.entry->projections;
  result.set("cacheFloats",
             projections ? projections(shape, sized.options).cached()
                         : shape.num_kv_heads * (shape.head_dim + shape.value_channels()));
  return result;
}

Result<val> SchemeHandle::frequencies(int sequence_length) const {
  WF_ASSIGN_OR_RETURN(Buffer<double> found, Buffer<double>::make(shape_.head_dim));
  double factor = 1;
  const int count = instance_->scheme->frequencies(sequence_length, found.data(), &factor);
  if (count == 0) return refuse("frequencies");
  WF_ASSIGN_OR_RETURN(Buffer<float> rounded, Buffer<float>::make(count));
  for (int i = 0; i < count; ++i) rounded[i] = static_cast<float>(found[i]);
  val result = val::object();
  result.set("inverseFrequencies", float32_array(rounded.data(), rounded.size()));
  result.set("attentionFactor", factor);
  return result;
}

}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(scheme) {
  using namespace wf::binding;
  using emscripten::return_value_policy::take_ownership;
  emscripten::function("describeSchemes", &describe_schemes);
  emscripten::class_<SchemeHandle>("Scheme")
      .class_function("make", guarded<&SchemeHandle::make>, take_ownership())
      .function("options", &SchemeHandle::options)
      .function("initialise", &SchemeHandle::initialise)
      .function("parameters", guarded<&SchemeHandle::parameters>)
      .function("setParameter", guarded<&SchemeHandle::set_parameter>)
      .function("rotate", guarded<&SchemeHandle::rotate>)
      .function("embeddings", guarded<&SchemeHandle::embeddings>)
      .function("bias", guarded<&SchemeHandle::bias>)
      .function("cost", guarded<&SchemeHandle::cost>)
      .function("frequencies", guarded<&SchemeHandle::frequencies>);
}
