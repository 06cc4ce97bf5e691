#include <doctest/doctest.h>

#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

enum { kScaleBase, kTheta, kInterleaved };

// With a centre of zero: the logit does not depend on it.
const reference::RegisteredTwin twin("xpos", {
    .transform = [](const SchemeShape& shape, const OptionValues& options, bool is_query, int,
                    int position, reference::Row& x) {
      const int pairs = shape.head_dim / 2;
      for (int t = 0; t < pairs; ++t) {
        const double angle = position * std::pow(options[kTheta], -2.0 * t / shape.head_dim);
        const double zeta = (2.0 * t + 0.4 * shape.head_dim) / (1.4 * shape.head_dim);
        const double fade = std::pow(zeta, (is_query ? 1 : -1) * position / options[kScaleBase]);
        double& a = x[options[kInterleaved] != 0 ? 2 * t : t];
        double& b = x[options[kInterleaved] != 0 ? 2 * t + 1 : t + pairs];
        const double first = fade * (a * std::cos(angle) - b * std::sin(angle));
        b = fade * (a * std::sin(angle) + b * std::cos(angle));
        a = first;
      }
    },
});

const std::vector<float> kX = {1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<float> kK = {.5f, -1, 2, .25f, -.75f, 1.5f, 1, -2};

// The unscaled product of kX at position i and kK at position j.
double product(int i, int j) {
  const SchemeEntry& entry = *find_scheme("xpos").value();
  contract::AttentionCase pair(entry, default_options(*entry.description),
                               {.heads = 1, .kv_heads = 1, .head_dim = 8, .value_dim = 1, .queries = 1, .keys = 1}, false, 1);
  pair.config.scale = 1;
  pair.q = kX;
  pair.k = kK;
  pair.query_positions = {i};
  pair.key_positions = {j};
  auto recorder = Recorder::make(kRecordLogits, {}, pair.schemes(), 1, 8, 1, 1).take();
  REQUIRE(pair.forward(&recorder).ok());
  return recorder.logits()[0];
}

TEST_CASE("the product fades by the distance alone, wherever the pair stands") {
  for (const auto& [i, j] : {std::pair{300, 40}, {360, 100}, {260, 0}, {100260, 100000}})
    CHECK(std::abs(product(i, j) + 12.46149597) < 2e-4);  // logits of size 200 in float32
}

TEST_CASE("far out neither factor overflows, because the centre follows the queries") {
  CHECK(std::isfinite(product(1 << 20, (1 << 20) - 3)));
  CHECK(std::abs(product(1 << 20, (1 << 20) - 3) - product(3, 0)) < 1e-3);
}

TEST_CASE("a large scale base is rotary embedding") {
  const SchemeEntry& entry = *find_scheme("xpos").value();
  OptionValues options = default_options(*entry.description);
  options.values[kScaleBase] = 1e9;
  contract::AttentionCase faded(entry, options, {}, true, 9);
  const SchemeEntry& rope = *find_scheme("rope").value();
  OptionValues interleaved = default_options(*rope.description);
  interleaved.values[1] = 1;
  contract::AttentionCase rotated(rope, interleaved, {}, true, 9);
  REQUIRE(faded.forward().ok());
  REQUIRE(rotated.forward().ok());
  CHECK(contract::largest_difference(faded.output, rotated.output) < 1e-6);
}

}  // namespace
}  // namespace wf
