// A configured scheme as JavaScript holds it.
#pragma once

#include "attention/layer_schemes.h"
#include "guard.h"
#include "schemes/registry.h"

namespace wf::binding {

// Sets options by key; values are numbers, booleans or, for choices, strings.
Result<OptionValues> options_from(const SchemeDescription& description, const val& keys,
                                  const val& values);
// { key: value } with booleans and the names of choices.
val options_object(const SchemeDescription& description, const OptionValues& options);

class SchemeHandle {
 public:
  explicit SchemeHandle(SchemeInstance instance, const SchemeShape& shape)
      : instance_(std::make_shared<SchemeInstance>(std::move(instance))), shape_(shape) {}

  static Result<std::unique_ptr<SchemeHandle>> make(std::string id, int num_heads,
                                                    int num_kv_heads, int head_dim, int width,
                                                    val keys, val values);

  val options() const { return options_object(*instance_->entry->description, instance_->options); }
  // x [H,T,D] and positions [axes,T]; a copy, turned.
  Result<val> rotate(val x, int heads, int count, val positions) const;
  // [T,E]: what positions [axes,T] add to token vectors, with fresh parameters where the scheme
  // trains any.
  Result<val> embeddings(val positions, int count, double seed) const;
  // T query and S key positions; [H,T,S].
  Result<val> bias(val query_positions, val key_positions) const;
  // { modelParameters, layerParameters, onceFlops, layerFlops, cacheFloats } in a model of this
  // width, for T queries and S keys.
  Result<val> cost(int queries, int keys, int width) const;
  // { inverseFrequencies, attentionFactor }
  Result<val> frequencies(int sequence_length) const;

  // Attention that uses the scheme keeps it alive.
  std::shared_ptr<const SchemeInstance> instance() const { return instance_; }
  const SchemeShape& shape() const { return shape_; }

 private:
  Status refuse(const char* what) const;

  std::shared_ptr<SchemeInstance> instance_;
  SchemeShape shape_;
};

}  // namespace wf::binding
