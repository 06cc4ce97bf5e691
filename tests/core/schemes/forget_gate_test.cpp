#include <doctest/doctest.h>

#include <cmath>

#include "contract/attention_case.h"
#include "contract/decoding.h"

namespace wf {
namespace {

using contract::AttentionCase;

double log_gate(const SchemeShape& shape, const std::vector<reference::Row>& parameters, int head,
                std::size_t key) {
  double z = parameters[1][head];
  for (int c = 0; c < shape.width; ++c)
    z += parameters[0][head * shape.width + c] * parameters[2][key * shape.width + c];
  return -std::log1p(std::exp(-z));
}

const reference::RegisteredTwin twin(
    "forget_gate",
    {
        .row_bias =
            [](const reference::TwinShape& shape, const OptionValues&,
               const std::vector<reference::Row>& parameters, int head, int,
               const std::vector<std::int32_t>&, const reference::Row& mask, const reference::Row&,
               const std::vector<reference::Row>& keys, reference::Row& logits) {
              for (std::size_t j = 0; j < keys.size(); ++j)
                for (std::size_t l = j + 1; l < keys.size(); ++l)
                  if (!std::isinf(mask[l])) logits[j] += log_gate(shape, parameters, head, l);
            },
    });

AttentionCase layer_of(int tokens, int heads = 4) {
  const SchemeEntry& entry = *find_scheme("forget_gate").value();
  return {entry,
          default_options(*entry.description),
          {.heads = heads, .kv_heads = heads / 2, .queries = tokens, .keys = tokens},
          true,
          31};
}

// Sets the states' weights to zero, so that only the bias of each head is left.
void make_constant(AttentionCase& layer, const std::vector<float>& biases) {
  std::fill(layer.parameters[0].begin(), layer.parameters[0].end(), 0.0f);
  layer.parameters[1] = biases;
}

TEST_CASE("a key keeps the product of the gates of the tokens after it") {
  AttentionCase layer = layer_of(3, 2);
  std::fill(layer.parameters[0].begin(), layer.parameters[0].end(), 0.0f);
  layer.parameters[0][0] = 1;  // head 0 reads the first channel; head 1 none
  layer.parameters[1] = {0, std::log(3.0f)};
  for (int t = 0; t < 3; ++t) layer.states[t * layer.width()] = std::log(static_cast<float>(t + 1));
  auto recorder =
      Recorder::make(kRecordTerms | kRecordGates, {}, layer.schemes(), 2, 8, 3, 3).take();
  REQUIRE(layer.forward(&recorder).ok());
  // σ(ln n) = n / (n + 1).
  const double gates[] = {1.0 / 2, 2.0 / 3, 3.0 / 4, 3.0 / 4, 3.0 / 4, 3.0 / 4};
  for (int i = 0; i < 6; ++i) CHECK(std::abs(recorder.gates()[i] - gates[i]) < 1e-6);
  // The last query of head 0: gates of tokens 1 and 2, of token 2, of none.
  const double terms[] = {std::log(1.0 / 2), std::log(3.0 / 4), 0};
  for (int j = 0; j < 3; ++j) CHECK(std::abs(recorder.term(1)[6 + j] - terms[j]) < 1e-6);
  CHECK(std::string(recorder.term_name(1)) == "forgetting");
}

TEST_CASE("with constant gates it is ALiBi") {
  AttentionCase layer = layer_of(contract::kPastTile);
  // ln σ(b) = -slope for b = -ln(e^slope - 1).
  std::vector<float> biases;
  for (int h = 1; h <= 4; ++h)
    biases.push_back(static_cast<float>(-std::log(std::expm1(std::pow(2.0, -2 * h)))));
  make_constant(layer, biases);
  const SchemeEntry& entry = *find_scheme("alibi").value();
  AttentionCase alibi(entry, default_options(*entry.description), layer.sizes(), true, 31);
  REQUIRE(layer.forward().ok());
  REQUIRE(alibi.forward().ok());
  // Biases up to 70, in float32.
  CHECK(contract::largest_difference(layer.output, alibi.output) < 1e-5);
}

TEST_CASE("with open gates it is attention without positions, with closed ones the token itself") {
  AttentionCase layer = layer_of(9);
  AttentionCase none(*find_scheme("nope").value(), {}, layer.sizes(), true, 31);
  REQUIRE(none.forward().ok());
  make_constant(layer, std::vector<float>(4, 60.0f));
  REQUIRE(layer.forward().ok());
  CHECK(contract::largest_difference(layer.output, none.output) < 1e-6);
  make_constant(layer, std::vector<float>(4, -200.0f));
  REQUIRE(layer.forward().ok());
  for (int h = 0; h < 4; ++h)
    for (int i = 0; i < 9 * 6; ++i)
      CHECK(layer.output[h * 9 * 6 + i] == layer.v[h / 2 * 9 * 6 + i]);
}

TEST_CASE("sums of gates and their gradients cross the edges of tiles") {
  AttentionCase layer = layer_of(contract::kPastTile, 2);
  for (float& weight : layer.parameters[0]) weight *= 0.1f;
  layer.parameters[1] = {4, 6};  // far keys are seen
  const std::vector<float> probe = contract::random_values(layer.v.size() * 2, 8);
  REQUIRE(layer.forward().ok());
  CHECK(contract::largest_difference(layer.output, layer.twin().output) < 1e-5);
  REQUIRE(layer.backward(probe).ok());
  for (std::size_t i = 5; i < layer.states.size(); i += layer.states.size() / 9) {
    const float kept = layer.states[i], step = 0x1p-10f;
    layer.states[i] = kept + step;
    const double up = layer.twin_loss(probe);
    layer.states[i] = kept - step;
    const double down = layer.twin_loss(probe);
    layer.states[i] = kept;
    // Float32 sums over hundreds of keys.
    CHECK(std::abs((up - down) / (2.0 * step) - layer.d_states[i]) < 1e-4);
  }
}

TEST_CASE("a cache keeps the gates, also after tokens are removed") {
  AttentionCase layer = layer_of(12);
  REQUIRE(layer.forward().ok());
  CHECK(contract::decode_differs(layer, {5, 1, -2, 1, 4, -3, 1, 5}) < 3e-6);
  auto cache = KvCache::make(layer.config, 12).take();
  const int without = cache.floats_a_token();
  const AttentionInput in = layer.input();
  std::vector<float> output(layer.output.size());
  const Heads out = heads_outermost(output.data(), 4, 12, 6);
  REQUIRE(attention_decode(layer.config, layer.schemes(), cache, in.q, in.k, in.v,
                           in.query_positions, out, layer.saved(), layer.scratch(), nullptr,
                           nullptr, in.key_states)
              .ok());
  CHECK(cache.floats_a_token() == without + 4);
  const std::vector<float> gates(cache.features().data, cache.features().data + 12 * 4);
  REQUIRE(attention_evict(layer.config, layer.schemes(), cache, 2, 3, layer.scratch()).ok());
  REQUIRE(cache.features().rows == 9);
  for (int t = 0; t < 9; ++t)
    for (int h = 0; h < 4; ++h)
      CHECK(cache.features().row(t)[h] == gates[(t < 2 ? t : t + 3) * 4 + h]);
}

TEST_CASE("without the input of a layer it is refused") {
  AttentionCase layer = layer_of(3, 2);
  AttentionInput in = layer.input();
  in.key_states = {};
  std::vector<float> output(layer.v.size() * 2);
  const Status status =
      attention_forward(layer.config, layer.schemes(), in, heads_outermost(output.data(), 2, 3, 6),
                        layer.saved(), layer.scratch());
  CHECK(status.code() == Code::kUnsupported);
  CHECK(std::string(status.message()).find("forget_gate") != std::string::npos);
}

}  // namespace
}  // namespace wf
