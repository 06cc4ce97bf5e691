// Checkpoints under other names: fused, interleaved and transposed weights.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/model/tiny_model.h"
#include "model/checkpoint.h"

namespace wf {
namespace {

ModelConfig small() {
  ModelConfig config = testing::tiny_config("nope");
  config.num_layers = 1;
  return config;
}

Transformer model_of(std::uint64_t seed) { return testing::rough_model(small(), seed); }

struct Named {
  std::string name;
  int rows, columns;  // 0 rows for a vector
  std::vector<float> values;
  int heads = 1;  // into which its columns are divided, as a third dimension
};

// Returns the tensors of a model, which a test changes before it writes a file.
std::vector<Named> tensors_of(const Transformer& model) {
  std::vector<Named> list;
  for (int i = 0; i < model.parameters().count(); ++i) {
    const TensorInfo& info = model.parameters().tensor(i);
    const float* values = model.values() + info.offset;
    list.push_back({info.name,
                    info.dimensions == 1 ? 0 : info.rows,
                    info.columns,
                    {values, values + info.size()}});
  }
  return list;
}

Buffer<std::uint8_t> file_of(const std::vector<Named>& list) {
  std::vector<TensorToStore> tensors;
  for (const Named& named : list) {
    TensorToStore tensor;
    tensor.name = named.name;
    tensor.dimensions = named.rows ? 2 : 1;
    tensor.shape[0] = named.rows ? named.rows : named.columns;
    tensor.shape[1] = named.columns;
    if (named.heads > 1) {
      tensor.dimensions = 3;
      tensor.shape[1] = named.heads;
      tensor.shape[2] = named.columns / named.heads;
    }
    tensor.values = named.values.data();
    tensor.count = named.values.size();
    tensors.push_back(tensor);
  }
  auto bytes = write_safetensors(tensors, {}, Dtype::kF32);
  REQUIRE_MESSAGE(bytes.ok(), bytes.status().message());
  return bytes.take();
}

// Returns a plan that loads every tensor under its name, except those whose names contain one of
// `without`.
std::string rest_of_plan(const Transformer& model, const std::vector<std::string>& without) {
  std::string text;
  for (int i = 0; i < model.parameters().count(); ++i) {
    const std::string name = model.parameters().tensor(i).name;
    bool is_in = true;
    for (const std::string& part : without) is_in = is_in && name.find(part) == std::string::npos;
    if (is_in) text += name + "\t" + name + "\t\t0\t0\t0\n";
  }
  return text;
}

Status load(const Buffer<std::uint8_t>& bytes, Transformer& model, const std::string& text) {
  return load_model({bytes.data(), bytes.size()}, model, text);
}

bool same(const Transformer& a, const Transformer& b) {
  return std::memcmp(a.values(), b.values(), a.parameters().total() * sizeof(float)) == 0;
}

const std::string kLayer = "model.layers.0.self_attn.";
const std::vector<std::string> kFused = {"q_proj", "k_proj", "v_proj"};

std::vector<Named> without_fused(const Transformer& model) {
  std::vector<Named> kept;
  for (const Named& tensor : tensors_of(model)) {
    bool is_in = true;
    for (const std::string& part : kFused)
      is_in = is_in && tensor.name.find(part) == std::string::npos;
    if (is_in) kept.push_back(tensor);
  }
  return kept;
}

std::vector<float> values_of(const Transformer& model, const std::string& name) {
  const TensorInfo* info = model.parameters().find(name.c_str());
  REQUIRE(info);
  return {model.values() + info->offset, model.values() + info->offset + info->size()};
}

}  // namespace

TEST_CASE("Queries, keys and values come out of one matrix, one after the other and transposed") {
  const Transformer model = model_of(1);
  std::vector<float> rows;  // 16 + 8 + 8 of 16 numbers
  for (const std::string& part : kFused) {
    const std::vector<float> values = values_of(model, kLayer + part + ".weight");
    rows.insert(rows.end(), values.begin(), values.end());
  }
  std::vector<float> turned(rows.size());
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 16; ++c) turned[c * 32 + r] = rows[r * 16 + c];
  for (const bool is_transposed : {false, true}) {
    std::vector<Named> list = without_fused(model);
    list.push_back({"h.0.c_attn", is_transposed ? 16 : 32, is_transposed ? 32 : 16,
                    is_transposed ? turned : rows});
    const std::string flags = is_transposed ? "T" : "";
    const std::string text = rest_of_plan(model, kFused) + kLayer + "q_proj.weight\th.0.c_attn\t" +
                             flags + "\t0\t16\t16\n" + kLayer + "k_proj.weight\th.0.c_attn\t" +
                             flags + "\t16\t8\t8\n" + kLayer + "v_proj.weight\th.0.c_attn\t" +
                             flags + "\t24\t8\t8\n";
    Transformer other = model_of(2);
    const Status status = load(file_of(list), other, text);
    CHECK(std::string(status.message()) == "");
    CHECK(same(model, other));
  }
}

TEST_CASE("Rows that are laid out by head are gathered, and a row too few or too many is refused") {
  const Transformer model = model_of(1);
  const std::vector<float> q = values_of(model, kLayer + "q_proj.weight");
  const std::vector<float> k = values_of(model, kLayer + "k_proj.weight");
  const std::vector<float> v = values_of(model, kLayer + "v_proj.weight");
  std::vector<float> rows;  // for each of two key heads: two query heads, its key, its value
  const auto add = [&](const std::vector<float>& from, int row, int count) {
    rows.insert(rows.end(), from.begin() + row * 16, from.begin() + (row + count) * 16);
  };
  for (const int head : {0, 1}) {
    add(q, 8 * head, 8);
    add(k, 4 * head, 4);
    add(v, 4 * head, 4);
  }
  const auto plan = [&](const char* third) {
    return "gpt.\n" + rest_of_plan(model, kFused) + kLayer + "q_proj.weight\tqkv\t\t0\t8\t16\n" +
           kLayer + "k_proj.weight\tqkv\t\t8\t4\t16\n" + kLayer + "v_proj.weight\tqkv\t\t" + third +
           "\n";
  };
  std::vector<Named> list = without_fused(model);
  list.push_back({"gpt.qkv", 32, 16, rows});
  Transformer other = model_of(2);
  const Status status = load(file_of(list), other, plan("12\t4\t16"));
  CHECK(std::string(status.message()) == "");
  CHECK(same(model, other));
  CHECK(std::string(load(file_of(list), other, plan("12\t4\t17")).message())
            .find("gpt.qkv: 2 dimensions [32, 16") != std::string::npos);
  list.back().rows = 33;
  list.back().values.resize(33 * 16);
  CHECK(std::string(load(file_of(list), other, plan("12\t4\t16")).message()) ==
        "tensor gpt.qkv is read only in part by this model");
}

TEST_CASE("What several tensors of a model have is read whole for each, or refused") {
  const std::string first = kLayer + "q_proj.weight", second = kLayer + "o_proj.weight";
  Transformer model = model_of(1);
  const TensorInfo& from = *model.parameters().find(first.c_str());
  const TensorInfo& to = *model.parameters().find(second.c_str());
  REQUIRE(from.size() == to.size());
  std::copy_n(model.values() + from.offset, from.size(), model.values() + to.offset);
  std::vector<Named> list = tensors_of(model);
  std::erase_if(list, [&](const Named& tensor) { return tensor.name == second; });
  const auto plan = [&](const char* rows) {
    return rest_of_plan(model, {second}) + second + "\t" + first + "\t\t" + rows + "\n";
  };
  Transformer other = model_of(2);
  const Status status = load(file_of(list), other, plan("0\t0\t0"));
  CHECK(std::string(status.message()) == "");
  CHECK(same(model, other));
  for (Named& tensor : list)
    if (tensor.name == first) {
      tensor.rows += 8;
      tensor.values.resize(tensor.values.size() + 8 * static_cast<std::size_t>(tensor.columns));
    }
  Transformer spoilt = model_of(2);
  CHECK(!load(file_of(list), spoilt, plan("0\t16\t16")).ok());
  CHECK(same(spoilt, model_of(2)));
}

TEST_CASE("One is added where the plan says, buffers are passed over, and copies must be copies") {
  const Transformer model = model_of(1);
  std::vector<Named> list = tensors_of(model);
  for (Named& tensor : list)
    if (tensor.name == "model.norm.weight")
      for (float& value : tensor.values) value = 0.5f;
  list.push_back({"model.layers.0.rotary.inv_freq", 0, 3, {1, 2, 3}});
  list.push_back({"head", list[0].rows, list[0].columns, list[0].values});
  const std::string text = rest_of_plan(model, {"model.norm."}) +
                           "model.norm.weight\tmodel.norm.weight\t1\t0\t0\t0\n\t*.inv_freq\t\n" +
                           "head\tmodel.embed_tokens.weight\t=\t0\t0\t0\n";
  Transformer other = model_of(2);
  const Status status = load(file_of(list), other, text);
  CHECK(std::string(status.message()) == "");
  for (const float value : values_of(other, "model.norm.weight")) CHECK(value == 1.5f);
  list.back().values[3] += 1;
  CHECK(std::string(load(file_of(list), other, text).message()) ==
        "tensor head differs from model.embed_tokens.weight");
}

TEST_CASE(
    "Pairs of channels that lie side by side in the file are half a head apart in the model") {
  const Transformer model = model_of(1);
  const std::string name = kLayer + "q_proj.weight";
  const int head = model.config().head_dim, columns = model.config().width;
  REQUIRE(head % 2 == 0);
  std::vector<Named> list = tensors_of(model);
  for (Named& tensor : list) {
    if (tensor.name != name) continue;
    const std::vector<float> before = tensor.values;
    for (int row = 0; row < tensor.rows; ++row) {
      const int channel = row % head;
      const int from = row - channel + channel % 2 * (head / 2) + channel / 2;
      std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(from) * columns, columns,
                  tensor.values.begin() + static_cast<std::ptrdiff_t>(row) * columns);
    }
    REQUIRE(tensor.values != before);
  }
  const std::string block = std::to_string(head);
  const auto plan = [&](const std::string& numbers) {
    return rest_of_plan(model, {name}) + name + "\t" + name + "\tP\t" + numbers + "\n";
  };
  Transformer other = model_of(2);
  const Status status = load(file_of(list), other, plan("0\t" + block + "\t" + block));
  REQUIRE_MESSAGE(status.ok(), status.message());
  CHECK(same(model, other));
  // A block that does not divide the rows, and plans that leave rows out.
  for (const char* wrong : {"0\t6\t6", "2\t8\t8", "0\t2\t4"}) {
    Transformer spoilt = model_of(2);
    CHECK(!load(file_of(list), spoilt, plan(wrong)).ok());
    CHECK(same(spoilt, model_of(2)));
  }
}

TEST_CASE("A matrix may have its columns cut into heads, as it is and transposed") {
  const Transformer model = model_of(1);
  for (const bool is_transposed : {false, true}) {
    const std::string name = kLayer + "o_proj.weight";
    std::vector<Named> list = tensors_of(model);
    for (Named& tensor : list) {
      if (tensor.name != name) continue;
      REQUIRE(tensor.rows == tensor.columns);
      tensor.heads = 4;
      const std::vector<float> before = tensor.values;
      for (int r = 0; is_transposed && r < tensor.rows; ++r)
        for (int c = 0; c < tensor.columns; ++c)
          tensor.values[c * tensor.rows + r] = before[r * tensor.columns + c];
    }
    const auto plan = [&](const std::string& flags) {
      return rest_of_plan(model, {name}) + name + "\t" + name + "\t" + flags + "\t0\t0\t0\n";
    };
    Transformer other = model_of(2);
    const Status status = load(file_of(list), other, plan(is_transposed ? "TF" : "F"));
    CHECK(std::string(status.message()) == "");
    CHECK(same(model, other));
    CHECK(std::string(load(file_of(list), other, plan("")).message())
              .find("o_proj.weight: 3 dimensions [16, 4") != std::string::npos);
  }
}

TEST_CASE("A vector is put together from tensors, all of it and in order") {
  const Transformer model = model_of(1);
  const std::string name = "model.norm.weight";
  std::vector<Named> list;
  for (const Named& tensor : tensors_of(model)) {
    if (tensor.name != name) {
      list.push_back(tensor);
      continue;
    }
    REQUIRE(tensor.columns == 16);
    const auto values = tensor.values.begin();
    list.push_back({"norms.0", 0, 6, {values, values + 6}});
    list.push_back({"norms.1", 0, 10, {values + 6, values + 16}});
  }
  const auto refusal = [&](const std::vector<std::pair<const char*, const char*>>& parts) {
    std::string text = rest_of_plan(model, {name});
    for (const auto& [part, into] : parts)
      text += name + "\tnorms." + part + "\t\t0\t0\t0\t" + into + "\n";
    Transformer other = model_of(2);
    const Status status = load(file_of(list), other, text);
    CHECK(status.ok() == same(model, other));
    return std::string(status.message());
  };
  CHECK(refusal({{"0", "0"}, {"1", "6"}}) == "");
  CHECK(refusal({{"0", "0"}}) == "plan: tensor model.norm.weight is read in part");
  CHECK(refusal({{"0", "0"}, {"1", "5"}}) == "plan: tensor model.norm.weight is read twice");
  CHECK(refusal({{"0", "0"}, {"0", "6"}}) == "plan: tensor model.norm.weight is read in part");
  CHECK(refusal({{"0", "0"}, {"1", "7"}}).find("norms.1: 1 dimensions [10") != std::string::npos);
  CHECK(refusal({{"0", "0"}, {"2", "6"}}) == "tensor norms.2 is missing");
}

TEST_CASE("A plan that says nothing sensible is refused by its line") {
  const auto refusal = [](const char* text) {
    const auto plan = TensorPlan::parse(text);
    REQUIRE(!plan.ok());
    return std::string(plan.status().message());
  };
  for (const char* text :
       {"a\t\t\t0\t0\t0\n", "a\tb\tX\t0\t0\t0\n", "a\tb\t\t-1\t0\t0\n", "a\tb\t\t0\t4\t3\n",
        "a\tb\tP\t0\t0\t0\n", "a\tb\tP\t0\t3\t3\n", "a\tb\t\t0\t0\t4294967296\n", "a\tb\t\t0\t0\n",
        "a\tb\t\t0\t0\t0\tx\n", "a\tb\tS\t0\t2\t2\t0\n", "a\tb\t\t0\t0\t0\t0\t0\n"}) {
    CAPTURE(text);
    CHECK(refusal(text) == "plan: line 1 is empty");
  }
  CHECK(TensorPlan::parse("").ok());
  Transformer model = model_of(1);
  CHECK(std::string(load(file_of(tensors_of(model)), model, "\n").message()) ==
        "tensor model.embed_tokens.weight is missing");
}

}  // namespace wf
