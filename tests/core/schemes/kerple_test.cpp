#include <doctest/doctest.h>

#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

const reference::RegisteredTwin twin(
    "kerple",
    {
        .bias =
            [](const SchemeShape&, const OptionValues& options,
               const std::vector<reference::Row>& parameters, int head, int query_position,
               int key_position, const reference::Row&, const reference::Row&) {
              const double x = std::abs(query_position - key_position), p = parameters[0][head],
                           a = parameters[1][head];
              return options[0] == 0 ? -p * std::log(1 + a * x)
                                     : (x == 0 ? 0 : -a * std::pow(x, p));
            },
    });

std::vector<float> at_distances(double kernel, float p, float a,
                                const std::vector<int>& distances) {
  const SchemeEntry& entry = *find_scheme("kerple").value();
  OptionValues options = default_options(*entry.description);
  options.values[0] = kernel;
  const SchemeInstance kerple =
      make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = 4}, options).take();
  const float* values[] = {&p, &a};
  LayerContext context;
  context.values = values;
  std::vector<float> result;
  for (const int x : distances) {
    result.push_back(0);
    kerple.scheme->distance_strip(context, 0, -x, -x + 1, &result.back());
  }
  return result;
}

TEST_CASE("both kernels have the reference values") {
  const std::vector<int> distances = {0, 1, 2, 10, 1000};
  const double logarithmic[] = {0, -0.7959423766, -1.313203106, -3.119162313, -9.828761831};
  const double power[] = {0, -0.05, -0.08705505633, -0.3154786722, -12.55943216};
  const std::vector<float> log_values = at_distances(0, 1.5f, .7f, distances);
  const std::vector<float> power_values = at_distances(1, .8f, .05f, distances);
  for (int i = 0; i < 5; ++i) {
    // float32 parameters: relative error 10⁻⁷ for values up to 13.
    CHECK(std::abs(log_values[i] - logarithmic[i]) < 2e-6);
    CHECK(std::abs(power_values[i] - power[i]) < 5e-6);
  }
}

TEST_CASE("the power kernel with exponent one is ALiBi") {
  const std::vector<float> linear = at_distances(1, 1, .25f, {0, 1, 7, 100});
  CHECK(linear == std::vector<float>{0, -.25f, -1.75f, -25});
}

TEST_CASE("after a step parameters are brought back into their range") {
  const SchemeEntry& entry = *find_scheme("kerple").value();
  for (const double kernel : {0.0, 1.0}) {
    OptionValues options = default_options(*entry.description);
    options.values[0] = kernel;
    const SchemeInstance kerple =
        make_scheme(entry, {.num_heads = 2, .num_kv_heads = 2, .head_dim = 4}, options).take();
    float p[] = {-1, 5}, a[] = {-3, 7};
    float* values[] = {p, a};
    kerple.scheme->constrain(values);
    CHECK(p[0] == 0.01f);
    CHECK(a[0] == 0.01f);
    CHECK(p[1] == (kernel == 1 ? 2 : 5));
    CHECK(a[1] == 7);
  }
}

}  // namespace
}  // namespace wf
