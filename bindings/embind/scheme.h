// A configured scheme as JavaScript holds it.
#pragma once

#include "attention/layer_schemes.h"
#include "guard.h"
#include "schemes/registry.h"

namespace wf::binding {

// Sets options by key ("group.key" where nested); values are numbers, booleans, lists of numbers or,
// for choices, strings.
Result<OptionValues> options_from(const SchemeDescription& description, const val& keys,
                                  const val& values);
// { key: value, group: { key: value } } with booleans, the names of choices, and lists.
val options_object(const SchemeDescription& description, const OptionValues& options);

// What a scheme trains, as it stands alone: one layer's.
struct SchemeParameters {
  Buffer<float> values;
  const float* pointers[kMostSchemeParameters] = {};

  // What the first layer of a model of this seed begins with.
  static Result<SchemeParameters> fresh(const SchemeInstance& instance, double seed);
};

struct ParameterisedScheme : SchemeInstance {
  SchemeParameters parameters;
};

class SchemeHandle {
 public:
  explicit SchemeHandle(SchemeInstance instance, const SchemeShape& shape)
      : instance_(std::make_shared<ParameterisedScheme>(ParameterisedScheme{std::move(instance), {}})),
        shape_(shape) {}

  static Result<std::unique_ptr<SchemeHandle>> make(std::string id, int num_heads,
                                                    int num_kv_heads, int head_dim, int width,
                                                    val keys, val values);

  val options() const { return options_object(*instance_->entry->description, instance_->options); }
  // x [H,T,D] and positions [axes,T]; a copy, turned.
  Result<val> rotate(val x, int heads, int count, val positions);
  // Parameters of this seed, from the next use on; until then and without it those of seed 0.
  void initialise(double seed);
  // { name: { data, shape } }, copies.
  Result<val> parameters();
  // Numbers of the parameter of this index, as many as it has.
  Status set_parameter(int index, val data);
  // [T,E]: what positions [axes,T] add to token vectors, with fresh parameters of this seed, or with its own
  // where the seed is below 0.
  Result<val> embeddings(val positions, int count, double seed);
  // T query and S key positions; [H,T,S].
  Result<val> bias(val query_positions, val key_positions);
  // { modelParameters, layerParameters, onceFlops, layerFlops, cacheFloats } in a model of this
  // width, for T queries and S keys.
  Result<val> cost(int queries, int keys, int width) const;
  // { inverseFrequencies, attentionFactor }
  Result<val> frequencies(int sequence_length) const;

  // With its parameters. Attention that uses the scheme keeps it alive. Errors: kOutOfMemory.
  Result<std::shared_ptr<const ParameterisedScheme>> instance();
  const SchemeShape& shape() const { return shape_; }

 private:
  Status refuse(const char* what) const;
  Status need_parameters();

  std::shared_ptr<ParameterisedScheme> instance_;
  SchemeShape shape_;
  double seed_ = 0;
};

}  // namespace wf::binding
