// Outputs of heads and the stream, replaced and recorded in a pass.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/model/model_checks.h"
#include "core/model/tiny_model.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

constexpr int kTokens = 9, kVocabulary = 19, kWidth = 16, kHeads = 4, kChannels = 4, kLayers = 2;

struct Pass {
  std::vector<float> logits, stream, outputs;
};

Pass pass_of(const Transformer& model, const std::vector<std::int32_t>& ids, PassStates states = {},
             const std::uint8_t* visible = nullptr) {
  const int tokens = static_cast<int>(ids.size());
  auto activations = testing::activations_for(model, 1, tokens, Purpose::kInference);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = tokens;
  batch.visible = visible;
  Pass pass = {std::vector<float>(tokens * kVocabulary),
               std::vector<float>((kLayers + 1) * tokens * kWidth),
               std::vector<float>(kLayers * kHeads * tokens * kChannels)};
  states.record.stream = pass.stream.data();
  states.record.outputs = pass.outputs.data();
  const Status status = model.forward(batch, activations, {}, {}, states);
  REQUIRE_MESSAGE(status.ok(), status.message());
  model.head(activations, 0, tokens, pass.logits.data());
  return pass;
}

Pass pass_of(const Transformer& model, std::uint64_t seed, const PassStates& states = {},
             const std::uint8_t* visible = nullptr) {
  return pass_of(model, testing::random_ids(seed, kTokens, kVocabulary), states, visible);
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::fabs(double(a[i]) - double(b[i])));
  return largest;
}

std::vector<HeadAblation> all_heads(HeadAblation ablation) {
  return std::vector<HeadAblation>(kLayers * kHeads, ablation);
}

Patch stream_patch(const Pass& from, int layer) {
  return {.layer = layer,
          .head = -1,
          .rows = {},
          .count = kTokens,
          .width = kWidth,
          .values = from.stream.data() + (layer + 1) * kTokens * kWidth};
}

Patch head_patch(const Pass& from, int layer, int head) {
  return {.layer = layer,
          .head = head,
          .rows = {},
          .count = kTokens,
          .width = kChannels,
          .values = from.outputs.data() + (layer * kHeads + head) * kTokens * kChannels};
}

std::vector<std::int32_t> indices(const nlohmann::json& entry, const char* key, int count) {
  if (entry.contains(key)) return entry[key].get<std::vector<std::int32_t>>();
  std::vector<std::int32_t> all;
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

}  // namespace

TEST_CASE("States, and logits after heads or states are replaced, equal PyTorch's") {
  const char* const name = "model_states.json";
  const auto file = reference::golden(name);
  const Transformer model = testing::golden_model(reference::golden("model_rope.json"));
  const auto ids = file["inputIds"]["data"].get<std::vector<std::int32_t>>();
  const auto other_ids = file["otherIds"]["data"].get<std::vector<std::int32_t>>();
  const Pass plain = pass_of(model, ids), other = pass_of(model, other_ids);
  const auto farthest = [&](const std::vector<float>& ours, const nlohmann::json& theirs) {
    return difference(ours, reference::floats(theirs));
  };
  reference::check_golden(name, "residual", farthest(plain.stream, file["residual"]));
  reference::check_golden(name, "headOutputs", farthest(plain.outputs, file["headOutputs"]));
  const int rows = (kLayers + 1) * static_cast<int>(ids.size());
  auto activations = testing::activations_for(model, 1, rows, Purpose::kInference);
  std::vector<float> final_in(rows * (kWidth + 1)), lens(rows * kVocabulary);
  model.normalise_stream(plain.stream.data(), rows, final_in.data(),
                         final_in.data() + rows * kWidth);
  model.head_of(final_in.data(), rows, activations, lens.data());
  reference::check_golden(name, "lens", farthest(lens, file["lens"]));
  for (const auto& [index, one] : file["ablations"].items()) {
    std::vector<HeadAblation> ablations = all_heads(HeadAblation::kNone);
    for (const int layer : indices(one["ablate"], "layers", kLayers))
      for (const int head : indices(one["ablate"], "heads", kHeads))
        ablations[layer * kHeads + head] =
            one["ablate"]["with"] == "zero" ? HeadAblation::kZero : HeadAblation::kMean;
    const Pass pass = pass_of(model, ids, {.ablations = ablations, .patches = {}, .record = {}});
    reference::check_golden(name, "logits", farthest(pass.logits, one["logits"]));
  }
  for (const auto& [index, one] : file["patches"].items()) {
    const int tokens = static_cast<int>(ids.size()), layer = one["patch"]["layer"];
    const int head = one["patch"].value("head", -1), width = head < 0 ? kWidth : kChannels;
    const auto chosen = indices(one["patch"], "rows", tokens);
    const float* from = head < 0
                            ? other.stream.data() + (layer + 1) * tokens * kWidth
                            : other.outputs.data() + (layer * kHeads + head) * tokens * kChannels;
    std::vector<float> values;
    for (const int row : chosen)
      values.insert(values.end(), from + row * width, from + (row + 1) * width);
    const Patch patch = {.layer = layer,
                         .head = head,
                         .rows = chosen,
                         .count = static_cast<int>(chosen.size()),
                         .width = width,
                         .values = values.data()};
    const Pass pass = pass_of(model, ids, {.ablations = {}, .patches = {&patch, 1}, .record = {}});
    reference::check_golden(name, "logits", farthest(pass.logits, one["logits"]));
  }
}

TEST_CASE("A pass patched with its own states gives the same numbers to the last bit") {
  for (const char* scheme : {"rope", "alibi", "shaw"}) {
    const Transformer model = testing::rough_model(testing::tiny_config(scheme));
    const Pass plain = pass_of(model, 7);
    std::vector<Patch> patches;
    for (int layer = 0; layer < kLayers; ++layer) {
      patches.push_back(stream_patch(plain, layer));
      for (int head = 0; head < kHeads; ++head) patches.push_back(head_patch(plain, layer, head));
    }
    patches.push_back(stream_patch(plain, -1));
    const Pass same = pass_of(model, 7, {.ablations = {}, .patches = patches, .record = {}});
    CHECK(same.logits == plain.logits);
    CHECK(same.stream == plain.stream);
    CHECK(same.outputs == plain.outputs);
  }
}

TEST_CASE("A pass with the whole stream of another, at any layer, ends as the other") {
  const Transformer model = testing::rough_model(testing::tiny_config("rope"));
  const Pass a = pass_of(model, 7), b = pass_of(model, 8);
  REQUIRE(a.logits != b.logits);
  for (int layer = -1; layer < kLayers; ++layer) {
    const Patch patch = stream_patch(b, layer);
    CHECK(pass_of(model, 7, {.ablations = {}, .patches = {&patch, 1}, .record = {}}).logits ==
          b.logits);
  }
}

TEST_CASE("Without the output of any head, attention adds nothing to the stream") {
  // Output projections of zero have the same effect.
  for (const char* scheme : {"rope", "t5"}) {
    Transformer model = testing::rough_model(testing::tiny_config(scheme));
    const auto zero = all_heads(HeadAblation::kZero);
    const Pass ablated = pass_of(model, 7, {.ablations = zero, .patches = {}, .record = {}});
    for (int layer = 0; layer < kLayers; ++layer) {
      const std::size_t at = model.parameters().block_tensor(layer, BlockTensor::kOutput);
      std::fill_n(model.values() + at, kWidth * kHeads * kChannels, 0.0f);
    }
    CHECK(difference(ablated.logits, pass_of(model, 7).logits) < 1e-6);
    CHECK(difference(ablated.outputs, std::vector<float>(ablated.outputs.size())) == 0);
  }
}

TEST_CASE("A head's mean is that of its output over the visible tokens") {
  const Transformer model = testing::rough_model(testing::tiny_config("rope"));
  std::vector<std::uint8_t> visible(kTokens, 1);
  visible[0] = visible[4] = 0;
  for (const std::uint8_t* mask : {static_cast<const std::uint8_t*>(nullptr),
                                   static_cast<const std::uint8_t*>(visible.data())}) {
    std::vector<HeadAblation> chosen = all_heads(HeadAblation::kNone);
    chosen[kHeads + 2] = HeadAblation::kMean;
    const Pass plain = pass_of(model, 7, {}, mask);
    const Pass ablated =
        pass_of(model, 7, {.ablations = chosen, .patches = {}, .record = {}}, mask);
    for (int head = 0; head < kHeads; ++head) {
      const std::size_t at = (kHeads + head) * kTokens * kChannels;
      for (int c = 0; c < kChannels; ++c) {
        double sum = 0, counted = 0;
        for (int t = 0; t < kTokens; ++t) {
          if (mask && !mask[t]) continue;
          sum += double(plain.outputs[at + t * kChannels + c]);
          ++counted;
        }
        for (int t = 0; t < kTokens; ++t) {
          const std::size_t cell = at + t * kChannels + c;
          if (head == 2)
            CHECK(std::fabs(double(ablated.outputs[cell]) - sum / counted) < 1e-6);
          else
            CHECK(ablated.outputs[cell] == plain.outputs[cell]);
        }
      }
    }
    CHECK(ablated.logits != plain.logits);
  }
}

TEST_CASE("Patches replace the given rows, and records have the chosen rows, layers and heads") {
  const Transformer model = testing::rough_model(testing::tiny_config("rope"));
  const Pass plain = pass_of(model, 7);
  const std::int32_t rows[] = {1, 5};
  const std::vector<float> values(2 * kChannels, 0.25f);
  const Patch patch = {
      .layer = 1, .head = 3, .rows = rows, .count = 2, .width = kChannels, .values = values.data()};
  const Pass patched = pass_of(model, 7, {.ablations = {}, .patches = {&patch, 1}, .record = {}});
  for (std::size_t i = 0; i < plain.outputs.size(); ++i) {
    const int row = static_cast<int>(i) / kChannels % kTokens;
    const bool is_last_head = i >= plain.outputs.size() - kTokens * kChannels;
    CHECK(patched.outputs[i] ==
          (is_last_head && (row == 1 || row == 5) ? 0.25f : plain.outputs[i]));
  }
  // Rows after the patched ones differ in the last layer's stream only in these rows.
  for (int t = 0; t < kTokens; ++t) {
    const std::size_t at = (2 * kTokens + t) * kWidth;
    const bool is_equal = std::equal(plain.stream.begin() + at, plain.stream.begin() + at + kWidth,
                                     patched.stream.begin() + at);
    CHECK(is_equal == (t != 1 && t != 5));
  }

  const std::vector<std::int32_t> ids = testing::random_ids(7, kTokens, kVocabulary);
  auto activations = testing::activations_for(model, 1, kTokens, Purpose::kInference);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = kTokens;
  const std::int32_t layers[] = {1}, heads[] = {0, 2};
  std::vector<float> stream(3 * 2 * kWidth), outputs(2 * 2 * kChannels);
  PassStates states;
  states.record = {.rows = rows,
                   .layers = layers,
                   .heads = heads,
                   .stream = stream.data(),
                   .outputs = outputs.data()};
  REQUIRE(model.forward(batch, activations, {}, {}, states).ok());
  for (int i = 0; i < 2; ++i) {
    for (int l = 0; l < 3; ++l)
      CHECK(std::equal(stream.begin() + (2 * l + i) * kWidth,
                       stream.begin() + (2 * l + i + 1) * kWidth,
                       plain.stream.begin() + (l * kTokens + rows[i]) * kWidth));
    for (int h = 0; h < 2; ++h)
      CHECK(std::equal(
          outputs.begin() + (2 * h + i) * kChannels, outputs.begin() + (2 * h + i + 1) * kChannels,
          plain.outputs.begin() + ((kHeads + heads[h]) * kTokens + rows[i]) * kChannels));
  }
}

TEST_CASE("Logits read off the last stream are the model's; states of another text are refused") {
  const Transformer model = testing::rough_model(testing::tiny_config("rope"));
  const Pass plain = pass_of(model, 7);
  auto activations = testing::activations_for(model, 1, kTokens, Purpose::kInference);
  std::vector<float> final_in(kTokens * (kWidth + 1)), logits(kTokens * kVocabulary);
  model.normalise_stream(plain.stream.data() + kLayers * kTokens * kWidth, kTokens, final_in.data(),
                         final_in.data() + kTokens * kWidth);
  model.head_of(final_in.data(), kTokens, activations, logits.data());
  CHECK(logits == plain.logits);

  const std::vector<std::int32_t> ids = testing::random_ids(7, kTokens, kVocabulary);
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = kTokens - 1;
  const auto refuses = [&](Patch patch) {
    return model
               .forward(batch, activations, {}, {},
                        {.ablations = {}, .patches = {&patch, 1}, .record = {}})
               .code() == Code::kInvalidArgument;
  };
  CHECK(refuses(stream_patch(plain, 0)));
  Patch patch = stream_patch(plain, 0);
  patch.count = kTokens - 1;
  CHECK(!refuses(patch));
  patch.layer = kLayers;
  CHECK(refuses(patch));
  patch = head_patch(plain, 0, 0);
  patch.count = kTokens - 1;
  CHECK(!refuses(patch));
  patch.head = kHeads;
  CHECK(refuses(patch));
  patch = head_patch(plain, -1, 0);
  CHECK(refuses(patch));
  const std::int32_t late[] = {kTokens - 1};
  patch = head_patch(plain, 0, 0);
  patch.rows = late;
  patch.count = 1;
  CHECK(refuses(patch));
  CHECK(model
            .forward(batch, activations, {}, {},
                     {.ablations = std::vector<HeadAblation>(3), .patches = {}, .record = {}})
            .code() == Code::kInvalidArgument);
  batch.batch = 2;
  batch.length = 4;
  auto pair = testing::activations_for(model, 2, 4, Purpose::kInference);
  patch = stream_patch(plain, 0);
  patch.count = 4;
  CHECK(model.forward(batch, pair, {}, {}, {.ablations = {}, .patches = {&patch, 1}, .record = {}})
            .code() == Code::kInvalidArgument);
}

}  // namespace wf
