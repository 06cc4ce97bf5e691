#include "attention_twin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace wf::reference {
namespace {

std::map<std::string, SchemeTwin>& twins() {
  static std::map<std::string, SchemeTwin> all;
  return all;
}

double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Row softmax(const Row& logits, const double* sink) {
  double most = sink ? *sink : -std::numeric_limits<double>::infinity();
  for (double x : logits) most = std::max(most, x);
  Row weights(logits.size(), 0.0);
  if (std::isinf(most)) return weights;  // no key is visible: zeros
  double total = sink ? std::exp(*sink - most) : 0;
  for (double x : logits) total += std::exp(x - most);
  for (std::size_t i = 0; i < logits.size(); ++i) weights[i] = std::exp(logits[i] - most) / total;
  return weights;
}

}  // namespace

void register_twin(const std::string& id, SchemeTwin twin) { twins()[id] = std::move(twin); }
const SchemeTwin& twin_of(const std::string& id) { return twins()[id]; }

std::vector<Place> places_of(const std::vector<std::int32_t>& positions, int axes) {
  std::vector<Place> places(positions.size() / axes);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (int a = 0; a < kMaxPositionAxes; ++a)
      places[i].axis[a] = positions[std::min(a, axes - 1) * places.size() + i];
  return places;
}

TwinResult attend(const TwinInput& input) {
  const SchemeTwin& twin = twin_of(input.scheme);
  const int group = input.shape.num_heads / input.shape.num_kv_heads;
  double scale = 1 / std::sqrt(double(input.shape.head_dim));
  if (twin.scale && twin.scale(input.shape, input.options) != 0)
    scale = twin.scale(input.shape, input.options);
  if (input.scale != 0) scale = input.scale;
  TwinShape shape = {input.shape, scale};
  const std::vector<std::int32_t> first_axis(input.key_positions.begin(),
                                             input.key_positions.end());
  int length = 1;
  for (const auto* places : {&input.query_positions, &input.key_positions})
    for (const Place& p : *places)
      for (const std::int32_t at : p.axis) length = std::max(length, at + 1);
  TwinResult result;
  for (int h = 0; h < input.shape.num_heads; ++h) {
    const int kv = h / group;
    const auto transform = [&](bool is_query, int head, Place position, Row& x) {
      position.sequence_length = length;
      if (twin.transform) twin.transform(shape, input.options, is_query, head, position, x);
      if (twin.trained_transform)
        twin.trained_transform(shape, input.options, input.parameters, is_query, head, position, x);
    };
    std::vector<Row> keys = input.k[kv];
    for (std::size_t s = 0; s < keys.size(); ++s)
      transform(false, kv, input.key_positions[s], keys[s]);
    result.output.emplace_back();
    result.weights.emplace_back();
    result.logits.emplace_back();
    result.masked_logits.emplace_back();
    for (std::size_t t = 0; t < input.q[h].size(); ++t) {
      Row q = input.q[h][t];
      shape.query_index = static_cast<int>(t);
      transform(true, h, input.query_positions[t], q);
      Row logits(keys.size()), masked(keys.size()), mask(keys.size(), 0.0);
      for (std::size_t s = 0; s < keys.size(); ++s) {
        if (input.additive_mask) mask[s] = input.additive_mask(h, t, s);
        if (input.visible && !input.visible(h, t, s))
          mask[s] = -std::numeric_limits<double>::infinity();
      }
      const auto place = [&](Place position) {
        position.sequence_length = length;
        return position;
      };
      const Place at = place(input.query_positions[t]);
      for (std::size_t s = 0; s < keys.size(); ++s) {
        logits[s] = scale * dot(q, keys[s]);
        if (twin.bias)
          logits[s] += twin.bias(shape, input.options, input.parameters, h, at,
                                 place(input.key_positions[s]), q, keys[s]);
      }
      if (twin.row_bias)
        twin.row_bias(shape, input.options, input.parameters, h, input.query_positions[t],
                      first_axis, mask, q, keys, logits);
      for (std::size_t s = 0; s < keys.size(); ++s)
        masked[s] =
            mask[s] +
            (input.softcap > 0 ? input.softcap * std::tanh(logits[s] / input.softcap) : logits[s]);
      const Row weights = softmax(masked, input.sinks.empty() ? nullptr : &input.sinks[h]);
      Row output(input.value_dim, 0.0);
      for (std::size_t s = 0; s < keys.size(); ++s) {
        Row value = input.v[kv][s];
        if (twin.carry_value)
          twin.carry_value(shape, input.options, input.parameters, at,
                           place(input.key_positions[s]), value);
        for (int c = 0; c < input.value_dim; ++c) output[c] += weights[s] * value[c];
      }
      for (std::size_t s = 0; twin.value && s < keys.size(); ++s) {
        const Row beside = twin.value(shape, input.options, input.parameters, h,
                                      input.query_positions[t], input.key_positions[s]);
        for (int c = 0; c < input.value_dim; ++c) output[c] += weights[s] * beside[c];
      }
      result.output[h].push_back(output);
      result.weights[h].push_back(weights);
      result.logits[h].push_back(logits);
      result.masked_logits[h].push_back(masked);
    }
  }
  return result;
}

}  // namespace wf::reference
