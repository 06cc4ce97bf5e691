#include "calls/scheme.h"

#include <string>

#include "boundary.h"
#include "calls/descriptions.h"

namespace wf::binding {
namespace {

using calls::ChosenScheme;
using calls::ConfiguredScheme;
using calls::Frequencies;
using calls::SchemeCost;

// A ParameterView whose name is a string for Embind.
struct Parameter {
  std::string name;
  int rows = 0, columns = 0;
  calls::List numbers;
};

ChosenScheme* choose(int scheme) { return handed_over(ChosenScheme::make(scheme)); }

Code set_option(ChosenScheme& chosen, int option, Address numbers, int length) {
  return report(chosen.set_option(workspace(), option, {numbers, length}));
}

calls::SchemeFacts facts(const ConfiguredScheme& scheme) {
  const calls::SchemeState& state = *scheme.state();
  return calls::facts_of(state.description(), state.instance.hooks);
}

std::string term(const ConfiguredScheme& scheme, int index) {
  return calls::term_of(scheme.state()->description(), index);
}

ConfiguredScheme* make(const ChosenScheme& chosen, const SchemeShape& shape) {
  return handed_over(ConfiguredScheme::make(chosen, shape));
}

Code initialise(ConfiguredScheme& scheme, double seed) { return report(scheme.initialise(seed)); }

Code prepare(ConfiguredScheme& scheme) { return report(scheme.prepare_parameters()); }

Parameter parameter(const ConfiguredScheme& scheme, int index) {
  const calls::ParameterView view = scheme.parameter(index);
  return {view.name, view.rows, view.columns, view.numbers};
}

Code set_parameter(ConfiguredScheme& scheme, int index, Address numbers, int length) {
  return report(scheme.set_parameter(workspace(), index, {numbers, length}));
}

Code rotate(ConfiguredScheme& scheme, int heads, int first, int tokens, Address positions,
            int positions_length, Address x, int x_length) {
  return report(scheme.rotate(workspace(), heads, first, tokens, {positions, positions_length},
                              {x, x_length}));
}

Code embeddings(ConfiguredScheme& scheme, int tokens, Address positions, int positions_length,
                double seed, Address out, int out_length) {
  return report(scheme.embeddings(workspace(), tokens, {positions, positions_length}, seed,
                                  {out, out_length}));
}

Code bias(ConfiguredScheme& scheme, Address queries, int queries_length, Address keys,
          int keys_length, Address out, int out_length) {
  return report(
      scheme.bias(workspace(), {queries, queries_length}, {keys, keys_length}, {out, out_length}));
}

SchemeCost cost(const ConfiguredScheme& scheme, int queries, int keys, int width) {
  return answer(scheme.cost(queries, keys, width));
}

Frequencies frequencies(const ConfiguredScheme& scheme, int length, Address out, int out_length) {
  return answer(scheme.frequencies(workspace(), length, {out, out_length}));
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(scheme) {
  using namespace wf::binding;
  emscripten::value_object<wf::SchemeShape>("SchemeShape")
#define WF_FIELD(type, name, public_name, ...) .field(#public_name, &wf::SchemeShape::name)
#include "schemes/shape_fields.def"
      .field("width", &wf::SchemeShape::width);
  emscripten::value_object<Parameter>("Parameter")
      .field("name", &Parameter::name)
      .field("rows", &Parameter::rows)
      .field("columns", &Parameter::columns)
      .field("numbers", &Parameter::numbers);
  emscripten::value_object<SchemeCost>("SchemeCost")
      .field("code", &SchemeCost::code)
      .field("modelParameters", &SchemeCost::model_parameters)
      .field("layerParameters", &SchemeCost::layer_parameters)
      .field("onceFlops", &SchemeCost::once_flops)
      .field("layerFlops", &SchemeCost::layer_flops)
      .field("cacheFloats", &SchemeCost::cache_floats);
  emscripten::value_object<Frequencies>("Frequencies")
      .field("code", &Frequencies::code)
      .field("attentionFactor", &Frequencies::attention_factor)
      .field("count", &Frequencies::count);
  emscripten::class_<ChosenScheme>("ChosenScheme")
      .class_function("make(scheme)", &choose, emscripten::allow_raw_pointers())
      .function("setOption(option, numbers, numbersLength)", &set_option);
  emscripten::class_<ConfiguredScheme>("Scheme")
      .class_function("make(chosen, shape)", &make, emscripten::allow_raw_pointers())
      .function("facts()", &facts)
      .function("term(index)", &term)
      .function("option(index)", &ConfiguredScheme::option)
      .function("initialise(seed)", &initialise)
      .function("prepareParameters()", &prepare)
      .function("parameterCount()", &ConfiguredScheme::parameter_count)
      .function("parameter(index)", &parameter)
      .function("setParameter(index, numbers, numbersLength)", &set_parameter)
      .function("rotate(heads, first, tokens, positions, positionsLength, x, xLength)", &rotate)
      .function("embeddings(tokens, positions, positionsLength, seed, out, outLength)", &embeddings)
      .function("bias(queries, queriesLength, keys, keysLength, out, outLength)", &bias)
      .function("cost(queries, keys, width)", &cost)
      .function("frequencies(length, out, outLength)", &frequencies);
}
