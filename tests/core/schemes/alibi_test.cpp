#include <doctest/doctest.h>

#include <cmath>

#include "contract/attention_case.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

enum { kScaledBias, kForm, kBiasMax, kInterpolation, kBfloat16Slopes };

// A second computation of the slopes, by the recursion of the authors' code: if the number of heads
// is no power of two, the slopes of the power below, then every second slope of twice that number.
std::vector<double> slopes_by_recursion(int heads, double bias_max = 8) {
  if ((heads & (heads - 1)) == 0) {
    const double start = std::pow(2.0, -bias_max / heads);
    std::vector<double> slopes;
    for (int h = 0; h < heads; ++h) slopes.push_back(std::pow(start, h + 1));
    return slopes;
  }
  int below = 1;
  while (below * 2 <= heads) below *= 2;
  std::vector<double> slopes = slopes_by_recursion(below, bias_max);
  const std::vector<double> above = slopes_by_recursion(2 * below, bias_max);
  for (int h = 0; slopes.size() < std::size_t(heads); h += 2) slopes.push_back(above[h]);
  return slopes;
}

// Rounds to 8 significant bits, as bfloat16 does.
double rounded_to_8_bits(double x) {
  int exponent;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(fraction * 256), exponent - 8);
}

const reference::RegisteredTwin twin(
    "alibi", {
                 .bias =
                     [](const reference::TwinShape& shape, const OptionValues& options,
                        const std::vector<reference::Row>&, int head, int query_position,
                        int key_position, const reference::Row&, const reference::Row&) {
                       const double factor = options[kScaledBias] != 0 ? shape.logit_scale : 1;
                       double slope = slopes_by_recursion(shape.num_heads, options[kBiasMax])[head];
                       if (options[kBfloat16Slopes] != 0) slope = rounded_to_8_bits(slope);
                       const int distance = query_position - key_position;
                       return -factor * slope / options[kInterpolation] *
                              (options[kForm] == 1 ? distance : std::abs(distance));
                     },
             });

SchemeInstance make_alibi(int heads, int option = kScaledBias, double value = 0) {
  const SchemeEntry& entry = *find_scheme("alibi").value();
  OptionValues options = default_options(*entry.description);
  options.values[option] = value;
  return make_scheme(entry, {.num_heads = heads, .num_kv_heads = heads, .head_dim = 4}, options)
      .take();
}

std::vector<float> slopes(int heads, int option = kScaledBias, double value = 0) {
  const SchemeInstance alibi = make_alibi(heads, option, value);
  std::vector<float> result(heads);
  for (int h = 0; h < heads; ++h) {
    float at_one_back = 0;
    alibi.scheme->distance_strip({}, h, -1, 0, &at_one_back);
    result[h] = -at_one_back;
  }
  return result;
}

void check_equal(const std::vector<float>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() >= expected.size());
  // Half a unit in the last place of a float32 below 1.
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(std::abs(got[i] - expected[i]) < 3e-8);
}

TEST_CASE("eight heads have slopes 1/2 to 1/256") {
  check_equal(slopes(8), {.5, .25, .125, .0625, .03125, .015625, .0078125, .00390625});
}

TEST_CASE("head counts that are no power of two interleave the next one's slopes") {
  check_equal(slopes(6), {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125});
  check_equal(slopes(12), {.5, .25, .125, .0625, .03125, .015625, .0078125, .00390625, 0.7071067812,
                           0.3535533906, 0.1767766953, 0.08838834765});
  check_equal(slopes(16), {0.7071067812, 0.5, 0.3535533906, 0.25});
}

TEST_CASE("slopes equal the recursion for every head count up to 129") {
  for (int heads = 1; heads <= 129; ++heads) {
    CAPTURE(heads);
    check_equal(slopes(heads), slopes_by_recursion(heads));
  }
}

TEST_CASE("a larger bias maximum makes every slope its power") {
  check_equal(slopes(4, kBiasMax, 16), {0.0625, 0.00390625, 0.000244140625, 0.0000152587890625});
  for (const int heads : {1, 6, 12, 32})
    check_equal(slopes(heads, kBiasMax, 5), slopes_by_recursion(heads, 5));
}

TEST_CASE(
    "interpolation makes a text of four times the trained length cost what that length cost") {
  const SchemeInstance trained = make_alibi(8), longer = make_alibi(8, kInterpolation, 4);
  for (int head = 0; head < 8; ++head) {
    float at_trained, at_longer;
    trained.scheme->distance_strip({}, head, -511, -510, &at_trained);
    longer.scheme->distance_strip({}, head, -4 * 511, -4 * 511 + 1, &at_longer);
    CHECK(at_trained == at_longer);
  }
}

TEST_CASE("Falcon's slopes keep eight bits: 0.70703125 for the root of one half") {
  const std::vector<float> rounded = slopes(16, kBfloat16Slopes, 1);
  CHECK(rounded[0] == 0.70703125f);
  CHECK(rounded[1] == 0.5f);
  CHECK(rounded[2] == 0.353515625f);
}

TEST_CASE("a key after the query costs its distance, or in the signed form gains it") {
  const SchemeInstance symmetric = make_alibi(8), rising = make_alibi(8, kForm, 1);
  float one[5], other[5];
  symmetric.scheme->distance_strip({}, 0, -2, 3, one);
  rising.scheme->distance_strip({}, 0, -2, 3, other);
  const float expected[5] = {-1, -.5f, 0, -.5f, -1}, straight[5] = {-1, -.5f, 0, .5f, 1};
  for (int r = 0; r < 5; ++r) {
    CHECK(one[r] == expected[r]);
    CHECK(other[r] == straight[r]);
  }
}

TEST_CASE("slopes equal those of BLOOM and MPT in transformers") {
  const nlohmann::json file = reference::golden("alibi.json");
  REQUIRE(file["cases"].size() >= 16);
  for (const auto& c : file["cases"]) {
    const std::vector<float> got = slopes(c["heads"].get<int>());
    reference::check_golden("alibi.json", "slopes",
                            contract::largest_difference(got, reference::floats(c["slopes"])));
  }
}

TEST_CASE(
    "equal content under slope 1/2 gives the geometric row of the paper, and Falcon's flatter "
    "one") {
  const SchemeEntry& entry = *find_scheme("alibi").value();
  const double paper[4] = {0.1015363241, 0.1674050973, 0.2760043447, 0.4550542339};
  const double falcon[4] = {0.2270728432, 0.2417177834, 0.257307241, 0.2739021323};
  for (const bool scaled : {false, true}) {
    OptionValues options = default_options(*entry.description);
    options.values[0] = scaled;
    contract::AttentionCase row(
        entry, options,
        {.heads = 8, .kv_heads = 8, .head_dim = 64, .value_dim = 1, .queries = 4, .keys = 4}, true,
        1);
    std::fill(row.q.begin(), row.q.end(), 0.0f);
    auto recorder = Recorder::make(kRecordWeights, {}, row.schemes(), 8, 64, 4, 4).take();
    REQUIRE(row.forward(&recorder).ok());
    for (int s = 0; s < 4; ++s)
      CHECK(std::abs(recorder.weights()[3 * 4 + s] - (scaled ? falcon : paper)[s]) < 1e-7);
  }
}

TEST_CASE("the three published forms differ before softmax and agree after it") {
  // -m (i - j), + m j, and m (j - (n - 1)) for one row i = 3 of n = 6, m = 1/2.
  const auto weights = [](auto bias) {
    std::vector<double> w;
    double total = 0;
    for (int j = 0; j <= 3; ++j) total += std::exp(bias(j));
    for (int j = 0; j <= 3; ++j) w.push_back(std::exp(bias(j)) / total);
    return w;
  };
  const SchemeInstance alibi = make_alibi(8);
  float strip[4];
  alibi.scheme->distance_strip({}, 0, -3, 1, strip);
  const auto ours = weights([&](int j) { return double(strip[j]); });
  const auto by_key = weights([](int j) { return .5 * j; });
  const auto by_last = weights([](int j) { return .5 * (j - 5); });
  for (int j = 0; j <= 3; ++j) {
    CHECK(std::abs(ours[j] - by_key[j]) < 1e-12);
    CHECK(std::abs(ours[j] - by_last[j]) < 1e-12);
    CHECK(strip[j] != .5f * j);
  }
}

}  // namespace
}  // namespace wf
