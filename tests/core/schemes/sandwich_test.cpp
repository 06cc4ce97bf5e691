#include <doctest/doctest.h>

#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

enum { kWidth, kFromZero };

double sum_of_cosines(int width, bool from_zero, int distance) {
  double sum = 0;
  for (int t = 0; t < width / 2; ++t)
    sum += std::cos(distance / std::pow(10000.0, 2.0 * (from_zero ? t : t + 1) / width));
  return sum;
}

const reference::RegisteredTwin twin(
    "sandwich", {
                    .bias =
                        [](const SchemeShape& shape, const OptionValues& options,
                           const std::vector<reference::Row>&, int head, int query_position,
                           int key_position, const reference::Row&, const reference::Row&) {
                          const int width = static_cast<int>(options[kWidth]);
                          const double sum = sum_of_cosines(width, options[kFromZero] != 0,
                                                            query_position - key_position);
                          return (sum - width / 2) / ((head + 1) * 8.0 / shape.num_heads);
                        },
                });

std::vector<float> at_distance(int distance, double from_zero) {
  const SchemeEntry& entry = *find_scheme("sandwich").value();
  OptionValues options = default_options(*entry.description);
  options.values[kWidth] = 8;
  options.values[kFromZero] = from_zero;
  const SchemeInstance sandwich =
      make_scheme(entry, {.num_heads = 4, .num_kv_heads = 4, .head_dim = 4}, options).take();
  std::vector<float> result(4);
  for (int h = 0; h < 4; ++h)
    sandwich.scheme->distance_strip({}, h, -distance, -distance + 1, &result[h]);
  return result;
}

TEST_CASE("four heads at distance 100 have NeMo's values") {
  const double expected[] = {-1.151907529, -0.5759537644, -0.3839691763, -0.2879768822};
  const std::vector<float> got = at_distance(100, 0);
  for (int h = 0; h < 4; ++h) CHECK(std::abs(got[h] - expected[h]) < 1e-6);
}

TEST_CASE("the sums of cosines have the reference values, from index one and from zero") {
  // The bias of head 4 of 4 is divided by 8.
  const std::pair<int, double> from_one[] = {
      {1, 3.994953661}, {5, 3.876320197}, {100, 1.696184942}};
  const std::pair<int, double> from_zero[] = {
      {1, 3.535255972}, {5, 3.159982508}, {100, 1.558553814}};
  for (const auto& [x, sum] : from_one) CHECK(std::abs(8 * at_distance(x, 0)[3] + 4 - sum) < 1e-6);
  for (const auto& [x, sum] : from_zero) CHECK(std::abs(8 * at_distance(x, 1)[3] + 4 - sum) < 1e-6);
  CHECK(at_distance(0, 0)[0] == 0);
}

}  // namespace
}  // namespace wf
