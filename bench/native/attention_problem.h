// One attention problem of a scheme with random content, forward and backward, for timing.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "attention/attention.h"
#include "schemes/registry.h"
#include "tensor/random.h"

namespace wf::bench {

inline std::vector<float> random_values(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& x : values) x = random.normal();
  return values;
}

class AttentionProblem {
 public:
  // Errors: those of make_scheme; kOutOfMemory.
  static Result<std::unique_ptr<AttentionProblem>> make(const SchemeEntry& entry, int heads,
                                                        int tokens, int head_dim) {
    const SchemeShape shape = {
        .num_heads = heads, .num_kv_heads = heads, .head_dim = head_dim, .width = heads * head_dim};
    const OptionValues options = default_options(*entry.description);
    WF_ASSIGN_OR_RETURN(SchemeInstance instance, make_scheme(entry, shape, options));
    WF_ASSIGN_OR_RETURN(AttentionScratch scratch, AttentionScratch::make());
    return std::unique_ptr<AttentionProblem>(
        new AttentionProblem(shape, tokens, std::move(instance), std::move(scratch)));
  }

  Status forward() {
    return attention_forward(config_, schemes_, input(), heads(results_[0]), saved_, scratch_);
  }
  // forward must have run.
  Status backward() {
    const Matrix d_states = {d_states_.data(), tokens_, width_, width_};
    return attention_backward(config_, schemes_, input(), heads(results_[0]), heads(content_[3]),
                              saved_, scratch_, heads(results_[1]), heads(results_[2]),
                              heads(results_[3]), nullptr, d_states, d_states);
  }
  double flops() const { return 4.0 * config_.num_heads * tokens_ * tokens_ * config_.head_dim; }

 private:
  AttentionProblem(const SchemeShape& shape, int tokens, SchemeInstance instance,
                   AttentionScratch scratch)
      : tokens_(tokens),
        config_{.num_heads = shape.num_heads,
                .num_kv_heads = shape.num_kv_heads,
                .head_dim = shape.head_dim},
        instance_(std::move(instance)),
        scratch_(std::move(scratch)) {
    const std::size_t size = std::size_t(shape.num_heads) * tokens * shape.head_dim;
    for (int i = 0; i < 4; ++i) content_[i] = random_values(size, i);
    for (auto& each : results_) each.assign(size, 0.0f);
    for (const ParameterSpec& spec : instance_.scheme->parameters()) {
      parameters_.push_back(random_values(spec.size(), 9 + parameters_.size()));
      d_parameters_.emplace_back(spec.size(), 0.0f);
    }
    for (auto& each : parameters_) values_.push_back(each.data());
    for (auto& each : d_parameters_) gradients_.push_back(each.data());
    instance_.scheme->constrain(values_.data());
    for (auto* each : values_) read_only_.push_back(each);
    lay_out(std::max(instance_.entry->description->position_axes, 1));
    schemes_.items[0] = {.scheme = instance_.scheme.get(),
                         .description = instance_.entry->description,
                         .hooks = instance_.hooks,
                         .values = read_only_.data(),
                         .gradients = gradients_.data()};
    if (instance_.scheme->needs_projections()) {
      for (auto& each : projections_)
        each = random_values(std::size_t(shape.width) * shape.width, 5 + (&each - projections_));
      schemes_.items[0].projections = {.query = projections_[0].data(),
                                       .key = projections_[1].data(),
                                       .d_query = projections_[2].data(),
                                       .d_key = projections_[3].data()};
    }
    if (instance_.has(kHookFeatures)) {
      width_ = shape.width;
      states_ = random_values(std::size_t(tokens) * width_, 13);
      d_states_ = states_;
    }
    schemes_.count = 1;
  }

  // Positions of a text, or of the cells of a 7 x 7 window row by row, repeated.
  void lay_out(int axes) {
    for (int axis = 0; axis < axes; ++axis)
      for (int t = 0; t < tokens_; ++t)
        positions_.push_back(axes == 1 || axis < axes - 2 ? t
                             : axis == axes - 1           ? t % 7
                                                          : t / 7 % 7);
    axes_ = axes;
  }
  Heads heads(std::vector<float>& data) const {
    return heads_outermost(data.data(), config_.num_heads, tokens_, config_.head_dim);
  }
  AttentionInput input() {
    AttentionInput input;
    input.q = heads(content_[0]);
    input.k = heads(content_[1]);
    input.v = heads(content_[2]);
    input.query_positions = {positions_.data(), tokens_, axes_};
    input.key_positions = input.query_positions;
    if (width_) input.states = input.key_states = {states_.data(), tokens_, width_, width_};
    return input;
  }

  int tokens_;
  int axes_ = 1;
  int width_ = 0;  // of the layer's input, if the scheme reads it
  AttentionConfig config_;
  SchemeInstance instance_;
  AttentionScratch scratch_;
  AttentionSaved saved_;
  LayerSchemes schemes_;
  std::vector<float> content_[4];  // q, k, v and the gradient of the output
  std::vector<float> projections_[4];  // of queries and keys, and their gradients, if used
  std::vector<float> states_, d_states_;
  std::vector<float> results_[4];  // the output and the gradients of q, k, v
  std::vector<std::int32_t> positions_;
  std::vector<std::vector<float>> parameters_, d_parameters_;
  std::vector<float*> values_, gradients_;
  std::vector<const float*> read_only_;
};

}  // namespace wf::bench
