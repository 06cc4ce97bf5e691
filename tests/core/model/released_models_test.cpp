// The small models under models/: they load with their config.json and predict held-out text.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/model/tiny_model.h"
#include "model/checkpoint.h"

namespace wf {
namespace {

constexpr int kTokens = 128;

std::vector<std::uint8_t> read_bytes(const std::string& path) {
  std::vector<std::uint8_t> bytes;
  std::FILE* file = std::fopen((std::string(WF_SOURCE_DIR) + "/models/" + path).c_str(), "rb");
  CAPTURE(path);
  REQUIRE(file);
  std::uint8_t block[65536];
  for (std::size_t n; (n = std::fread(block, 1, sizeof(block), file)) > 0;)
    bytes.insert(bytes.end(), block, block + n);
  std::fclose(file);
  return bytes;
}

nlohmann::json read_json(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  const char* text = reinterpret_cast<const char*>(bytes.data());
  nlohmann::json parsed = nlohmann::json::parse(text, text + bytes.size(), nullptr, false);
  REQUIRE(!parsed.is_discarded());
  return parsed;
}

// Returns the ids of a Chinese text. A Chinese character is always one token, so the vocabulary
// suffices.
std::vector<std::int32_t> chinese_ids(int count) {
  const nlohmann::json vocabulary = read_json("tokenizer.json")["model"]["vocab"];
  const std::vector<std::uint8_t> text = read_bytes("heldout/zh.txt");
  std::vector<std::int32_t> ids = {vocabulary["<|end|>"].get<int>()};
  std::size_t at = std::string("<|end|>").size();
  while (static_cast<int>(ids.size()) < count) {
    std::size_t next = at + 1;
    while ((text[next] & 0xc0) == 0x80) ++next;  // the bytes of one UTF-8 character
    const std::string character(text.begin() + static_cast<std::ptrdiff_t>(at),
                                text.begin() + static_cast<std::ptrdiff_t>(next));
    ids.push_back(vocabulary.contains(character) ? vocabulary[character].get<int>() : 0);
    at = next;
  }
  return ids;
}

}  // namespace

TEST_CASE("Every released model loads, is small, and predicts poems it never saw") {
  const nlohmann::json recipe = read_json("recipe.json");
  const std::vector<std::int32_t> ids = chinese_ids(kTokens + 1);
  for (const auto& [id, schemes] : recipe["schemes"].items()) {
    CAPTURE(id);
    const nlohmann::json config = read_json(id + "/config.json");
    CHECK(config["schemes"] == schemes);
    CHECK(config["max_training_length"].get<int>() == kTokens);
    Transformer model = testing::model_of_config(config);
    CHECK(model.parameters().total() <= 1'500'000);
    const std::vector<std::uint8_t> weights = read_bytes(id + "/model.safetensors");
    CHECK(weights.size() <= 3'000'000);
    const Status loaded = load_model(weights, model);
    REQUIRE_MESSAGE(loaded.ok(), loaded.message());

    auto activations =
        TransformerActivations::make(model.config(), 1, kTokens, Purpose::kInference);
    REQUIRE(activations.ok());
    TokenBatch batch;
    batch.ids = ids.data();
    batch.length = kTokens;
    auto loss = model.loss(batch, ids.data() + 1, activations.value());
    REQUIRE(loss.ok());
    // In bits. Chance is log2(4736) = 12.2, and the frequencies of characters give 9.3. The first
    // poems are harder than the rest.
    CHECK(loss.value().mean() / std::log(2.0) < 8.8);
  }
}

}  // namespace wf
