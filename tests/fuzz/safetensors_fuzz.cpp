// Untrusted safetensors files: parsed, every tensor read, then loaded by a model and by training.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "model/checkpoint.h"
#include "training/trainer.h"

namespace {

using namespace wf;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

bool is_typed(const Status& status) {
  return status.ok() || status.code() == Code::kMalformedFile ||
         status.code() == Code::kUnsupported || status.code() == Code::kOutOfMemory ||
         status.code() == Code::kInvalidArgument;
}

// A model so small that its complete file is a seed of a few hundred bytes.
Transformer tiny_model() {
  ModelConfig config;
  config.vocab_size = 2;
  config.width = 2;
  config.num_layers = config.num_heads = config.num_kv_heads = 1;
  config.head_dim = 2;
  config.intermediate = 1;
  const SchemeEntry* entry = find_scheme("kerple").value();
  config.layer_types[0].add({entry, default_options(*entry->description)});
  return Transformer::make(config, 1).take();
}

class NoTask final : public Task {
 public:
  void fill(Random&, int, int, std::int32_t*, std::int32_t*) const override {}
};

void read_all(const SafetensorsFile& file) {
  for (const StoredTensor& tensor : file.tensors()) {
    std::vector<float> values(tensor.count());
    file.read(tensor, values.data());
    require(file.find(tensor.name) == &tensor, "a tensor is found by its name");
  }
  for (const MetadataPair& pair : file.metadata()) file.metadata_value(pair.key);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Transformer model = tiny_model();
  set_memory_limit(std::size_t{64} << 20);
  // A copy of exactly this size, so that the sanitizer detects reads past its end.
  const std::vector<std::uint8_t> copy(data, data + size);
  const std::span<const std::uint8_t> bytes = copy;
  auto file = SafetensorsFile::parse(bytes);
  require(is_typed(file.status()), "a refusal is typed");
  if (file.ok()) read_all(file.value());
  const Status loaded = load_model(bytes, model);
  require(is_typed(loaded), "a refusal of a model is typed");
  require(!loaded.ok() || file.ok(), "what loads was parsed");

  static Transformer trained = tiny_model();
  static const NoTask task;
  static const TrainerConfig config = [] {
    TrainerConfig small;
    small.batch = 1, small.length = 2;
    return small;
  }();
  static Trainer trainer = Trainer::make(trained, task, config).take();
  require(is_typed(trainer.restore_state(bytes)), "a refusal of a state is typed");
  return 0;
}
