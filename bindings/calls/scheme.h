// A configured scheme, alone: what it does to projections, token vectors and logits.
#pragma once

#include <memory>

#include "attention/position_table.h"
#include "calls/scheme_choice.h"

namespace wf::calls {

struct SchemeSizes {
  int num_heads;     // H
  int num_kv_heads;  // K, divides H
  int head_dim;      // D
  int width;         // E; 0: H · D
};

// What a scheme trains, as it stands alone: one layer's.
struct SchemeParameters {
  Buffer<float> numbers;
  float* pointers[kMaxSchemeParameters] = {};

  // What the first layer of a model of this seed begins with. Errors: kOutOfMemory.
  Status begin(const SchemeInstance& instance, std::uint64_t seed);
};

// A scheme that was made, and its parameters, once they are asked for.
struct SchemeState {
  SchemeInstance instance;
  SchemeShape shape;
  SchemeParameters parameters;
  std::uint64_t seed = 0;  // of the parameters that it begins with

  const SchemeDescription& description() const { return *instance.entry->description; }
  const float* const* values() const { return parameters.pointers; }
  // Gives it what it trains, unless it has that. Errors: kOutOfMemory.
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
  int cache_floats = 0;  // of a token
};

struct Frequencies {
  Code code = Code::kOk;
  double attention_factor = 1;
  int count = 0;
};

class ConfiguredScheme {
 public:
  // Errors: kInvalidArgument for sizes or options that the scheme does not allow.
  static Result<std::unique_ptr<ConfiguredScheme>> make(const ChosenScheme& chosen,
                                                        const SchemeSizes& sizes);

  // What attention keeps alive.
  const std::shared_ptr<SchemeState>& state() const { return state_; }

  // The numbers (doubles) of an option as it was set; none for an index out of range.
  List option(int index) const;

  // Parameters of this seed, from the next use on; until then and without it those of seed 0.
  Status initialise(double seed);
  // Makes the parameters, if need be. Errors: kOutOfMemory.
  Status prepare_parameters() { return state_->need_parameters(); }
  int parameter_count() const;
  // After prepare_parameters. No name and no numbers for an index out of range.
  ParameterView parameter(int index) const;
  Status set_parameter(const Workspace& workspace, int index, List numbers);

  // Turns x [given,T,D], where it lies, as the heads from `first` on of a tensor of `heads` heads;
  // positions [axes,T]. Pieces of one tensor are given in order: those with first > 0 have the
  // positions of the first. Errors: kUnsupported for a scheme that turns nothing.
  Status rotate(const Workspace& workspace, int heads, int first, int tokens, List positions,
                List x);
  // result [T,E]: what the scheme adds to token vectors at positions [axes,T]: with parameters of
  // this seed, or with its own where the seed is below 0. Errors: kUnsupported.
  Status embeddings(const Workspace& workspace, int tokens, List positions, double seed,
                    List result);
  // result [H,T,S]: what it adds to logits of queries [T] and keys [S] at these positions.
  // Errors: kUnsupported for a scheme whose bias is none of distance alone.
  Status bias(const Workspace& workspace, List queries, List keys, List result);
  // Parameters and floating-point operations in a model of this width. Errors as `make`.
  Result<SchemeCost> cost(int queries, int keys, int width) const;
  // Radians a position by which pairs of channels turn, in a text of this length; room for D.
  // Errors: kUnsupported for a scheme that has none.
  Result<Frequencies> frequencies(const Workspace& workspace, int length, List result) const;

 private:
  // Refuses what the scheme has no hook for.
  Status need(bool has, const char* what) const;

  std::shared_ptr<SchemeState> state_;
  PositionTable rotation_;  // of the last `rotate`
  int rotated_tokens_ = 0, rotated_axes_ = 0;  // of its positions
};

}  // namespace wf::calls
