#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

using contract::AttentionCase;

enum OptionIndex { kCurves, kExtent, kScale, kScaleLength };

// The number r of query `query` in this head for one curve.
double mixed(const reference::TwinShape& shape, const std::vector<reference::Row>& parameters,
             int curves, int head, int curve) {
  double sum = 0;
  for (int c = 0; c < shape.width; ++c)
    sum += parameters[0][(head * curves + curve) * shape.width + c] *
           parameters[2][shape.query_index * shape.width + c];
  return sum;
}

const reference::RegisteredTwin twin(
    "conditioned_bias",
    {.bias = [](const reference::TwinShape& shape, const OptionValues& options,
                const std::vector<reference::Row>& parameters, int head, reference::Place query,
                reference::Place key, const reference::Row&, const reference::Row&) {
      const int curves = static_cast<int>(options[kCurves]);
      const int extent = static_cast<int>(options[kExtent]), distance = query - key;
      if (distance < 0 || distance >= extent) return 0.0;
      double sum = 0;
      for (int c = 0; c < curves; ++c)
        sum += mixed(shape, parameters, curves, head, c) * parameters[1][c * extent + distance];
      const double length = options[kScaleLength];
      if (length == 0) return sum;
      return sum * (1 + options[kScale] * std::log(std::max((query + 1) / length, 1.0)));
    }});

OptionValues options_of(int curves, int extent, double scale = 0.1, int length = 0) {
  OptionValues options = default_options(*find_scheme("conditioned_bias").value()->description);
  options.values[kCurves] = curves;
  options.values[kExtent] = extent;
  options.values[kScale] = scale;
  options.values[kScaleLength] = length;
  return options;
}

AttentionCase layer_of(int tokens, const OptionValues& options) {
  return {*find_scheme("conditioned_bias").value(),
          options,
          {.heads = 2, .kv_heads = 1, .queries = tokens, .keys = tokens},
          true,
          51};
}

std::vector<float> bias_of(AttentionCase& layer) {
  const int n = layer.sizes().queries;
  auto recorder = Recorder::make(kRecordTerms, {}, layer.schemes(), 2, 8, n, n).take();
  REQUIRE(layer.forward(&recorder).ok());
  REQUIRE(std::string(recorder.term_name(1)) == "conditioned");
  return {recorder.term(1).begin(), recorder.term(1).end()};
}

TEST_CASE("a query's numbers mix the curves, and beyond the last distance there is no bias") {
  AttentionCase layer = layer_of(4, options_of(2, 3));
  // Head 0 reads the first two channels of the state, head 1 none.
  std::fill(layer.parameters[0].begin(), layer.parameters[0].end(), 0.0f);
  layer.parameters[0][0] = 1;
  layer.parameters[0][layer.width() + 1] = 1;
  layer.parameters[1] = {1, 2, 3, 10, 20, 30};
  for (int t = 0; t < 4; ++t) {
    layer.states[t * layer.width()] = static_cast<float>(t);
    layer.states[t * layer.width() + 1] = 0.5f;
  }
  const std::vector<float> bias = bias_of(layer);
  // Query 3: 3 · (1, 2, 3) + 0.5 · (10, 20, 30) at distances 0, 1, 2.
  const float expected[] = {0, 24, 16, 8};
  for (int j = 0; j < 4; ++j) CHECK(bias[12 + j] == expected[j]);
  for (int i = 16; i < 32; ++i) CHECK(bias[i] == 0);
}

TEST_CASE("the bias alone is scaled by the logarithm of the position") {
  AttentionCase plain = layer_of(9, options_of(4, 6)),
                scaled = layer_of(9, options_of(4, 6, 0.5, 3));
  const std::vector<float> one = bias_of(plain), other = bias_of(scaled);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j <= i; ++j) {
      const double factor = 1 + 0.5 * std::log(std::max(1.0, (i + 1) / 3.0));
      CHECK(std::abs(other[i * 9 + j] - factor * one[i * 9 + j]) < 1e-5);
    }
  CHECK(scaled.schemes().items[0].description->claims.shift_invariant == false);
  CHECK(plain.schemes().items[0].description->claims.shift_invariant == true);
}

TEST_CASE("with a bank that is the same for all tokens it is a bias by distance") {
  AttentionCase layer = layer_of(contract::kPastTile, options_of(1, 40));
  for (std::size_t i = 0; i < layer.states.size(); ++i)
    layer.states[i] = i % layer.width() == 0 ? 1.0f : 0.0f;
  const std::vector<float> bias = bias_of(layer);
  const int n = contract::kPastTile;
  for (int i = 0; i < n; i += 31)
    for (int j = 0; j <= i; ++j) {
      const int distance = i - j;
      const float expected =
          distance < 40 ? layer.parameters[0][0] * layer.parameters[1][distance] : 0;
      CHECK(std::abs(bias[i * n + j] - expected) < 1e-6);
    }
}

TEST_CASE("tiles and their gradients agree with the twin where distances end inside them") {
  AttentionCase layer = layer_of(contract::kPastTile, options_of(5, 90, 0.3, 40));
  const std::vector<float> probe = contract::random_values(layer.v.size() * 2, 8);
  REQUIRE(layer.forward().ok());
  CHECK(contract::largest_difference(layer.output, layer.twin().output) < 1e-5);
  REQUIRE(layer.backward(probe).ok());
  const auto check = [&](std::vector<float>& values, const std::vector<float>& gradient) {
    for (std::size_t i = 3; i < values.size(); i += values.size() / 5) {
      const float kept = values[i], step = 0x1p-10f;
      values[i] = kept + step;
      const double up = layer.twin_loss(probe);
      values[i] = kept - step;
      const double down = layer.twin_loss(probe);
      values[i] = kept;
      // Float32 sums over hundreds of keys.
      CHECK(std::abs((up - down) / (2.0 * step) - gradient[i]) < 2e-4);
    }
  };
  check(layer.states, layer.d_states);
  check(layer.parameters[0], layer.d_parameters[0]);
  check(layer.parameters[1], layer.d_parameters[1]);
}

}  // namespace
}  // namespace wf
