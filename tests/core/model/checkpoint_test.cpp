#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/model/tiny_model.h"
#include "kernels/float16.h"
#include "model/checkpoint.h"

namespace wf {
namespace {

std::span<const std::uint8_t> span_of(const Buffer<std::uint8_t>& bytes) {
  return {bytes.data(), bytes.size()};
}

Buffer<std::uint8_t> saved(const Transformer& model, Dtype dtype) {
  auto bytes = save_model(model, dtype);
  REQUIRE_MESSAGE(bytes.ok(), bytes.status().message());
  return bytes.take();
}

bool same_values(const Transformer& a, const Transformer& b) {
  return std::memcmp(a.values(), b.values(), a.parameters().total() * sizeof(float)) == 0;
}

// Returns the file with a piece of its header replaced by another of equal length.
std::vector<std::uint8_t> altered(const Buffer<std::uint8_t>& bytes, const std::string& from,
                                  const std::string& to) {
  REQUIRE(from.size() == to.size());
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  return {text.begin(), text.end()};
}

std::string refusal(std::span<const std::uint8_t> bytes) {
  Transformer model = testing::tiny_model("rope", 2);
  const Transformer before = testing::tiny_model("rope", 2);
  const Status status = load_model(bytes, model);
  REQUIRE(!status.ok());
  CHECK(status.code() == Code::kMalformedFile);
  CHECK(same_values(model, before));
  return status.message();
}

}  // namespace

TEST_CASE("A model saved in F32 comes back bit by bit") {
  const Transformer model = testing::tiny_model("rope", 1);
  Transformer other = testing::tiny_model("rope", 2);
  const Buffer<std::uint8_t> bytes = saved(model, Dtype::kF32);
  REQUIRE(!same_values(model, other));
  REQUIRE(load_model(span_of(bytes), other).ok());
  CHECK(same_values(model, other));
}

TEST_CASE("A model saved in F16 comes back rounded to the nearest half") {
  const Transformer model = testing::tiny_model("rope", 1);
  Transformer other = testing::tiny_model("rope", 2);
  const Buffer<std::uint8_t> bytes = saved(model, Dtype::kF16);
  REQUIRE(load_model(span_of(bytes), other).ok());
  int wrong = 0;
  for (std::size_t i = 0; i < model.parameters().total(); ++i)
    wrong += other.values()[i] != float_from_half(half_from_float(model.values()[i]));
  CHECK(wrong == 0);
  CHECK(bytes.size() < 2 * model.parameters().total() + 4096);
}

TEST_CASE("BF16 weights load") {
  // An F16 file whose dtype is renamed. The new name is one letter longer, so the header loses one
  // byte of padding.
  const Transformer model = testing::tiny_model("nope", 1);
  const Buffer<std::uint8_t> bytes = saved(model, Dtype::kF16);
  auto file = SafetensorsFile::parse(span_of(bytes));
  REQUIRE(file.ok());
  std::uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, bytes.data(), 8);
  std::string header(reinterpret_cast<const char*>(bytes.data()) + 8, header_bytes);
  for (std::size_t at = 0; (at = header.find("\"F16\"", at)) != std::string::npos;)
    header.replace(at, 5, "\"BF16\"");
  std::vector<std::uint8_t> renamed(8);
  header_bytes = header.size();
  std::memcpy(renamed.data(), &header_bytes, 8);
  renamed.insert(renamed.end(), header.begin(), header.end());
  const std::size_t first = renamed.size();
  for (std::size_t i = 0; i < model.parameters().total(); ++i) {
    renamed.push_back(0x80);
    renamed.push_back(i % 2 ? 0x3f : 0xbf);  // 0x3f80 is 1, 0xbf80 is -1
  }
  REQUIRE(renamed.size() - first == 2 * model.parameters().total());
  Transformer other = testing::tiny_model("nope", 2);
  const Status status = load_model(renamed, other);
  REQUIRE_MESSAGE(status.ok(), status.message());
  CHECK(other.values()[0] == -1);
  CHECK(other.values()[1] == 1);
}

TEST_CASE("A missing, an unknown and a misshapen tensor are named, and nothing is loaded") {
  const Buffer<std::uint8_t> bytes = saved(testing::tiny_model("rope", 1), Dtype::kF32);
  CHECK(refusal(altered(bytes, "layers.1.mlp.up_proj", "layers.1.mlp.up_porj")) ==
        "tensor model.layers.1.mlp.up_proj.weight is missing");
  CHECK(refusal(altered(bytes, "\"shape\":[24,16]", "\"shape\":[16,24]"))
            .find("model.layers.0.mlp.gate_proj.weight: 2 dimensions [16, 24") !=
        std::string::npos);
  CHECK(refusal(altered(bytes, "\"shape\":[16],", "\"shape\":[08],")).find("a bad extent") !=
        std::string::npos);
  ModelConfig deeper = testing::tiny_config("rope");
  deeper.num_layers = 3;
  auto big = Transformer::make(deeper, 1);
  REQUIRE(big.ok());
  CHECK(refusal(span_of(saved(big.value(), Dtype::kF32))) ==
        "tensor model.layers.2.input_layernorm.weight is unknown to this model");
}

TEST_CASE("A cut checkpoint never loads and never changes the model") {
  const Buffer<std::uint8_t> bytes = saved(testing::tiny_model("rope", 1), Dtype::kF16);
  for (std::size_t length = 0; length < bytes.size(); length += length < 4096 ? 61 : 997) {
    const std::vector<std::uint8_t> part(bytes.begin(), bytes.begin() + length);
    refusal(part);
  }
}

TEST_CASE("A stored head is passed over where it is the token table, and refused where it is not") {
  const Transformer model = testing::tiny_model("nope", 1);
  const ParameterTable& table = model.parameters();
  std::vector<float> head;
  std::vector<TensorToStore> tensors;
  for (int i = 0; i < table.count(); ++i) {
    const TensorInfo& info = table.tensor(i);
    TensorToStore tensor;
    tensor.name = info.name;
    tensor.dimensions = info.dimensions;
    tensor.shape[0] = info.dimensions == 1 ? info.columns : info.rows;
    tensor.shape[1] = info.columns;
    tensor.values = model.values() + info.offset;
    tensor.count = info.size();
    tensors.push_back(tensor);
    if (tensor.name == "model.embed_tokens.weight") {
      head.assign(tensor.values, tensor.values + tensor.count);
      tensors.push_back(tensor);
    }
  }
  REQUIRE(!head.empty());
  const auto load_with_head = [&](const float* values) {
    std::vector<TensorToStore> all = tensors;
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].name != all[i - 1].name) continue;
      all[i].name = "lm_head.weight";
      all[i].values = values;
    }
    auto bytes = write_safetensors(all, {}, Dtype::kF32);
    REQUIRE_MESSAGE(bytes.ok(), bytes.status().message());
    Transformer other = testing::tiny_model("nope", 2);
    const Transformer before = testing::tiny_model("nope", 2);
    const Status status = load_model(span_of(bytes.value()), other);
    CHECK(same_values(other, status.ok() ? model : before));
    return status;
  };
  CHECK(load_with_head(head.data()).ok());
  head.back() += 1;
  const Status untied = load_with_head(head.data());
  CHECK(untied.code() == Code::kUnsupported);
  CHECK(std::string(untied.message()).find("lm_head.weight") != std::string::npos);
}

}  // namespace wf
