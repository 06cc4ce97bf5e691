// Where every trainable number of a model lies: one flat run of floats, and a table of names.
//
// Values and gradients have the same layout, so copies of a model in several threads share the
// values and keep gradients of their own. Names and shapes are those of Hugging Face's Llama
// (weights [out, in]), so that checkpoints need no translation.
#pragma once

#include <cstdint>

#include "model/config.h"
#include "tensor/buffer.h"
#include "tensor/parameter.h"

namespace wf {

struct TensorInfo {
  char name[112] = "";
  int dimensions = 2;  // 1: shape [columns]; 2: [rows, columns]
  int rows = 1;
  int columns = 0;
  std::size_t offset = 0;  // in floats
  bool decays = false;
  Initialiser initialiser = Initialiser::kNormal;
  float deviation = 0.02f;
  float mean = 0;

  std::size_t size() const { return static_cast<std::size_t>(rows) * columns; }
};

// The tensors of one block, in table order.
enum class BlockTensor : std::uint8_t {
  kInputNorm,
  kQuery,
  kKey,
  kValue,
  kOutput,
  kPostNorm,
  kGate,
  kUp,
  kDown,
};
constexpr int kBlockTensors = 9;

// Pointers to the tensors of one block, of values (const float) or of gradients (float).
template <class Float>
struct BlockTensors {
  Float* input_norm;  // [E]
  Float* query;       // [H·D, E]
  Float* key;         // [K·D, E]
  Float* value;       // [K·D, E]
  Float* output;      // [E, H·D]
  Float* post_norm;   // [E]
  Float* gate;        // [F, E]
  Float* up;          // [F, E]
  Float* down;        // [E, F]
};

// A scheme's parameter as a layer of a model has it (-1: the model itself); `scheme` is its id.
TensorInfo scheme_tensor_info(const ParameterSpec& spec, const char* scheme, int layer);

// Fills `values` [info.size()] from a stream of their own, seeded by the seed and the tensor's name.
void initialise_tensor(const TensorInfo& info, std::uint64_t seed, float* values);

class ParameterTable {
 public:
  // `instances` are the schemes of the stack, made. Errors: kOutOfMemory; kInvalidArgument when
  // the model has more numbers than memory can address.
  static Result<ParameterTable> make(const ModelConfig& config,
                                     std::span<const SchemeInstance> instances);

  std::size_t total() const { return total_; }  // floats
  int count() const { return static_cast<int>(tensors_.size()); }
  const TensorInfo& tensor(int index) const { return tensors_[index]; }
  // Null when there is no tensor of this name.
  const TensorInfo* find(const char* name) const;

  std::size_t embedding() const { return tensors_[0].offset; }  // [V, E]
  std::size_t final_norm() const;                               // [E]
  std::size_t block_tensor(int layer, BlockTensor which) const;
  // Parameter `index` of the stack's parameters, counted through its schemes in order.
  std::size_t scheme_tensor(int layer, int index) const;
  // Parameters of all schemes of a stack.
  int scheme_tensor_count() const { return layer_scoped_ + model_scoped_; }

  template <class Float>
  BlockTensors<Float> block(Float* base, int layer) const {
    const auto at = [&](BlockTensor which) { return base + block_tensor(layer, which); };
    return {at(BlockTensor::kInputNorm), at(BlockTensor::kQuery),    at(BlockTensor::kKey),
            at(BlockTensor::kValue),     at(BlockTensor::kOutput),   at(BlockTensor::kPostNorm),
            at(BlockTensor::kGate),      at(BlockTensor::kUp),       at(BlockTensor::kDown)};
  }

  // Fills `values` [total()]. Each tensor draws from a stream of its own, seeded by the seed and
  // its name, so models that differ in their schemes start from the same weights elsewhere.
  void initialise(std::uint64_t seed, float* values) const;

 private:
  void add(const TensorInfo& info, std::uint64_t& offset);
  void add_scheme_tensors(int layer, std::span<const SchemeInstance> instances,
                          std::uint64_t& offset);

  int layers_ = 0;
  int layer_scoped_ = 0;
  int model_scoped_ = 0;
  int filled_ = 0;
  std::size_t total_ = 0;
  Buffer<TensorInfo> tensors_;
  Buffer<int> scheme_slots_;  // [stack parameters]: slot within a layer, or -1 - slot in the model
};

}  // namespace wf
