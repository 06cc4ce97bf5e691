#include "embedding_case.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "attention_case.h"

namespace wf::contract {

EmbeddingCase::EmbeddingCase(const SchemeEntry& entry, const OptionValues& options,
                             const std::vector<std::int32_t>& numbers, std::uint64_t seed)
    : shape_{.num_heads = kHeads, .num_kv_heads = kHeads, .head_dim = kHeadDim, .width = kWidth} {
  auto made = make_scheme(entry, shape_, options);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  instance_ = made.take();
  for (int axis = 0; axis < axes(); ++axis)
    for (const std::int32_t n : numbers)
      positions.push_back(axes() == 1 ? n : axis == 0 ? n / 6 % 6 : n % 6);
  x = random_values(std::size_t(count()) * kWidth, seed);
  for (const ParameterSpec& spec : instance_.scheme->parameters()) {
    parameters.push_back(random_values(spec.size(), seed + 1 + parameters.size()));
    d_parameters.emplace_back(spec.size(), 0.0f);
  }
}

Status EmbeddingCase::check() const {
  return instance_.scheme->check_positions({positions.data(), count(), axes()});
}

LayerContext EmbeddingCase::context(std::vector<const float*>& values,
                                    std::vector<float*>& gradients) {
  for (auto& p : parameters) values.push_back(p.data());
  for (auto& p : d_parameters) gradients.push_back(p.data());
  LayerContext context;
  context.query_positions = context.key_positions = {positions.data(), count(), axes()};
  context.values = values.data();
  context.gradients = gradients.data();
  return context;
}

void EmbeddingCase::forward() {
  std::vector<const float*> values;
  std::vector<float*> gradients;
  output = x;
  instance_.scheme->add_to_embeddings(context(values, gradients),
                                      {output.data(), count(), kWidth, kWidth});
}

void EmbeddingCase::backward(const std::vector<float>& probe) {
  std::vector<const float*> values;
  std::vector<float*> gradients;
  for (auto& d : d_parameters) std::fill(d.begin(), d.end(), 0.0f);
  d_x = probe;
  instance_.scheme->add_to_embeddings_backward(context(values, gradients),
                                               {d_x.data(), count(), kWidth, kWidth});
}

std::vector<reference::Row> EmbeddingCase::twin() const {
  const auto& embed = reference::twin_of(instance_.entry->description->id).embed;
  REQUIRE(embed);
  const std::vector<reference::Place> places = reference::places_of(positions, axes());
  std::vector<reference::Row> values, rows;
  for (const auto& p : parameters) values.emplace_back(p.begin(), p.end());
  for (std::size_t t = 0; t < places.size(); ++t) {
    rows.emplace_back(x.begin() + t * kWidth, x.begin() + (t + 1) * kWidth);
    embed(shape_, instance_.options, values, places[t], rows.back());
  }
  return rows;
}

double EmbeddingCase::twin_loss(const std::vector<float>& probe) const {
  double loss = 0;
  std::size_t i = 0;
  for (const auto& row : twin())
    for (double value : row) loss += value * probe[i++];
  return loss;
}

std::vector<float> embedded_positions(const std::string& id, const OptionValues& options, int width,
                                      const std::vector<std::int32_t>& positions,
                                      const std::vector<float>& parameters, int axes) {
  auto made =
      make_scheme(*find_scheme(id.c_str()).value(),
                  {.num_heads = 1, .num_kv_heads = 1, .head_dim = width, .width = width}, options);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  const Scheme& scheme = *made.value().scheme;
  const Positions at = {positions.data(), static_cast<int>(positions.size()) / axes, axes};
  const Status status = scheme.check_positions(at);
  REQUIRE_MESSAGE(status.ok(), status.message());
  if (!parameters.empty()) REQUIRE(parameters.size() == scheme.parameters()[0].size());
  const float* values = parameters.data();
  LayerContext context;
  context.query_positions = context.key_positions = at;
  context.values = &values;
  std::vector<float> x(std::size_t(at.count) * width, 0.0f);
  scheme.add_to_embeddings(context, {x.data(), at.count, width, width});
  return x;
}

}  // namespace wf::contract
