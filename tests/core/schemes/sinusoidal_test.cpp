#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "contract/attention_case.h"
#include "contract/embedding_case.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

enum { kLayout, kBase, kEmbeddingScale, kPositionOffset };
enum Layout { kPaper, kTensor2Tensor, kMarian, kWhisper };

// The sine or cosine of each channel.
const reference::RegisteredTwin twin(
    "sinusoidal",
    {
        .embed =
            [](const SchemeShape& shape, const OptionValues& options,
               const std::vector<reference::Row>&, int position, reference::Row& x) {
              const int width = shape.width, half = width / 2;
              for (int c = 0; c < width; ++c) {
                if (options[kEmbeddingScale] != 0) x[c] *= std::sqrt(double(width));
                const int layout = static_cast<int>(options[kLayout]);
                const bool in_turn = layout == kPaper;
                const int t = in_turn ? c / 2 : c % half;
                const bool is_cosine = in_turn ? c % 2 == 1 : c >= half;
                const bool to_the_end = layout == kTensor2Tensor || layout == kWhisper;
                const double exponent = to_the_end ? double(t) / (half - 1) : 2.0 * t / width;
                const double angle = (double(position) + options[kPositionOffset]) /
                                     std::pow(options[kBase], exponent);
                x[c] += is_cosine ? std::cos(angle) : std::sin(angle);
              }
            },
    });

OptionValues options_of(Layout layout, double offset = 0, double scaled = 0) {
  OptionValues options;
  options.values[kLayout] = layout;
  options.values[kBase] = 10000;
  options.values[kEmbeddingScale] = scaled;
  options.values[kPositionOffset] = offset;
  return options;
}

std::vector<float> pattern(Layout layout, std::int32_t position, int width = 8, double offset = 0) {
  return contract::embedded_positions("sinusoidal", options_of(layout, offset), width, {position});
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * b[i];
  return sum;
}

void check_equal(const std::vector<float>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(got[i] - expected[i]) < 1e-7);  // one rounding to float32
  }
}

TEST_CASE("the paper's layout takes sine and cosine in turn") {
  check_equal(pattern(kPaper, 1), {0.8414709848, 0.5403023059, 0.09983341665, 0.9950041653,
                                   0.009999833334, 0.9999500004, 0.0009999998333, 0.9999995});
  check_equal(pattern(kPaper, 5), {-0.9589242747, 0.2836621855, 0.4794255386, 0.8775825619,
                                   0.04997916927, 0.9987502604, 0.004999979167, 0.9999875});
  check_equal(pattern(kPaper, 1000), {0.8268795405, 0.5623790763, -0.5063656411, 0.8623188723,
                                      -0.5440211109, -0.8390715291, 0.8414709848, 0.5403023059});
  check_equal(pattern(kPaper, 0), {0, 1, 0, 1, 0, 1, 0, 1});
}

TEST_CASE("the other layouts put all sines first, and two of them reach exactly 1/base") {
  check_equal(pattern(kMarian, 5), {-0.9589242747, 0.4794255386, 0.04997916927, 0.004999979167,
                                    0.2836621855, 0.8775825619, 0.9987502604, 0.9999875});
  for (const Layout layout : {kTensor2Tensor, kWhisper})
    check_equal(pattern(layout, 5), {-0.9589242747, 0.2300017117, 0.01077196512, 0.0004999999792,
                                     0.2836621855, 0.9731902243, 0.9999419807, 0.999999875});
}

TEST_CASE("layouts of the same frequencies are permutations of channels") {
  const std::vector<float> in_turn = pattern(kPaper, 77), apart = pattern(kMarian, 77);
  for (int t = 0; t < 4; ++t) {
    CHECK(apart[t] == in_turn[2 * t]);
    CHECK(apart[4 + t] == in_turn[2 * t + 1]);
  }
}

TEST_CASE("the product of two patterns depends on their distance alone") {
  for (const auto& [layout, expected] : {std::pair{kPaper, 2.26660948},
                                         {kMarian, 2.26660948},
                                         {kTensor2Tensor, 2.329133143},
                                         {kWhisper, 2.329133143}})
    for (const auto& [i, j] : {std::pair{3, 7}, {7, 3}, {1003, 1007}, {1000003, 1000007}})
      CHECK(std::abs(dot(pattern(layout, i), pattern(layout, j)) - expected) < 1e-6);
}

TEST_CASE("every pattern is as long as every other, and no entry leaves [-1, 1]") {
  for (const Layout layout : {kPaper, kTensor2Tensor, kMarian, kWhisper})
    for (const std::int32_t position : {0, 1, 511, 123456789}) {
      const std::vector<float> p = pattern(layout, position, 64);
      CHECK(std::abs(dot(p, p) - 32) < 1e-5);
      for (float x : p) CHECK(std::abs(x) <= 1);
    }
}

// PE[p + k] = M_k PE[p]: every pair rotates by k·frequency, for any p.
TEST_CASE("a step of k turns every pair by the same angle from everywhere") {
  for (const std::int32_t p : {0, 9, 4000}) {
    const std::vector<float> from = pattern(kPaper, p), to = pattern(kPaper, p + 13);
    for (int t = 0; t < 4; ++t) {
      const double angle = 13 * std::pow(10000.0, -t / 4.0);
      CHECK(std::abs(to[2 * t] -
                     (from[2 * t] * std::cos(angle) + from[2 * t + 1] * std::sin(angle))) < 1e-6);
      CHECK(std::abs(to[2 * t + 1] -
                     (from[2 * t + 1] * std::cos(angle) - from[2 * t] * std::sin(angle))) < 1e-6);
    }
  }
}

TEST_CASE("an offset counts from there, as fairseq does past its padding index") {
  CHECK(pattern(kTensor2Tensor, 0, 8, 2) == pattern(kTensor2Tensor, 2));
  CHECK(pattern(kPaper, 40, 8, 7) == pattern(kPaper, 47));
}

TEST_CASE("the scale multiplies token vectors by the root of the width, and the pattern not") {
  const SchemeEntry& entry = *find_scheme("sinusoidal").value();
  contract::EmbeddingCase plain(entry, options_of(kPaper), {5}, 3),
      scaled(entry, options_of(kPaper, 0, 1), {5}, 3);
  plain.forward();
  scaled.forward();
  for (int c = 0; c < 8; ++c) {
    CHECK(std::abs(scaled.output[c] -
                   (std::sqrt(8.0) * scaled.x[c] + plain.output[c] - plain.x[c])) < 1e-6);
  }
}

TEST_CASE("odd widths: one more sine, or a last channel left alone, or a refusal") {
  CHECK(pattern(kPaper, 3, 5).size() == 5);
  check_equal(pattern(kTensor2Tensor, 3, 5),
              {std::sin(3), std::sin(3e-4), std::cos(3), std::cos(3e-4), 0});
  const double last = std::sin(3 * std::pow(10000.0, -0.8)), middle = 3 * std::pow(10000.0, -0.4);
  check_equal(pattern(kMarian, 3, 5),
              {std::sin(3), std::sin(middle), last, std::cos(3), std::cos(middle)});
  check_equal(pattern(kPaper, 3, 5),
              {std::sin(3), std::cos(3), std::sin(middle), std::cos(middle), last});
  check_equal(pattern(kTensor2Tensor, 3, 2), {std::sin(3), std::cos(3)});
  for (const int width : {1, 2, 3, 7}) {
    const auto made =
        make_scheme(*find_scheme("sinusoidal").value(),
                    {.num_heads = 1, .num_kv_heads = 1, .head_dim = width}, options_of(kWhisper));
    CHECK(made.status().code() == Code::kInvalidArgument);
  }
}

TEST_CASE("patterns equal those of Marian, Pegasus, M2M100, XGLM and Whisper in transformers") {
  const nlohmann::json file = reference::golden("absolute.json");
  REQUIRE(file["sinusoids"].size() >= 6);
  for (const auto& c : file["sinusoids"]) {
    CAPTURE(c["source"].get<std::string>());
    const auto name = c["layout"].get<std::string>();
    const Layout layout = name == "marian"    ? kMarian
                          : name == "whisper" ? kWhisper
                                              : kTensor2Tensor;
    const auto positions = c["positions"].get<std::vector<std::int32_t>>();
    const std::vector<float> got = contract::embedded_positions(
        "sinusoidal", options_of(layout, c["positionOffset"].get<double>()), c["width"].get<int>(),
        positions);
    const std::vector<float> expected = reference::floats(c["table"]);
    reference::check_golden("absolute.json", "sinusoids",
                            contract::largest_difference(got, expected));
  }
}

}  // namespace
}  // namespace wf
