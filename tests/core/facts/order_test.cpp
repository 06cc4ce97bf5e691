// Common misconceptions about order: attention without positions is equivariant, not invariant. A
// causal mask gives information about positions, but a single layer can use little of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/model/tiny_model.h"

namespace wf {
namespace {

constexpr int kLength = 7, kVocabulary = 19;

// Returns the logits [T,V] of a random model without positions.
std::vector<float> logits_of(const std::vector<std::int32_t>& ids, int layers, bool is_causal) {
  ModelConfig config = testing::tiny_config("nope", is_causal);
  config.num_layers = layers;
  auto made = Transformer::make(config, 5);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  Transformer model = made.take();
  testing::roughen(model);
  auto activations = TransformerActivations::make(model.config(), 1, kLength, Purpose::kInference);
  REQUIRE(activations.ok());
  TokenBatch tokens;
  tokens.ids = ids.data();
  tokens.length = kLength;
  std::vector<float> logits(kLength * kVocabulary);
  REQUIRE(model.forward_logits(tokens, activations.value(), logits.data()).ok());
  return logits;
}

double row_difference(const std::vector<float>& a, int row_a, const std::vector<float>& b,
                      int row_b) {
  double most = 0;
  for (int c = 0; c < kVocabulary; ++c)
    most =
        std::max(most, std::abs(double(a[row_a * kVocabulary + c]) - b[row_b * kVocabulary + c]));
  return most;
}

const std::vector<std::int32_t> kText = {3, 14, 1, 5, 9, 2, 6};
// kText with its second and fifth word exchanged, as "the cat chases the mouse" becomes "the mouse
// chases the cat".
const std::vector<std::int32_t> kExchanged = {3, 9, 1, 5, 14, 2, 6};

TEST_CASE(
    "without a mask attention at any depth is equivariant: outputs move with their tokens and do "
    "not change") {
  for (const int layers : {1, 2, 4}) {
    CAPTURE(layers);
    const std::vector<float> one = logits_of(kText, layers, false),
                             other = logits_of(kExchanged, layers, false);
    const int moved[kLength] = {0, 4, 2, 3, 1, 5, 6};
    for (int t = 0; t < kLength; ++t) CHECK(row_difference(one, t, other, moved[t]) < 2e-4);
    // Equivariant is not invariant: the output at index 1 has changed.
    CHECK(row_difference(one, 1, other, 1) > 1e-2);
  }
}

TEST_CASE(
    "under a causal mask the last row of one layer sees a set of words, the last row of two layers "
    "an order") {
  const auto last_row = [](int layers) {
    return row_difference(logits_of(kText, layers, true), kLength - 1,
                          logits_of(kExchanged, layers, true), kLength - 1);
  };
  CHECK(last_row(1) < 2e-4);
  CHECK(last_row(2) > 1e-2);
}

}  // namespace
}  // namespace wf
