// The costs that schemes report.
#include <doctest/doctest.h>

#include "each_scheme.h"

namespace wf::contract {
namespace {

constexpr SchemeShape kShape = {
    .num_heads = 4, .num_kv_heads = 2, .head_dim = 8, .value_dim = 8, .width = 32};

SchemeInstance made(const SchemeEntry& entry, const OptionValues& options) {
  return make_scheme(entry, kShape, options).take();
}
ExtraFlops cost_of(const char* id, double queries, double keys) {
  const SchemeEntry& entry = *find_scheme(id).value();
  return made(entry, default_options(*entry.description))
      .scheme->extra_flops(kShape, queries, keys);
}

TEST_CASE("a scheme that acts says what it costs, and more tokens never cost less") {
  for_each_scheme([](const SchemeEntry& entry) {
    const SchemeInstance instance = made(entry, default_options(*entry.description));
    const ExtraFlops few = instance.scheme->extra_flops(kShape, 10, 10);
    const ExtraFlops many = instance.scheme->extra_flops(kShape, 20, 20);
    CHECK((few.once > 0) == instance.has(kHookEmbeddings));
    CHECK((few.layer > 0) == (instance.has(kHookTransform) || instance.has(kHookBias) ||
                              instance.has(kHookDistanceStrip)));
    CHECK((many.once > few.once || few.once == 0));
    CHECK((many.layer > few.layer || few.layer == 0));
  });
}

TEST_CASE("a scalar bias costs about one addition a logit, a relative key a product") {
  const double logits = 4.0 * 100 * 100;
  for (const char* id : {"alibi", "t5", "kerple"}) {
    CAPTURE(id);
    CHECK(cost_of(id, 100, 100).layer >= logits);
    CHECK(cost_of(id, 100, 100).layer < 1.1 * logits);
  }
  // Two products of 8 channels, with 2 operations for each channel.
  CHECK(cost_of("deberta", 1000, 1000).layer > 4 * 1000 * 1000 * 32.0);
}

TEST_CASE("turning a pair of channels costs six operations, whatever the length of the cache") {
  CHECK(cost_of("rope", 5, 5).layer == 6 * 4 * (4 * 5 + 2 * 5));
}

TEST_CASE("Shaw's product per distance stops growing where the clipping begins") {
  const double at_100 = cost_of("shaw", 1, 100).layer, at_200 = cost_of("shaw", 1, 200).layer;
  // Beyond it only the look-ups grow: one for the key part and one for the value part.
  CHECK(at_200 - at_100 == 4 * 100 * 2);
}

}  // namespace
}  // namespace wf::contract
