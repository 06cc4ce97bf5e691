#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "contract/attention_case.h"
#include "contract/finite_differences.h"
#include "reference/deviations.h"
#include "reference/golden.h"
#include "reference/rope_twin.h"
#include "schemes/rope_scaling.h"

namespace wf {
namespace {

enum { kTheta, kInterleaved, kPartial, kMax, kType, kFactor, kOriginal };

int option_index(const char* key) {
  const auto& options = find_scheme("rope").value()->description->options;
  return int(std::ranges::find(options, std::string(key), &Option::key) - options.begin());
}

// Rotates a row through `steps` positions, in a text of this length.
void turn_row(const SchemeShape& shape, const OptionValues& options,
              const std::vector<reference::Row>& parameters, int length, int steps, double power,
              reference::Row& x) {
  const reference::RopeLadder ladder = reference::ladder_of_head(
      options, kMax, shape.head_dim, options[kPartial], options[kTheta], length);
  const int pairs = int(ladder.frequencies.size());
  for (int t = 0; t < pairs; ++t) {
    double& a = x[options[kInterleaved] ? 2 * t : t];
    double& b = x[options[kInterleaved] ? 2 * t + 1 : t + pairs];
    const double by = parameters.empty() ? 1 : std::exp(parameters[0][t]);
    reference::turn(a, b, steps * by * ladder.frequencies[t], std::pow(ladder.factor, power));
  }
}

const reference::RegisteredTwin twin(
    "rope",
    {
        .trained_transform =
            [](const reference::TwinShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, bool, int, reference::Place position,
               reference::Row& x) {
              turn_row(shape, options, parameters, position.sequence_length, position, 1, x);
            },
        // Values arrive rotated by the distance; the factor of the cosines acts twice.
        .carry_value =
            [](const reference::TwinShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, reference::Place query,
               reference::Place key, reference::Row& value) {
              if (options[option_index("rotatedValues")])
                turn_row(shape, options, parameters, key.sequence_length, key - query, 2, value);
            },
        .complete =
            [](const SchemeShape& shape, OptionValues& options) {
              // No more channels rotate than values have.
              const int most = shape.value_channels() / 2 * 2;
              double& rotates_values = options.values[option_index("rotatedValues")];
              const bool is_whole = options[kType] == double(RopeType::kProportional);
              if (is_whole && most < shape.head_dim) rotates_values = 0;
              if (rotates_values && most < shape.head_dim * options[kPartial])
                options.values[kPartial] = double(most) / shape.head_dim;
              reference::complete_rope_scaling(options, kMax,
                                               int(shape.head_dim * options[kPartial]) / 2);
            },
    });

SchemeInstance make_rope(int head_dim, double interleaved, double partial = 1,
                         double theta = 10000) {
  const SchemeEntry& entry = *find_scheme("rope").value();
  OptionValues options = default_options(*entry.description);
  options.values[kTheta] = theta;
  options.values[kInterleaved] = interleaved;
  options.values[kPartial] = partial;
  auto made =
      make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = head_dim}, options);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

std::vector<float> rotated(const Scheme& rope, std::vector<float> x, std::int32_t position) {
  const Positions at = {&position, 1, 1};
  std::vector<float> table(rope.position_table_floats(1));
  rope.fill_position_table(at, position + 1, nullptr, table.data());
  rope.transform_projections({}, Projection::kQuery, 0, {at, table.data()},
                             {x.data(), 1, static_cast<int>(x.size()), static_cast<int>(x.size())});
  return x;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * b[i];
  return sum;
}

const std::vector<float> kX = {1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<float> kK = {.5f, -1, 2, .25f, -.75f, 1.5f, 1, -2};

void check_equal(const std::vector<float>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(got[i] - expected[i]) < 2e-6);  // values up to 8 in float32
  }
}

// Expected values: the formula in double precision, base 10⁴, position 3.
TEST_CASE("interleaved pairs are neighbours, half-split pairs are half a head apart") {
  check_equal(rotated(*make_rope(8, 1).scheme, kX, 3),
              {-1.272232513, -1.838864985, 1.683928641, 4.707906576, 4.817777168, 6.147277704,
               6.975968536, 8.020963969});
  check_equal(rotated(*make_rope(8, 0).scheme, kX, 3),
              {-1.695592537, 0.1375517383, 2.7886816, 3.975982036, -4.808842475, 6.323059348,
               7.086836737, 8.011963982});
}

TEST_CASE("partial rotation turns the first channels, with frequencies of the rotated width") {
  check_equal(rotated(*make_rope(8, 0, .5).scheme, kX, 3),
              {-1.413352521, 1.879118067, -2.828857482, 4.058191135, 5, 6, 7, 8});
  check_equal(rotated(*make_rope(8, 1, .5).scheme, kX, 3),
              {-1.272232513, -1.838864985, 2.8786681, 4.088186636, 5, 6, 7, 8});
}

TEST_CASE("the product of rotated vectors depends on the difference of positions alone") {
  for (const auto& [interleaved, expected] : {std::pair{1, 2.289206933}, {0, 9.740140353}}) {
    const SchemeInstance rope = make_rope(8, interleaved);
    for (const auto& [i, j] : {std::pair{5, 2}, {103, 100}, {3, 0}, {100003, 100000}})
      CHECK(std::abs(dot(rotated(*rope.scheme, kX, i), rotated(*rope.scheme, kK, j)) - expected) <
            1e-5);
  }
}

TEST_CASE(
    "one pair is periodic: at pi/8 a position the product falls, and returns at distance 16") {
  // The second of two pairs rotates by base^(-1/2), which is pi/8 with this base.
  const double eighth = 3.141592653589793 / 8;
  const SchemeInstance rope = make_rope(4, 0, 1, 1 / (eighth * eighth));
  const std::vector<float> x = {0, 1, 0, 0};
  const auto similarity = [&](int i, int j) {
    return dot(rotated(*rope.scheme, x, i), rotated(*rope.scheme, x, j));
  };
  CHECK(std::abs(similarity(1, 3) - 0.7071067812) < 1e-6);
  CHECK(std::abs(similarity(0, 8) + 1) < 1e-6);
  CHECK(std::abs(similarity(5, 21) - 1) < 1e-6);
}

// Returns B(r) = mean over m of |Σ_{t<m} e^(i r w_t)|, the bound of the paper's section 3.4.3, and
// the sum of all cosines at that distance.
TEST_CASE(
    "the bound on long-distance products falls, oscillates, and falls slower for a larger base") {
  const auto bound = [](double theta, double r) {
    const SchemeInstance rope = make_rope(128, 0, 1, theta);
    double frequencies[64], factor, real = 0, imaginary = 0, total = 0;
    rope.scheme->frequencies(0, frequencies, &factor);
    for (const double w : frequencies) {
      real += std::cos(r * w);
      imaginary += std::sin(r * w);
      total += std::hypot(real, imaginary);
    }
    return std::pair(total / 64, real);
  };
  const std::pair<double, double> small[] = {
      {0, 32.5},          {1, 31.53816614},   {10, 17.95413714},   {50, 12.62945249},
      {100, 10.22732995}, {256, 6.543097323}, {1000, 4.470761034}, {4096, 4.882792191}};
  for (const auto& [r, expected] : small)
    CHECK(std::abs(bound(1e4, r).first - expected) < 1e-8 * 32.5);
  const std::pair<double, double> large[] = {
      {1, 31.64685173},   {10, 20.88568466},   {50, 15.73503868},  {100, 13.70878701},
      {256, 12.16420326}, {1000, 10.20018776}, {4096, 7.164543779}};
  for (const auto& [r, expected] : large)
    CHECK(std::abs(bound(5e5, r).first - expected) < 1e-8 * 32.5);
  const std::pair<double, double> sums[] = {
      {0, 64}, {1, 62.09368381}, {10, 42.8200229}, {100, 30.5434547}, {1000, 10.17772813}};
  for (const auto& [r, expected] : sums) CHECK(std::abs(bound(1e4, r).second - expected) < 1e-7);
}

TEST_CASE("rotation keeps lengths, and position 0 is the identity") {
  const SchemeInstance rope = make_rope(8, 0);
  CHECK(rotated(*rope.scheme, kX, 0) == kX);
  const std::vector<float> far = rotated(*rope.scheme, kX, 123456);
  CHECK(std::abs(dot(far, far) - dot(kX, kX)) < 1e-4);
}

TEST_CASE("the layouts differ by a permutation of channels") {
  const int permutation[8] = {0, 2, 4, 6, 1, 3, 5, 7};
  std::vector<float> permuted(8), expected(8);
  for (int i = 0; i < 8; ++i) permuted[i] = kX[permutation[i]];
  const std::vector<float> interleaved = rotated(*make_rope(8, 1).scheme, kX, 17);
  for (int i = 0; i < 8; ++i) expected[i] = interleaved[permutation[i]];
  CHECK(contract::largest_difference(rotated(*make_rope(8, 0).scheme, permuted, 17), expected) <
        1e-6);
}

TEST_CASE("frequencies and rotations equal those of Llama, GPT-J and GPT-NeoX in transformers") {
  const nlohmann::json file = reference::golden("rope.json");
  REQUIRE(file["cases"].size() >= 6);
  for (const auto& c : file["cases"]) {
    CAPTURE(c["source"].get<std::string>());
    const int width = c["headDim"].get<int>();
    const auto& options = c["options"];
    const SchemeInstance rope =
        make_rope(width, options["interleaved"].get<bool>(),
                  options["partialRotaryFactor"].get<double>(), options["ropeTheta"].get<double>());
    double frequencies[64], factor = 0;
    const int count = rope.scheme->frequencies(0, frequencies, &factor);
    REQUIRE(count == static_cast<int>(c["inverseFrequencies"]["data"].size()));
    CHECK(factor == 1);
    for (int t = 0; t < count; ++t)
      reference::check_golden(
          "rope.json", "inverseFrequencies",
          std::abs(frequencies[t] - c["inverseFrequencies"]["data"][t].get<double>()));
    const std::vector<float> x = reference::floats(c["x"]),
                             expected = reference::floats(c["rotated"]);
    for (std::size_t i = 0; i < c["positions"].size(); ++i) {
      // The library computes angles partly in float32; at position 0 they are exact.
      const int position = c["positions"][i].get<int>();
      CAPTURE(position);
      const std::vector<float> got =
          rotated(*rope.scheme, {x.begin() + i * width, x.begin() + (i + 1) * width}, position);
      const std::vector<float> theirs(expected.begin() + i * width,
                                      expected.begin() + (i + 1) * width);
      reference::check_golden(
          "rope.json", "rotated", contract::largest_difference(got, theirs),
          reference::golden_tolerance("rope.json", "rotated") +
              position * reference::golden_tolerance("rope.json", "rotatedPerPosition"));
    }
  }
}

OptionValues scaled_options(const char* type,
                            const std::vector<std::pair<const char*, double>>& numbers) {
  const SchemeDescription& description = *find_scheme("rope").value()->description;
  OptionValues options = default_options(description);
  REQUIRE(set_option(description, options, "ropeScaling.ropeType", 0, type).ok());
  for (const auto& [key, value] : numbers)
    REQUIRE(set_option(description, options, key, value).ok());
  const double few[] = {1, 1.1, 1.2, 1.3}, many[] = {1, 3, 5, 9};
  REQUIRE(set_option(description, options, "ropeScaling.shortFactor", few).ok());
  REQUIRE(set_option(description, options, "ropeScaling.longFactor", many).ok());
  return options;
}

// Frequencies change at length 7; with dynamic scaling also at every later length.
TEST_CASE(
    "a decode step at length n is the last row of a prefill of length n where frequencies follow "
    "the length") {
  for (const std::string type : {"dynamic", "longrope"}) {
    CAPTURE(type);
    const OptionValues options =
        scaled_options(type.c_str(), {{"maxPositionEmbeddings", 6},
                                      {"ropeScaling.factor", 4},
                                      {"ropeScaling.originalMaxPositionEmbeddings", 6}});
    contract::AttentionCase whole(*find_scheme("rope").value(), options, {}, true, 21);
    auto cache = KvCache::make(whole.config, 9).take();
    std::vector<float> step(4 * 6);
    bool earlier_rows_move = false;
    std::vector<float> before;
    for (int n = 1; n <= 9; ++n) {
      CAPTURE(n);
      const AttentionInput in = whole.input();
      const auto row = [&](const ConstHeads& x) {
        return ConstHeads{
            x.data + (n - 1) * x.row_stride, x.heads, 1, x.columns, x.head_stride, x.row_stride};
      };
      REQUIRE(attention_decode(whole.config, whole.schemes(), cache, row(in.q), row(in.k),
                               row(in.v), {whole.query_positions.data() + n - 1, 1, 1},
                               heads_outermost(step.data(), 4, 1, 6), whole.saved(),
                               whole.scratch())
                  .ok());
      // A prefill of the first n tokens alone.
      contract::AttentionCase prefill(*find_scheme("rope").value(), options,
                                      {.queries = n, .keys = n}, true, 0);
      const auto cut = [&](const std::vector<float>& from, std::vector<float>& to, int heads,
                           int width) {
        for (int h = 0; h < heads; ++h)
          std::copy_n(from.begin() + std::size_t(h) * 9 * width, n * width,
                      to.begin() + std::size_t(h) * n * width);
      };
      cut(whole.q, prefill.q, 4, 8);
      cut(whole.k, prefill.k, 2, 8);
      cut(whole.v, prefill.v, 2, 6);
      REQUIRE(prefill.forward().ok());
      for (int h = 0; h < 4; ++h)
        for (int c = 0; c < 6; ++c)
          CHECK(std::abs(step[h * 6 + c] - prefill.output[(h * n + n - 1) * 6 + c]) < 2e-6);
      // Row 2 of every prefill that has one changes when the frequencies do.
      if (n >= 3) {
        const std::vector<float> row2(prefill.output.begin() + 2 * 6,
                                      prefill.output.begin() + 3 * 6);
        const double change = before.empty() ? 0 : contract::largest_difference(row2, before);
        if (n <= 6) CHECK(change < 1e-6);
        if (n == 7) earlier_rows_move = change > 1e-4;
        before = row2;
      }
    }
    CHECK(earlier_rows_move);
  }
}

TEST_CASE("rotated keys are cached unless frequencies follow the length") {
  const SchemeEntry& entry = *find_scheme("rope").value();
  for (const char* type : kRopeTypes) {
    CAPTURE(type);
    auto made =
        make_scheme(entry, {.head_dim = 8}, scaled_options(type, {{"ropeScaling.factor", 2}}));
    REQUIRE_MESSAGE(made.ok(), made.status().message());
    const bool follows = std::strcmp(type, "dynamic") == 0 || std::strcmp(type, "longrope") == 0;
    CHECK(made.value().scheme->caches_raw_keys() == follows);
  }
}

TEST_CASE("a common shift changes logits where it changes the length that frequencies follow") {
  contract::AttentionCase problem(
      *find_scheme("rope").value(),
      scaled_options("dynamic", {{"maxPositionEmbeddings", 16}, {"ropeScaling.factor", 4}}), {},
      true, 22);
  REQUIRE(problem.forward().ok());
  const std::vector<float> before = problem.output;
  problem.shift_positions(7);  // length 16: as trained
  REQUIRE(problem.forward().ok());
  CHECK(contract::largest_difference(problem.output, before) < 1e-5);
  problem.shift_positions(100);
  REQUIRE(problem.forward().ok());
  CHECK(contract::largest_difference(problem.output, before) > 1e-3);
}

TEST_CASE(
    "the attention factor multiplies a rotated logit by its square, and only the channels that "
    "turn") {
  OptionValues options = scaled_options("yarn", {{"ropeScaling.factor", 1},
                                                 {"ropeScaling.attentionFactor", 1.5},
                                                 {"partialRotaryFactor", 0.5}});
  const SchemeInstance plain = make_rope(8, 0, 0.5),
                       scaled = make_scheme(*find_scheme("rope").value(), {.head_dim = 8}, options)
                                    .take();
  const std::vector<float> a = rotated(*plain.scheme, kX, 5), b = rotated(*scaled.scheme, kX, 5);
  for (int i = 0; i < 8; ++i) CHECK(std::abs(b[i] - (i < 4 ? 1.5f : 1.0f) * a[i]) < 1e-6);
}

TEST_CASE("an odd number of rotated channels is refused") {
  const SchemeEntry& entry = *find_scheme("rope").value();
  OptionValues options = default_options(*entry.description);
  for (const auto& [head_dim, partial] : {std::pair{7, 1.0}, {8, 0.4}, {1, 1.0}}) {
    options.values[kPartial] = partial;
    const auto made =
        make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = head_dim}, options);
    CHECK(made.status().code() == Code::kInvalidArgument);
  }
}

TEST_CASE("angles stay exact at positions where float32 angles are off by a hundredth") {
  const SchemeInstance rope = make_rope(2, 0);
  const std::vector<float> turned = rotated(*rope.scheme, {1, 0}, 1000003);
  CHECK(std::abs(turned[0] - std::cos(1000003.0)) < 1e-6);
  CHECK(std::abs(turned[1] - std::sin(1000003.0)) < 1e-6);
}

TEST_CASE("learned frequencies begin as RoPE's, and a factor of e turns a pair e times as far") {
  const SchemeEntry& entry = *find_scheme("rope").value();
  OptionValues options = default_options(*entry.description);
  contract::AttentionCase plain(entry, options, {}, true, 3);
  options.values[option_index("learnedFrequencies")] = 1;
  contract::AttentionCase learned(entry, options, {}, true, 3);
  REQUIRE(learned.parameters.size() == 1);
  REQUIRE(learned.parameters[0].size() == 4);
  std::fill(learned.parameters[0].begin(), learned.parameters[0].end(), 0.0f);
  REQUIRE(plain.forward().ok());
  REQUIRE(learned.forward().ok());
  CHECK(learned.output == plain.output);
  // The table is made again after a parameter has changed, and only then.
  std::fill(learned.parameters[0].begin(), learned.parameters[0].end(), std::log(3.0f));
  plain.scale_positions(3);
  REQUIRE(plain.forward().ok());
  REQUIRE(learned.forward().ok());
  CHECK(contract::largest_difference(learned.output, plain.output) < 2e-6);
  CHECK(learned.schemes().items[0].scheme->parameters()[0].scope == ParameterScope::kModel);
  double frequencies[4], factor;
  CHECK(learned.scheme().frequencies(9, frequencies, &factor) == 0);
}

TEST_CASE("a trained factor of queries beside learned frequencies leaves both gradients right") {
  const SchemeEntry& rope = *find_scheme("rope").value();
  const SchemeEntry& query_scale = *find_scheme("query_scale").value();
  OptionValues options = default_options(*rope.description);
  options.values[option_index("learnedFrequencies")] = 1;
  const contract::Sizes sizes = {
      .heads = 2, .kv_heads = 1, .head_dim = 4, .value_dim = 3, .queries = 6, .keys = 6};
  contract::AttentionCase one(rope, options, sizes, true, 4);
  contract::AttentionCase two(query_scale, default_options(*query_scale.description), sizes, true,
                              5);
  const auto schemes = [&] {
    LayerSchemes both = one.schemes();
    both.items[both.count++] = two.schemes().items[0];
    return both;
  };
  const std::vector<float> probe = contract::random_values(2 * 6 * 3, 6);
  std::vector<float> output(probe.size());
  const auto view = [&](auto* data, int heads, int columns) {
    return heads_outermost(data, heads, 6, columns);
  };
  const auto loss = [&] {
    REQUIRE(attention_forward(one.config, schemes(), one.input(), view(output.data(), 2, 3),
                              one.saved(), one.scratch())
                .ok());
    double sum = 0;
    for (std::size_t i = 0; i < output.size(); ++i) sum += double(output[i]) * probe[i];
    return sum;
  };
  loss();
  const std::vector<float> forward = output;
  std::vector<float> d_q(one.q.size()), d_k(one.k.size()), d_v(one.v.size());
  REQUIRE(attention_backward(one.config, schemes(), one.input(), view(forward.data(), 2, 3),
                             view(probe.data(), 2, 3), one.saved(), one.scratch(),
                             view(d_q.data(), 2, 4), view(d_k.data(), 1, 4), view(d_v.data(), 1, 3))
              .ok());
  for (auto* problem : {&one, &two})
    for (std::size_t p = 0; p < problem->parameters.size(); ++p)
      for (std::size_t i = 0; i < problem->parameters[p].size(); ++i) {
        float& value = problem->parameters[p][i];
        const float kept = value, step = 0x1p-9f;
        value = kept + step;
        const double up = loss();
        value = kept - step;
        const double down = loss();
        value = kept;
        // Differences of float32 losses.
        CHECK(std::abs((up - down) / (2.0 * step) - problem->d_parameters[p][i]) < 2e-3);
      }
}

contract::AttentionCase with_rotated_values(const contract::Sizes& sizes, bool learns = false) {
  const SchemeEntry& entry = *find_scheme("rope").value();
  OptionValues options = default_options(*entry.description);
  options.values[option_index("rotatedValues")] = 1;
  options.values[option_index("learnedFrequencies")] = learns;
  return contract::AttentionCase(entry, options, sizes, true, 8);
}

TEST_CASE("a value arrives rotated by the distance, and is recorded before the output is rotated") {
  contract::AttentionCase one = with_rotated_values(
      {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 3, .queries = 1, .keys = 1});
  one.query_positions = {5};
  one.key_positions = {2};
  one.v = {1, 0, 7};
  Recorder recorder =
      Recorder::make(kRecordWeightedValues, {}, one.schemes(), 1, 2, 1, 1, 3).take();
  REQUIRE(one.forward(&recorder).ok());
  const std::vector<double> by_distance = {std::cos(-3), std::sin(-3), 7};
  check_equal(one.output, by_distance);
  check_equal({recorder.weighted_values().begin(), recorder.weighted_values().end()},
              {std::cos(2), std::sin(2), 7});
  one.shift_positions(1000);
  REQUIRE(one.forward().ok());
  check_equal(one.output, by_distance);
}

TEST_CASE("learned frequencies get gradients from queries, keys, values and outputs") {
  contract::AttentionCase problem = with_rotated_values(
      {.heads = 2, .kv_heads = 1, .head_dim = 4, .value_dim = 5, .queries = 6, .keys = 6}, true);
  const std::vector<float> probe = contract::random_values(2 * 6 * 5, 9);
  REQUIRE(problem.forward().ok());
  REQUIRE(problem.backward(probe).ok());
  const auto loss = [&] { return problem.twin_loss(probe); };
  CHECK(contract::largest_slope_difference(problem.parameters[0], problem.d_parameters[0], loss) <
        2e-5);
  CHECK(contract::largest_slope_difference(problem.v, problem.d_v, loss) < 2e-5);
}

TEST_CASE("values with fewer channels than rotate, or that are stored in keys, are refused") {
  contract::AttentionCase narrow = with_rotated_values({.head_dim = 8, .value_dim = 8});
  AttentionInput input = narrow.input();
  narrow.config.value_dim = input.v.columns = 6;
  std::vector<float> output(4 * 9 * 6);
  const Heads out = heads_outermost(output.data(), 4, 9, 6);
  const Status status = attention_forward(narrow.config, narrow.schemes(), input, out,
                                          narrow.saved(), narrow.scratch());
  CHECK(status.code() == Code::kInvalidArgument);
  CHECK(std::strstr(status.message(), "valueDim: 6 (expected 8 or more"));
  contract::AttentionCase whole = with_rotated_values({.head_dim = 8, .value_dim = 8});
  KvCache cache = KvCache::make(whole.config, 9, CachedValues::kInKeys).take();
  const AttentionInput all = whole.input();
  CHECK(attention_decode(whole.config, whole.schemes(), cache, all.q, all.k, all.v,
                         all.query_positions, heads_outermost(whole.output.data(), 4, 9, 8),
                         whole.saved(), whole.scratch())
            .code() == Code::kUnsupported);
}

}  // namespace
}  // namespace wf
