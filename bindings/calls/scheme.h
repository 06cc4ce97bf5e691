// A configured scheme outside a model: its effect on projections, token vectors and logits.
#pragma once

#include <memory>

#include "attention/position_table.h"
#include "calls/scheme_choice.h"

namespace wf::calls {

// The parameters of a scheme outside a model, as for one layer.
struct SchemeParameters {
  Buffer<float> numbers;
  float* pointers[kMaxSchemeParameters] = {};

  // Sets the initial values that the first layer of a model with this seed has. Errors:
  // kOutOfMemory.
  Status begin(const SchemeInstance& instance, std::uint64_t seed);
};

// A scheme object and its parameters, which are made at the first use.
struct SchemeState {
  SchemeInstance instance;
  SchemeShape shape;
  SchemeParameters parameters;
  std::uint64_t seed = 0;  // of the initial parameters

  const SchemeDescription& description() const { return instance.description(); }
  const float* const* values() const { return parameters.pointers; }
  // Makes the parameters, unless they exist. Errors: kOutOfMemory.
  Status need_parameters();
};

struct ParameterView {
  const char* name;
  int rows, columns;
  List numbers;
};

struct SchemeCost {
  Code code = Code::kOk;
  double model_parameters = 0, layer_parameters = 0;
  double once_flops = 0, layer_flops = 0;
  int cache_floats = 0;  // per token
};

struct Frequencies {
  Code code = Code::kOk;
  double attention_factor = 1;
  int count = 0;
};

class ConfiguredScheme {
 public:
  // Errors: kInvalidArgument for sizes or options outside the scheme's range.
  static Result<std::unique_ptr<ConfiguredScheme>> make(const ChosenScheme& chosen,
                                                        const SchemeShape& shape);

  // Shared with attentions, which keep it alive.
  const std::shared_ptr<SchemeState>& state() const { return state_; }

  // The numbers (doubles) of an option; empty for an index out of range.
  List option(int index) const;

  // Uses parameters of this seed from the next use on; the default seed is 0.
  Status initialise(double seed);
  // Makes the parameters, unless they exist. Errors: kOutOfMemory.
  Status prepare_parameters() { return state_->need_parameters(); }
  int parameter_count() const;
  // Call prepare_parameters first. Empty name and numbers for an index out of range.
  ParameterView parameter(int index) const;
  Status set_parameter(const Workspace& workspace, int index, List numbers);

  // Rotates x [given,T,D] in place: heads from `first` on of a tensor of `heads` heads; positions
  // [axes,T]. Pieces of a tensor are passed in order; those with first > 0 use the positions of the
  // first piece. Errors: kUnsupported for a scheme that does not rotate.
  Status rotate(const Workspace& workspace, int heads, int first, int tokens, List positions,
                List x);
  // result [T,E]: the scheme's addition to token vectors at positions [axes,T], with parameters of
  // this seed, or its current ones if the seed is negative. Errors: kUnsupported.
  Status embeddings(const Workspace& workspace, int tokens, List positions, double seed,
                    List result);
  // result [H,T,S]: the bias of logits of queries [T] and keys [S] at these positions. Errors:
  // kUnsupported for a scheme without a bias by distance alone.
  Status bias(const Workspace& workspace, List queries, List keys, List result);
  // Parameters and floating-point operations in a model of this width. Errors: as `make`.
  Result<SchemeCost> cost(int queries, int keys, int width) const;
  // Radians for each position by which pairs of channels rotate, in a text of this length; at most
  // D. Errors: kUnsupported for a scheme without frequencies.
  Result<Frequencies> frequencies(const Workspace& workspace, int length, List result) const;

 private:
  // Refuses an operation for which the scheme has no hook.
  Status need(bool has, const char* what) const;

  std::shared_ptr<SchemeState> state_;
  PositionTable rotation_;  // of the last `rotate`
  int rotated_tokens_ = 0, rotated_axes_ = 0;  // its positions' sizes
};

}  // namespace wf::calls
