// Compares frequencies with numbers from papers and from the code of trained models, computed by
// hand.
#include "schemes/rope_frequencies.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace wf {
namespace {

RopeFrequencies ladder_of(int head_dim, double base, const RopeScaling& scaling,
                          double partial = 1) {
  auto made = RopeFrequencies::make(head_dim, partial, base, scaling);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

std::vector<double> frequencies_of(const RopeFrequencies& ladder, int length = 1) {
  std::vector<double> w(ladder.pairs());
  ladder.at(length, w.data());
  return w;
}

std::vector<double> frequencies_of(int head_dim, double base, const RopeScaling& scaling,
                                   int length = 1) {
  return frequencies_of(ladder_of(head_dim, base, scaling), length);
}

// Expected numbers have ten digits.
void check_equal(double got, double expected) {
  CAPTURE(got);
  CAPTURE(expected);
  CHECK(std::abs(got - expected) <= 1e-9 * std::abs(expected));
}
void check_equal(const std::vector<double>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t t = 0; t < got.size(); ++t) check_equal(got[t], expected[t]);
}

// Every type with s = 4 and L = 64, for eight pairs.
const std::vector<double> kOnes(8, 1.0), kRising = {1, 1.5, 2, 3, 4, 6, 8, 8};
RopeScaling of_type(RopeType type, double factor = 4) {
  const std::vector<double>& list = factor == 1 ? kOnes : kRising;
  return {.max_position_embeddings = 64 * (type == RopeType::kDynamic ? 1 : factor),
          .type = type,
          .factor = factor,
          .original_max_position_embeddings = 64,
          .short_factor = list,
          .long_factor = list};
}
constexpr RopeType kEveryType[] = {
    RopeType::kDefault,  RopeType::kLinear,     RopeType::kNtk,
    RopeType::kDynamic,  RopeType::kNtkByParts, RopeType::kYarn,
    RopeType::kLongrope, RopeType::kLlama3,     RopeType::kProportional};

TEST_CASE(
    "with a factor of one every type of scaling is plain, and dynamic up to the trained length") {
  const std::vector<double> plain = frequencies_of(16, 1e4, {});
  for (const RopeType type : kEveryType)
    for (const int length : {1, 64, 65, 10000}) {
      CAPTURE(std::string(kRopeTypes[int(type)]));
      const RopeFrequencies ladder = ladder_of(16, 1e4, of_type(type, 1));
      // `dynamic` uses the factor as a slope: beyond L the ratio is n / L.
      if (type == RopeType::kDynamic && length > 64)
        CHECK(frequencies_of(ladder, length)[7] == doctest::Approx(plain[7] * 64 / length));
      else
        check_equal(frequencies_of(ladder, length), plain);
      CHECK(ladder.attention_factor() == 1);
    }
}

TEST_CASE("scaled frequencies lie between w/s and w, and never rise from pair to pair") {
  const std::vector<double> plain = frequencies_of(16, 1e4, {});
  for (const RopeType type : kEveryType) {
    if (type == RopeType::kLongrope) continue;  // its lists may be anything
    CAPTURE(std::string(kRopeTypes[int(type)]));
    const std::vector<double> w = frequencies_of(16, 1e4, of_type(type), 128);
    for (int t = 0; t < 8; ++t) {
      CHECK(w[t] <= plain[t] * (1 + 1e-15));
      // With the slope of `dynamic` the ratio at twice the length is 4 · 2 - 3 = 5.
      CHECK(w[t] >= plain[t] / (type == RopeType::kDynamic ? 5 : 4) * (1 - 1e-15));
      if (t) CHECK(w[t] <= w[t - 1]);
    }
  }
}

TEST_CASE("linear scaling is the same as dividing positions") {
  const std::vector<double> plain = frequencies_of(8, 1e4, {}),
                            w = frequencies_of(8, 1e4, {.type = RopeType::kLinear, .factor = 8});
  for (int t = 0; t < 4; ++t) CHECK(w[t] * 8000 == doctest::Approx(plain[t] * 1000).epsilon(1e-15));
}

TEST_CASE("a raised base keeps the first frequency and divides the last by the factor exactly") {
  check_equal(frequencies_of(8, 1e4, {.type = RopeType::kNtk, .factor = 4}),
              {1, 0.06299605249, 0.00396850263, 0.00025});
  check_equal(std::pow(frequencies_of(8, 1e4, {.type = RopeType::kNtk, .factor = 4})[1], -4.0),
              63496.04208);
  const std::vector<double> wide = frequencies_of(128, 1e4, {.type = RopeType::kNtk, .factor = 4});
  CHECK(wide[0] == 1);
  check_equal(wide[63], 2.886954962e-05);
  check_equal(wide[63], frequencies_of(128, 1e4, {})[63] / 4);
  check_equal(std::pow(wide[1], -64.0), 40889.94243);  // the base
}

TEST_CASE("dynamic scaling raises the base with the length, from the trained one on") {
  const RopeFrequencies ladder = ladder_of(
      128, 1e4, {.max_position_embeddings = 2048, .type = RopeType::kDynamic, .factor = 2});
  CHECK(ladder.follow_length());
  const std::pair<int, double> bases[] = {
      {1, 1e4}, {2048, 1e4}, {2049, 10009.92071}, {4096, 30527.73675}, {8192, 72195.86009}};
  for (const auto& [length, base] : bases)
    check_equal(std::pow(frequencies_of(ladder, length)[1], -64.0), base);
}

TEST_CASE(
    "the ramp of YaRN's paper runs in rotations, that of its code in pairs: only their ends "
    "agree") {
  const RopeScaling code = {
      .type = RopeType::kYarn, .factor = 4, .original_max_position_embeddings = 2048};
  RopeScaling paper = code;
  paper.type = RopeType::kNtkByParts;
  check_equal(frequencies_of(16, 1e4, code), {1, 0.316227766, 0.1, 0.02569350599, 0.00625,
                                              0.001383496476, 0.00025, 7.90569415e-05});
  check_equal(frequencies_of(16, 1e4, paper), {1, 0.316227766, 0.1, 0.0150264977, 0.003046651589,
                                               0.0007929214047, 0.00025, 7.90569415e-05});
}

TEST_CASE(
    "YaRN's ramp runs from the pair that turns 32 times to the one that turns once, rounded if "
    "told so") {
  struct Ramp {
    int head_dim;
    double base;
    RopeScaling scaling;
    int first, last;  // pairs inside it
    double low, high;
  };
  const RopeScaling small = {.type = RopeType::kYarn,
                             .factor = 4,
                             .original_max_position_embeddings = 2048,
                             .truncate = false};
  RopeScaling rounded = small;
  rounded.truncate = true;
  const RopeScaling oss = {.type = RopeType::kYarn,
                           .factor = 32,
                           .original_max_position_embeddings = 4096,
                           .truncate = false};
  for (const Ramp& ramp :
       {Ramp{16, 1e4, small, 3, 5, 2.016000211, 5.026300168}, Ramp{16, 1e4, rounded, 3, 5, 2, 6},
        Ramp{64, 150000, oss, 9, 17, 8.092779116, 17.3980245}}) {
    const std::vector<double> plain = frequencies_of(ramp.head_dim, ramp.base, {});
    const std::vector<double> w = frequencies_of(ramp.head_dim, ramp.base, ramp.scaling);
    // Returns the part of a pair's frequency that is divided: linear in the pair's index, from 0 at
    // low to 1 at high.
    const auto divided = [&](int t) {
      return (1 - w[t] / plain[t]) / (1 - 1 / ramp.scaling.factor);
    };
    const double slope = (divided(ramp.last) - divided(ramp.first)) / (ramp.last - ramp.first);
    const double low = ramp.first - divided(ramp.first) / slope;
    check_equal(low, ramp.low);
    check_equal(low + 1 / slope, ramp.high);
  }
}

TEST_CASE("YaRN of Llama 2, Qwen2.5 and gpt-oss") {
  const RopeFrequencies llama = ladder_of(
      128, 1e4, {.type = RopeType::kYarn, .factor = 16, .original_max_position_embeddings = 4096});
  const std::vector<double> plain = frequencies_of(128, 1e4, {}), w = frequencies_of(llama);
  check_equal(w[33], 0.004600435468);
  check_equal(llama.attention_factor(), 1.277258872);
  check_equal(w[20], plain[20]);
  CHECK(w[21] < plain[21] * 0.99);
  check_equal(w[46], plain[46] / 16);
  CHECK(w[45] > plain[45] / 16 * 1.01);
  // The default factor is the ratio of the two lengths.
  const RopeFrequencies qwen = ladder_of(128, 1e6,
                                         {.max_position_embeddings = 131072,
                                          .type = RopeType::kYarn,
                                          .original_max_position_embeddings = 32768});
  check_equal(frequencies_of(qwen)[31], 0.0008029597275);
  check_equal(qwen.attention_factor(), 1.138629436);
  const RopeFrequencies oss = ladder_of(64, 150000,
                                        {.type = RopeType::kYarn,
                                         .factor = 32,
                                         .original_max_position_embeddings = 4096,
                                         .truncate = false});
  check_equal(frequencies_of(oss)[12], 0.00679495949);
  check_equal(oss.attention_factor(), 1.34657359);
}

TEST_CASE(
    "YaRN's attention factor: the given one, else the ratio of two mscales, else 0.1 ln s + 1") {
  RopeScaling scaling = {
      .type = RopeType::kYarn, .factor = 40, .original_max_position_embeddings = 4096};
  const auto factor = [&] { return ladder_of(64, 1e4, scaling).attention_factor(); };
  check_equal(factor(), 1.368887945);  // DeepSeek-V3's
  scaling.mscale = 0.707;
  check_equal(factor(), 1.368887945);  // ignored without mscale_all_dim
  scaling.mscale_all_dim = 0.5;
  check_equal(factor(), (0.0707 * std::log(40.0) + 1) / (0.05 * std::log(40.0) + 1));
  check_equal(yarn_scale(40, 0.707), 1.260803777);  // DeepSeek-V2-Lite's
  scaling.mscale = scaling.mscale_all_dim = 1;
  CHECK(factor() == 1);
  scaling.attention_factor = 1.5;
  CHECK(factor() == 1.5);
}

TEST_CASE("LongRoPE divides each pair by its own number, another one beyond the trained length") {
  const std::vector<double> few = {1, 1, 1, 1}, many = {1, 1.5, 4, 32};
  const RopeFrequencies ladder = ladder_of(8, 1e4,
                                           {.max_position_embeddings = 131072,
                                            .type = RopeType::kLongrope,
                                            .original_max_position_embeddings = 4096,
                                            .short_factor = few,
                                            .long_factor = many});
  CHECK(ladder.follow_length());
  check_equal(frequencies_of(ladder, 4096), {1, 0.1, 0.01, 0.001});
  check_equal(frequencies_of(ladder, 4097), {1, 0.06666666667, 0.0025, 3.125e-05});
  check_equal(ladder.attention_factor(), 1.190238071);
}

TEST_CASE("Llama 3.1 and 3.2 keep fast pairs, divide slow ones, and slide between in rotations") {
  const RopeScaling scaling = {
      .type = RopeType::kLlama3, .factor = 8, .original_max_position_embeddings = 8192};
  const std::vector<double> plain = frequencies_of(128, 5e5, {}),
                            w = frequencies_of(128, 5e5, scaling);
  const double middle[] = {0.002166570764,  0.001371893568,  0.0008567514129, 0.000524846161,
                           0.0003126937504, 0.0001785078128, 9.556212354e-05};
  for (int t = 0; t <= 28; ++t) check_equal(w[t], plain[t]);
  for (int t = 29; t <= 35; ++t) check_equal(w[t], middle[t - 29]);
  for (int t = 35; t < 64; ++t) check_equal(w[t], plain[t] / 8);
  RopeScaling small = scaling;
  small.factor = 32;
  const std::vector<double> slow = frequencies_of(64, 5e5, small),
                            first = frequencies_of(64, 5e5, {});
  for (int t = 0; t <= 13; ++t) check_equal(slow[t], first[t]);
  check_equal(slow[15], 0.001290547928);
  check_equal(slow[16], 0.0004295567966);
  check_equal(slow[17], 9.708287803e-05);
  for (int t = 18; t < 32; ++t) check_equal(slow[t], first[t] / 32);
  check_equal(slow[31], 9.418306725e-08);
}

TEST_CASE(
    "a proportional ladder spans the head and ends in pairs that never turn; a partial one is "
    "short") {
  const RopeFrequencies ladder = ladder_of(8, 1e6, {.type = RopeType::kProportional}, 0.5);
  check_equal(frequencies_of(ladder), {1, 0.0316227766, 0, 0});
  check_equal(frequencies_of(ladder_of(8, 1e6, {}, 0.5)), {1, 0.001});
  check_equal(
      frequencies_of(ladder_of(8, 1e6, {.type = RopeType::kProportional, .factor = 8}, 0.5)),
      {0.125, 0.0316227766 / 8, 0, 0});
  CHECK(ladder_of(8, 1e6, {.type = RopeType::kProportional}, 0.7).pairs() == 4);
}

TEST_CASE("only dynamic and LongRoPE follow the length") {
  for (const RopeType type : kEveryType)
    CHECK(ladder_of(16, 1e4, of_type(type)).follow_length() ==
          (type == RopeType::kDynamic || type == RopeType::kLongrope));
}

TEST_CASE("a scaling that lacks what its type needs is refused by the name of what is missing") {
  const auto names = [&](int head_dim, const RopeScaling& scaling, const char* name) {
    const auto made = RopeFrequencies::make(head_dim, 1, 1e4, scaling);
    CHECK(made.status().code() == Code::kInvalidArgument);
    CHECK_MESSAGE(std::strstr(made.status().message(), name) != nullptr, made.status().message());
  };
  for (const RopeType type : {RopeType::kLinear, RopeType::kNtk, RopeType::kDynamic,
                              RopeType::kNtkByParts, RopeType::kLlama3})
    names(16, {.type = type}, "ropeScaling.factor: 0");
  names(16, {.type = RopeType::kLinear, .factor = 0.5}, "ropeScaling.factor: 0.5");
  names(16,
        {.max_position_embeddings = 10,
         .type = RopeType::kYarn,
         .original_max_position_embeddings = 20},
        "ropeScaling.factor: 0.5");
  names(16, {.max_position_embeddings = 10, .type = RopeType::kLongrope},
        "ropeScaling.shortFactor: 0 numbers");
  const std::vector<double> eight(8, 1.0), seven(7, 1.0);
  names(16, {.type = RopeType::kLongrope, .short_factor = eight, .long_factor = seven},
        "ropeScaling.longFactor: 7 numbers");
  names(16, {.type = RopeType::kLlama3, .factor = 2, .low_freq_factor = 4, .high_freq_factor = 4},
        "ropeScaling.highFreqFactor");
  names(16, {.type = RopeType::kYarn, .factor = 2, .beta_fast = 1, .beta_slow = 2},
        "ropeScaling.betaFast");
  names(16, {.max_position_embeddings = 1, .type = RopeType::kYarn, .factor = 2},
        "ropeScaling.originalMaxPositionEmbeddings: 1");
  names(2, {.type = RopeType::kNtk, .factor = 2}, "ropeScaling.ropeType: ntk");
}

TEST_CASE("a list outlives the options that it was set in, and copies share it") {
  const double numbers[] = {1, 2, 3};
  NumberList copy;
  {
    auto made = NumberList::make(numbers);
    REQUIRE(made.ok());
    const NumberList first = made.take();
    copy = first;
    CHECK(copy.numbers().data() == first.numbers().data());
  }
  CHECK(copy.numbers().size() == 3);
  CHECK(copy.numbers()[2] == 3);
  copy = NumberList();
  CHECK(copy.numbers().empty());
}

}  // namespace
}  // namespace wf
