#include "bindings/small_model.h"
#include "calls/generation.h"

namespace wf {

using namespace testing;
using calls::Generation;
using calls::GenerationSettings;

namespace {

GenerationSettings plain_settings() {
  return {.max_tokens = 4, .temperature = 1, .top_k = 0, .top_p = 1, .seed = 0};
}

}  // namespace

TEST_CASE("A generation begins with ids of the vocabulary and settings of their range") {
  CallArguments arguments;
  const auto model = small_model();
  const List prompt = arguments.integers({1, 2});
  const auto make = [&](List list, const GenerationSettings& settings) {
    return Generation::make(arguments.workspace, *model, list, settings).status();
  };
  REQUIRE(make(prompt, plain_settings()).ok());
  refuses_wrong_lists(
      arguments, prompt, [&](List list) { return make(list, plain_settings()); }, 4,
      testing::Lengths::kAny);
  CHECK(make({}, plain_settings()).code() == Code::kInvalidArgument);
  const auto refuses = [&](auto field, auto value) {
    GenerationSettings settings = plain_settings();
    settings.*field = value;
    return make(prompt, settings).code();
  };
  using S = GenerationSettings;
  for (const int wrong : {0, -1, INT32_MIN})
    CHECK(refuses(&S::max_tokens, wrong) == Code::kInvalidArgument);
  for (const int much : {INT32_MAX, INT32_MAX - 1, 1 << 30, 1 << 28})
    CHECK(refuses(&S::max_tokens, much) == Code::kOutOfMemory);
  for (const double wrong : testing::kWrongNumbers) {
    CHECK(refuses(&S::temperature, wrong) == Code::kInvalidArgument);
    CHECK(refuses(&S::top_p, wrong) == Code::kInvalidArgument);
    CHECK(refuses(&S::seed, wrong) == Code::kInvalidArgument);
  }
  CHECK(refuses(&S::temperature, 101.0) == Code::kInvalidArgument);
  CHECK(refuses(&S::top_p, 0.0) == Code::kInvalidArgument);
  CHECK(refuses(&S::top_k, -1) == Code::kInvalidArgument);
  CHECK(refuses(&S::top_k, INT32_MIN) == Code::kInvalidArgument);
  CHECK(refuses(&S::top_k, INT32_MAX) == Code::kOk);

  auto wrong_ids = Generation::make(arguments.workspace, *model,
                                    arguments.integers({1, kVocabulary}), plain_settings());
  CHECK((!wrong_ids.ok() || !wrong_ids.value()->next().ok()));
  ModelConfig both_ways = sizes_of();
  both_ways.is_causal = false;
  CHECK(is_refused(Generation::make(arguments.workspace, *model_of(*layout_of(both_ways)), prompt,
                                    plain_settings()),
                   "unsupported: …"));
}

TEST_CASE("A generation ends where its room ends, and outlives its model") {
  CallArguments arguments;
  auto model = small_model();
  auto made =
      Generation::make(arguments.workspace, *model, arguments.integers({1, 2}), plain_settings());
  REQUIRE(made.ok());
  model.reset();
  for (int i = 0; i < 5; ++i) {
    const auto next = made.value()->next();
    REQUIRE(next.ok());
    CHECK((next.value().id >= 0 && next.value().id < kVocabulary));
  }
  CHECK(is_refused(made.value()->next(), "invalid_argument: …"));
  CHECK(is_refused(made.value()->next(), "invalid_argument: …"));
}

TEST_CASE("The cache of a latent layer is counted as wide as it is") {
  // Heads have 4 channels, but the cache 16386 floats for each token: slightly more than 2^32 for
  // 2^18 tokens.
  ModelConfig sizes = sizes_of(1);
  sizes.num_kv_heads = sizes.num_heads;
  const auto layout = layout_of(sizes, "mla", {{"kvLoraRank", {16384}}, {"ropeHeadDim", {2}}});
  const auto model = model_of(*layout);
  CallArguments arguments;
  GenerationSettings settings = plain_settings();
  settings.max_tokens = 1 << 18;
  CHECK(is_refused(Generation::make(arguments.workspace, *model, arguments.integers({1}), settings),
                   "out_of_memory: …"));
}

TEST_CASE("Weights that are no numbers generate some token, or none, and nothing worse") {
  CallArguments arguments;
  for (const float spoilt : {std::nanf(""), INFINITY, -INFINITY, 3e38f}) {
    const auto model = small_model();
    float* values = model->transformer()->values();
    std::fill_n(values, model->transformer()->parameters().total(), spoilt);
    for (const double temperature : {0.0, 1.0})
      for (const double top_p : {0.5, 1.0})
        for (const int top_k : {0, 3}) {
          GenerationSettings settings = plain_settings();
          settings.temperature = temperature;
          settings.top_p = top_p;
          settings.top_k = top_k;
          auto made =
              Generation::make(arguments.workspace, *model, arguments.integers({1}), settings);
          REQUIRE(made.ok());
          for (int i = 0; i < 3; ++i) {
            const auto next = made.value()->next();
            CHECK((!next.ok() || (next.value().id >= 0 && next.value().id < kVocabulary)));
          }
        }
    CHECK(model
              ->run(arguments.workspace, {arguments.integers({1, 2, 3}), {}}, nullptr, {},
                    {.kinds = 31, .heads = {}, .rows = {}, .columns = {}})
              .ok());
  }
}

}  // namespace wf
