#include "model/tensor_names.h"

#include <doctest/doctest.h>

#include <string>

#include "core/model/tiny_model.h"
#include "model/checkpoint.h"

namespace wf {
namespace {

std::string bare(std::string name) { return std::string(without_module_wrappers(name)); }

// Renames each tensor of a model's file; returns the message of loading the file.
template <class Rename>
std::string loaded(Rename rename) {
  const Transformer model = testing::tiny_model("rope", 1);
  const ParameterTable& table = model.parameters();
  std::vector<std::string> names;
  std::vector<TensorToStore> tensors;
  for (int i = 0; i < table.count(); ++i) names.push_back(rename(table.tensor(i).name));
  for (int i = 0; i < table.count(); ++i) {
    const TensorInfo& info = table.tensor(i);
    TensorToStore tensor{.name = names[i], .dimensions = info.dimensions};
    tensor.shape[0] = info.dimensions == 1 ? info.columns : info.rows;
    tensor.shape[1] = info.columns;
    tensor.values = model.values() + info.offset;
    tensor.count = info.size();
    tensors.push_back(tensor);
  }
  auto bytes = write_safetensors({tensors.data(), tensors.size()}, {}, Dtype::kF32);
  REQUIRE(bytes.ok());
  const Buffer<std::uint8_t> file = bytes.take();
  Transformer other = testing::tiny_model("rope", 2);
  const Status status = load_model({file.data(), file.size()}, other);
  if (!status.ok()) return status.message();
  const bool is_same = std::equal(model.values(), model.values() + table.total(), other.values());
  return is_same ? "" : "other values";
}

}  // namespace

TEST_CASE("Wrappers of single modules go from anywhere in a name, and from nowhere else") {
  CHECK(bare("_orig_mod.model.layers.0._orig_mod.norm.weight") == "model.layers.0.norm.weight");
  CHECK(bare("a._fsdp_wrapped_module._checkpoint_wrapped_module.b") == "a.b");
  CHECK(bare("my_orig_mod.b") == "my_orig_mod.b");
  CHECK(bare("_orig_mod._orig_mod.") == "");
  CHECK(bare("").empty());
}

TEST_CASE("A file whose names all stand behind wrappers is the model") {
  for (const char* wrapper :
       {"", "module.", "_orig_mod.", "language_model.", "base_model.model.", "model.",
        "module._orig_mod.", "model.module.", "base_model.model.model."}) {
    CAPTURE(wrapper);
    CHECK(loaded([&](const std::string& name) { return wrapper + name; }).empty());
  }
}

TEST_CASE("Other names are shown beside the one that is missing") {
  CHECK(loaded([](const std::string& name) { return "student." + name; }) ==
        "tensor model.embed_tokens.weight is missing; the files' names are like "
        "student.model.embed_tokens.weight");
  // If a single name lacks the prefix, it is no wrapper.
  CHECK(loaded([](const std::string& name) {
          return name == "model.norm.weight" ? name : "module." + name;
        }).find("is missing; the files' names are like") != std::string::npos);
  CHECK(loaded([](const std::string& name) {
          return "base_model.model." + name.substr(0, name.size() - 7) + ".lora_A.weight";
        }).find("belongs to an adapter (LoRA)") != std::string::npos);
}

}  // namespace wf
