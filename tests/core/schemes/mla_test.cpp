#include <doctest/doctest.h>

#include <cmath>

#include "contract/attention_case.h"
#include "reference/product.h"
#include "reference/rope_twin.h"
#include "schemes/rope_scaling.h"

namespace wf {
namespace {

using contract::AttentionCase;
using contract::largest_difference;
using contract::random_values;

enum {
  kRopeHeadDim,
  kNopeHeadDim,
  kKvLoraRank,
  kQLoraRank,
  kVHeadDim,
  kTheta,
  kInterleaved,
  kMax,
  kType,
  kFactor,
  kOriginal
};

int slice_of(const SchemeShape& shape, const OptionValues& options) {
  if (options[kRopeHeadDim] != 0) return static_cast<int>(options[kRopeHeadDim]);
  return std::max(2, shape.head_dim / 3 - shape.head_dim / 3 % 2);
}

// Returns the index of an option.
int index_of(const char* key) {
  const auto options = find_scheme("mla").value()->description->options;
  int i = 0;
  while (std::string(options[i].key) != key) ++i;
  return i;
}

bool is_type(const OptionValues& options, const char* type) {
  return std::string(kRopeTypes[int(options[kType])]) == type;
}

const reference::RegisteredTwin twin(
    "mla",
    {
        .transform =
            [](const SchemeShape& shape, const OptionValues& options, bool, int,
               reference::Place position, reference::Row& x) {
              const int width = slice_of(shape, options),
                        first = static_cast<int>(x.size()) - width;
              const reference::RopeLadder ladder = reference::rope_ladder(
                  options, kMax, width, options[kTheta], position.sequence_length);
              for (int t = 0; t < width / 2; ++t) {
                double& a = x[first + (options[kInterleaved] != 0 ? 2 * t : t)];
                double& b = x[first + (options[kInterleaved] != 0 ? 2 * t + 1 : t + width / 2)];
                reference::turn(a, b, position * ladder.frequencies[t], ladder.factor);
              }
            },
        .scale =
            [](const SchemeShape& shape, const OptionValues& options) {
              const int width = slice_of(shape, options);
              const double content =
                  options[kNopeHeadDim] != 0 ? options[kNopeHeadDim] : shape.head_dim - width;
              const double m = options[index_of("ropeScaling.mscaleAllDim")], s = options[kFactor];
              const double g =
                  !is_type(options, "default") && m > 0 && s > 1 ? 0.1 * m * std::log(s) + 1 : 1;
              return g * g / std::sqrt(content + width);
            },
        .complete =
            [](const SchemeShape& shape, OptionValues& options) {
              // Types that change the base need two or more pairs: uses a wider slice, or another
              // type if the head has no room for it.
              if (!is_type(options, "default") && options[kRopeHeadDim] == 0 && shape.head_dim > 4)
                options.values[kRopeHeadDim] = 4;
              if (slice_of(shape, options) == 2 &&
                  (is_type(options, "ntk") || is_type(options, "dynamic")))
                options.values[kType] = static_cast<double>(RopeType::kLinear);
              reference::complete_rope_scaling(options, kMax, slice_of(shape, options) / 2);
            },
    });

const SchemeEntry& entry_of(const char* id) { return *find_scheme(id).value(); }

OptionValues options_with(const char* id, std::initializer_list<std::pair<int, double>> changes) {
  OptionValues options = default_options(*entry_of(id).description);
  for (const auto& [index, value] : changes) options.values[index] = value;
  return options;
}

// Concatenates each row of a with the corresponding row of b.
std::vector<float> joined(const std::vector<float>& a, int a_width, const std::vector<float>& b,
                          int b_width) {
  std::vector<float> both;
  const int rows = static_cast<int>(a.size()) / a_width;
  for (int r = 0; r < rows; ++r) {
    both.insert(both.end(), a.begin() + r * a_width, a.begin() + (r + 1) * a_width);
    both.insert(both.end(), b.begin() + r * b_width, b.begin() + (r + 1) * b_width);
  }
  return both;
}

// The vectors of one layer, from which both forms are made.
struct Latent {
  int heads, content, slice, latent, value, tokens;
  std::vector<float> c = {}, key_slice = {};  // [S,d_c], [S,d_R]
  std::vector<float> query = {}, query_slice = {};  // [H·S,d_h], [H·S,d_R]
  std::vector<float> up_key = {}, up_value = {};  // [H][d_h,d_c], [H][d_v,d_c]

  std::vector<float> of_head(const std::vector<float>& x, int h, int width) const {
    return {x.begin() + h * tokens * width, x.begin() + (h + 1) * tokens * width};
  }

  // Returns ordinary attention: a key and a value for every head, computed from c.
  AttentionCase naive(const char* id, OptionValues options) const {
    AttentionCase problem(entry_of(id), options,
                          {.heads = heads,
                           .kv_heads = heads,
                           .head_dim = content + slice,
                           .value_dim = value,
                           .queries = tokens,
                           .keys = tokens},
                          true, 0);
    problem.q = joined(query, content, query_slice, slice);
    problem.k.clear();
    problem.v.clear();
    for (int h = 0; h < heads; ++h) {
      const std::vector<float> keys =
          joined(reference::product(c, up_key.data() + h * content * latent, latent, content, true),
                 content, key_slice, slice);
      const std::vector<float> values =
          reference::product(c, up_value.data() + h * value * latent, latent, value, true);
      problem.k.insert(problem.k.end(), keys.begin(), keys.end());
      problem.v.insert(problem.v.end(), values.begin(), values.end());
    }
    return problem;
  }

  // Returns the absorbed form: one key head [c | slice] with values c. Each head's context must be
  // multiplied by its W_UV afterwards.
  AttentionCase absorbed(const char* id, OptionValues options) const {
    AttentionCase problem(entry_of(id), options,
                          {.heads = heads,
                           .kv_heads = 1,
                           .head_dim = latent + slice,
                           .value_dim = latent,
                           .queries = tokens,
                           .keys = tokens},
                          true, 0);
    problem.q.clear();
    for (int h = 0; h < heads; ++h) {
      const std::vector<float> lifted = reference::product(
          of_head(query, h, content), up_key.data() + h * content * latent, content, latent, false);
      const std::vector<float> rows = joined(lifted, latent, of_head(query_slice, h, slice), slice);
      problem.q.insert(problem.q.end(), rows.begin(), rows.end());
    }
    problem.k = joined(c, latent, key_slice, slice);
    problem.v = c;
    return problem;
  }

  std::vector<float> through_up_value(const std::vector<float>& context) const {
    std::vector<float> output;
    for (int h = 0; h < heads; ++h) {
      const std::vector<float> rows = reference::product(
          of_head(context, h, latent), up_value.data() + h * value * latent, latent, value, true);
      output.insert(output.end(), rows.begin(), rows.end());
    }
    return output;
  }
};

Latent random_latent() {
  Latent l = {.heads = 3, .content = 8, .slice = 4, .latent = 8, .value = 5, .tokens = 9};
  l.c = random_values(l.tokens * l.latent, 1);
  l.key_slice = random_values(l.tokens * l.slice, 2);
  l.query = random_values(l.heads * l.tokens * l.content, 3);
  l.query_slice = random_values(l.heads * l.tokens * l.slice, 4);
  l.up_key = random_values(l.heads * l.content * l.latent, 5, 0.3f);
  l.up_value = random_values(l.heads * l.value * l.latent, 6, 0.3f);
  return l;
}

TEST_CASE("a case worked by hand comes out the same naive and absorbed") {
  // One head, all widths 2, frequency 1; only the last of three tokens has a query other than 0.
  const Latent l = {.heads = 1,
                    .content = 2,
                    .slice = 2,
                    .latent = 2,
                    .value = 2,
                    .tokens = 3,
                    .c = {1, .5f, -.5f, 1, .25f, -1},
                    .key_slice = {.5f, 0, 0, 1, 1, -1},
                    .query = {0, 0, 0, 0, .3f, -.7f},
                    .query_slice = {0, 0, 0, 0, 1, .2f},
                    .up_key = {1, 2, 0, -1},
                    .up_value = {.5f, 0, 1, 1}};
  const OptionValues options = options_with("mla", {{kRopeHeadDim, 2}});
  AttentionCase naive = l.naive("mla", options);
  auto recorder =
      Recorder::make(kRecordLogits | kRecordWeights | kRecordTerms, {}, naive.schemes(), 1, 4, 3, 3)
          .take();
  REQUIRE(naive.forward(&recorder).ok());
  const auto last_row = [](const Buffer<float>& x) {
    return std::vector<float>(x.begin() + 6, x.begin() + 9);
  };
  CHECK(largest_difference(last_row(recorder.logits()), {.3254984195f, 1.049765723f, -.2125f}) <
        1e-6);
  CHECK(largest_difference(last_row(recorder.weights()),
                           {.2741878462f, .5657095279f, .160102626f}) < 1e-6);
  const std::vector<float> output = {.01567936935f, .5740595637f};
  CHECK(largest_difference({naive.output.begin() + 4, naive.output.end()}, output) < 1e-6);
  // q^C·k^C / 2, computed by hand: keys (2, -.5), (1.5, -1), (-1.75, 1).
  CHECK(largest_difference(last_row(recorder.term(0)), {.475f, .575f, -.6125f}) < 1e-6);
  CHECK(std::string(recorder.term_name(1)) == "position");
  AttentionCase absorbed = l.absorbed("mla", options);
  REQUIRE(absorbed.forward().ok());
  const std::vector<float> same = l.through_up_value(absorbed.output);
  CHECK(largest_difference({same.begin() + 4, same.end()}, output) < 1e-6);
}

TEST_CASE("the absorbed form gives the naive form's output: one key head, and the same scale") {
  const Latent l = random_latent();
  const OptionValues options = options_with("mla", {{kRopeHeadDim, 4}, {kNopeHeadDim, 8}});
  AttentionCase naive = l.naive("mla", options), absorbed = l.absorbed("mla", options);
  REQUIRE(naive.forward().ok());
  REQUIRE(absorbed.forward().ok());
  CHECK(largest_difference(l.through_up_value(absorbed.output), naive.output) < 3e-6);
}

TEST_CASE("a model's scheme, made for the naive width, serves the absorbed form as it is") {
  const Latent l = random_latent();
  AttentionCase naive = l.naive("mla", options_with("mla", {{kRopeHeadDim, 4}}));
  REQUIRE(naive.forward().ok());
  // Only the sizes of the wider attention are used; the scheme is that of the naive form.
  AttentionCase absorbed =
      l.absorbed("mla", options_with("mla", {{kRopeHeadDim, 4}, {kNopeHeadDim, 1}}));
  absorbed.output.assign(std::size_t(l.heads) * l.tokens * l.latent, 0.0f);
  REQUIRE(attention_forward(absorbed.config, naive.schemes(), absorbed.input(),
                            heads_outermost(absorbed.output.data(), l.heads, l.tokens, l.latent),
                            absorbed.saved(), absorbed.scratch())
              .ok());
  CHECK(largest_difference(l.through_up_value(absorbed.output), naive.output) < 3e-6);
}

TEST_CASE(
    "absorption needs the decoupled slice: with rotary embedding on the content the forms part") {
  Latent l = random_latent();
  const auto difference = [&](const char* id) {
    OptionValues options = default_options(*entry_of(id).description);
    // Pairs of neighbouring channels, so that no pair is half content and half slice.
    for (std::size_t i = 0; i < entry_of(id).description->options.size(); ++i)
      if (std::string(entry_of(id).description->options[i].key) == "interleaved")
        options.values[i] = 1;
    AttentionCase naive = l.naive(id, options), absorbed = l.absorbed(id, options);
    REQUIRE(naive.forward().ok());
    REQUIRE(absorbed.forward().ok());
    return largest_difference(l.through_up_value(absorbed.output), naive.output);
  };
  // Content and latent have equal widths, so that one rotation fits both.
  CHECK(difference("nope") < 3e-6);
  CHECK(difference("rope") > 0.05);
  // The rotation commutes with a multiple of the identity, but with few other matrices.
  for (int i = 0; i < l.heads * l.content * l.latent; ++i)
    l.up_key[i] = i % (l.content * l.latent) % (l.latent + 1) == 0 ? 0.7f : 0.0f;
  CHECK(difference("rope") < 3e-6);
}

TEST_CASE("position is the slice's product alone, and content does not know where it stands") {
  AttentionCase problem(entry_of("mla"), options_with("mla", {{kRopeHeadDim, 4}}), {}, true, 5);
  const auto terms = [&] {
    auto recorder = Recorder::make(kRecordTerms, {}, problem.schemes(), 4, 8, 9, 9).take();
    REQUIRE(problem.forward(&recorder).ok());
    REQUIRE(recorder.term_count() == 2);
    return std::pair(std::vector<float>(recorder.term(0).begin(), recorder.term(0).end()),
                     std::vector<float>(recorder.term(1).begin(), recorder.term(1).end()));
  };
  const auto before = terms();
  for (int t = 0; t < 9; ++t) problem.query_positions[t] = problem.key_positions[t] = 3 * t;
  const auto spread = terms();
  CHECK(largest_difference(before.first, spread.first) == 0);
  CHECK(largest_difference(before.second, spread.second) > 0.1);
  // Without content only the term of the slice is left.
  for (auto* x : {&problem.q, &problem.k})
    for (std::size_t i = 0; i < x->size(); ++i)
      if (i % 8 < 4) (*x)[i] = 0;
  const auto slices = terms();
  CHECK(largest_difference(slices.first, std::vector<float>(slices.first.size(), 0.0f)) == 0);
  CHECK(largest_difference(slices.second, spread.second) < 1e-6);
}

TEST_CASE("the two pairings differ by a permutation of the slice's channels") {
  AttentionCase neighbours(entry_of("mla"), options_with("mla", {{kRopeHeadDim, 4}}), {}, true, 5);
  AttentionCase halves(entry_of("mla"), options_with("mla", {{kRopeHeadDim, 4}, {kInterleaved, 0}}),
                       {}, true, 5);
  REQUIRE(neighbours.forward().ok());
  REQUIRE(halves.forward().ok());
  CHECK(largest_difference(halves.output, neighbours.output) > 1e-3);
  for (auto* x : {&halves.q, &halves.k})
    for (std::size_t i = 0; i < x->size(); i += 8) std::swap((*x)[i + 5], (*x)[i + 6]);
  REQUIRE(halves.forward().ok());
  CHECK(largest_difference(halves.output, neighbours.output) < 1e-6);
}

TEST_CASE("the scale counts content and slice: 192 channels in DeepSeek-V2 and V3") {
  const auto made =
      make_scheme(entry_of("mla"), {.num_heads = 128, .num_kv_heads = 128, .head_dim = 192},
                  options_with("mla", {{kRopeHeadDim, 64}}));
  CHECK(std::abs(made.value().scheme->logit_scale() - 0.07216878365) < 1e-8);
  CHECK(made.value().scheme->position_channels() == 64);
  // The default width of the slice.
  const auto plain =
      make_scheme(entry_of("mla"), {.num_heads = 128, .num_kv_heads = 128, .head_dim = 192},
                  options_with("mla", {}));
  CHECK(plain.value().scheme->position_channels() == 64);
}

TEST_CASE(
    "YaRN's factor on cosines reaches the slice alone, so the scale carries its square for the "
    "content") {
  const auto scale_of = [](double m) {
    OptionValues options =
        options_with("mla", {{kRopeHeadDim, 64}, {kFactor, 40}, {kOriginal, 4096}});
    const auto set = [&](const char* key, double value, const char* choice = nullptr) {
      REQUIRE(set_option(*entry_of("mla").description, options, key, value, choice).ok());
    };
    set("ropeScaling.ropeType", 0, "yarn");
    set("ropeScaling.mscale", m);
    set("ropeScaling.mscaleAllDim", m);
    const auto made =
        make_scheme(entry_of("mla"), {.num_heads = 1, .num_kv_heads = 1, .head_dim = 192}, options);
    REQUIRE_MESSAGE(made.ok(), made.status().message());
    double frequencies[32], factor = 0;
    made.value().scheme->frequencies(0, frequencies, &factor);
    CHECK(factor == doctest::Approx(1));  // g(mscale) / g(mscale_all_dim)
    return made.value().scheme->logit_scale();
  };
  CHECK(std::abs(scale_of(1) - 0.1352337789) < 1e-7);  // DeepSeek-V3
  CHECK(std::abs(scale_of(0.707) - 0.1147213868) < 1e-7);  // DeepSeek-V2-Lite
}

TEST_CASE("a slice of odd width, or one that leaves no content, is refused") {
  for (const auto& [head_dim, slice] : {std::pair{8, 3}, {8, 8}, {8, 10}, {2, 0}, {1, 0}}) {
    const auto made =
        make_scheme(entry_of("mla"), {.num_heads = 1, .num_kv_heads = 1, .head_dim = head_dim},
                    options_with("mla", {{kRopeHeadDim, slice}}));
    CHECK(made.status().code() == Code::kInvalidArgument);
    CHECK(std::string(made.status().message()).find("ropeHeadDim: ") == 0);
  }
}

}  // namespace
}  // namespace wf
