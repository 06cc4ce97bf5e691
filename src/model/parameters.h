// The memory layout of all trainable numbers of a model: one array of floats, and a table of names.
// Quantised tensors are in a separate array of bytes.
//
// Values and gradients have the same layout, so copies of a model in several threads share the
// values and have separate gradients. Names and shapes are those of Hugging Face's Llama (weights
// [out, in]), so that checkpoints need no conversion.
#pragma once

#include <cstdint>
#include <cstring>

#include "model/linear.h"
#include "model/tensor_info.h"
#include "tensor/buffer.h"
#include "tensor/random.h"

namespace wf {

// Pointers to the tensors of one block, of values (const float) or of gradients (float); null if
// the block has none. In the order of BlockTensor.
template <class Float>
struct BlockTensors {
  Float* input_norm;  // [E]
  Float* query;  // [H·D, E]; from a latent query: [H·D, its width]
  Float* key;  // [K·D, E]
  Float* value;  // [K·D, E]
  // Latent layers, instead of key and value. The first two only if queries are latent too.
  Float* query_down;  // [query_rank, E]
  Float* query_down_norm;  // [query_rank]
  Float* latent_down;  // [d_c + d_R, E]
  Float* latent_norm;  // [d_c]
  Float* latent_up;  // [K·(content + Dv), d_c]
  Float* output;  // [E, H·Dv]
  Float* query_norm;  // [D], or [H·D]
  Float* key_norm;  // [D]
  Float* sinks;  // [H]
  Float* post_norm;  // [E]
  Float* gate;  // [F, E]
  Float* up;  // [F, E]
  Float* down;  // [E, F]
  Float* input_norm_bias;  // [E]
  Float* query_bias;  // [H·D]
  Float* key_bias;  // [K·D]
  Float* value_bias;
  Float* output_bias;  // [E]
  Float* attention_norm;  // [E] norm of attention's output
  Float* attention_norm_bias;
  Float* post_norm_bias;
  Float* gate_bias;  // [F]
  Float* up_bias;
  Float* down_bias;  // [E]
  Float* feed_norm;  // [E] norm of the feed-forward layer's output
  Float* feed_norm_bias;
  Float* cross_norm;  // [E] norm before cross-attention
  Float* cross_norm_bias;
  Float* cross_query;  // [H·D, E]
  Float* cross_key;  // [K·D, E]
  Float* cross_value;  // [K·D, E]
  Float* cross_output;  // [E, H·D]
  Float* cross_query_bias;
  Float* cross_key_bias;
  Float* cross_value_bias;
  Float* cross_output_bias;
  Float* query_norm_bias;  // [D]
  Float* key_norm_bias;
  // Layers of experts, instead of gate, up and down. N experts of width F', one after the other.
  Float* router;  // [N, E]
  Float* router_bias;  // [N]
  Float* router_preference;  // [N]
  Float* expert_gate;  // [N·F', E]
  Float* expert_up;  // [N·F', E]
  Float* expert_down;  // [N·E, F']
  Float* expert_gate_bias;  // [N·F']
  Float* expert_up_bias;
  Float* expert_down_bias;  // [N·E]
  Float* shared_gate;  // [width of the shared expert, E]
  Float* shared_up;
  Float* shared_down;  // [E, width of the shared expert]
  Float* shared_scale;  // [1, E]
  // Layers with a mixer, instead of attention: [3·E, E], [E, taps] and [E, E] of a short
  // convolution, [2·Kd + Vd, E], [2·Kd + Vd, taps] and [E, Vd] of the delta rule and of Mamba-2,
  // where Kd and Vd are the channels of all their heads of keys and of values.
  Float* mixer_in;
  Float* convolution;
  Float* mixer_out;
  Float* mixer_in_bias;
  Float* convolution_bias;
  Float* mixer_out_bias;
  Float* delta_gate;  // [Vd, E]
  Float* delta_write;  // [heads of values, E]
  Float* delta_decay;  // [heads of values, E]
  Float* delta_step;  // [heads of values]
  Float* delta_rate;  // [heads of values]
  Float* delta_norm;  // [channels of a value]; of Mamba-2 [Vd]
  Float* state_skip;  // [heads of values]
  Float* attention_gate;  // [H·Dv, E], or [H, E]
  Float* attention_gate_bias;

  // Indexed by BlockTensor; null if all tensors of the block are floats. Quantised tensors have no
  // pointer above.
  const QuantisedMatrix* quantised;

  Weight matrix(BlockTensor which) const {
    const auto index = static_cast<std::size_t>(which);
    if (quantised && quantised[index].data) return {nullptr, quantised + index};
    const float* values;
    std::memcpy(&values, reinterpret_cast<const char*>(this) + index * sizeof(values),
                sizeof(values));
    return {values, nullptr};
  }
};

// Whether it is a parameter of a scheme.
bool is_of_scheme(const TensorInfo& info);

// Fills `values` [info.size()] with initial values from a random sequence seeded by the seed and
// the tensor's name.
void initialise_tensor(const TensorInfo& info, std::uint64_t seed, float* values);

// That random sequence, and the next `count` initial values of the tensor from it.
Random stream_of(const TensorInfo& info, std::uint64_t seed);
void draw_values(const TensorInfo& info, Random& stream, std::size_t count, float* values);

class ParameterTable {
 public:
  // `type`: storage of the matrices that are only read as a whole (quantised_type).
  // `shares_embedding`: without an embedding, as another model's is used. Errors: kOutOfMemory,
  // also if the model has more numbers than memory can address.
  static Result<ParameterTable> make(const ModelConfig& config, const ModelSchemes& schemes,
                                     WeightType type = WeightType::kF32,
                                     bool shares_embedding = false);

  std::size_t total() const { return total_; }  // floats
  std::size_t quantised_total() const { return quantised_total_; }  // bytes
  // Number of columns of the widest quantised tensor.
  int widest_quantised() const;
  double parameter_count() const { return parameter_count_; }
  WeightType type() const { return type_; }
  int count() const { return static_cast<int>(tensors_.size()); }
  const TensorInfo& tensor(int index) const { return tensors_[index]; }
  // Null if there is no tensor with this name.
  const TensorInfo* find(const char* name) const;
  // If there is none, the tensor of the scheme's first instance, whose name has no number.
  const TensorInfo* find_setting(const char* name) const;

  // Address of the tensor in `base`; null if there is none, or if it is quantised.
  template <class Float>
  Float* of_model(Float* base, ModelTensor which) const {
    const TensorInfo* info = info_of(which);
    return info && info->type == WeightType::kF32 ? base + info->offset : nullptr;
  }
  bool has_block_tensor(int layer, BlockTensor which) const { return slot(layer, which) >= 0; }
  // The tensor must exist.
  std::size_t block_tensor(int layer, BlockTensor which) const {
    return tensors_[slot(layer, which)].offset;
  }
  // Parameter `index` of a layer, counted over the schemes of its layer type in order.
  std::size_t scheme_tensor(int layer, int index) const {
    return tensors_[scheme_tensors_[first_scheme_tensor_[layer] + index]].offset;
  }
  // Number of scheme tensors before a layer; for layer num_layers, of all layers.
  int scheme_tensors_before(int layer) const { return first_scheme_tensor_[layer]; }

  // Pointers to all of them in `base`.
  template <class Float>
  Result<Buffer<Float*>> scheme_pointers(Float* base) const {
    Buffer<Float*> pointers;
    WF_RETURN_IF_ERROR(pointers.reserve(scheme_tensors_.size()));
    for (std::size_t i = 0; i < pointers.size(); ++i)
      pointers[i] = base + tensors_[scheme_tensors_[i]].offset;
    return pointers;
  }

  BlockTensors<float> block(float* base, int layer) const;
  BlockTensors<const float> block(const float* base, int layer) const;

  // The quantised matrices of all blocks [layers, kBlockTensors] in the bytes at `base`; empty if
  // all tensors are floats.
  Result<Buffer<QuantisedMatrix>> quantised_blocks(const std::uint8_t* base) const;
  // A quantised tensor in the bytes at `base`; of several parts the first.
  static QuantisedMatrix quantised(const TensorInfo& info, const std::uint8_t* base) {
    return {base + info.offset, info.type, info.rows / info.parts, info.columns};
  }
  // Null if there is none.
  const TensorInfo* info_of(ModelTensor which) const {
    const int index = model_tensors_[static_cast<int>(which)];
    return index < 0 ? nullptr : &tensors_[index];
  }
  // The tensor must exist.
  const TensorInfo& piece_tensor(int piece, PieceTensor which) const {
    return tensors_[piece * tensors_of_piece_ + static_cast<int>(which)];
  }

  // Fills `values` [total()]. Each tensor has its own random sequence, seeded by the seed and its
  // name, so models with different schemes start with the same weights otherwise.
  void initialise(std::uint64_t seed, float* values) const;

 private:
  int add(TensorInfo info, std::uint64_t& offset);
  void add_layer(const ModelConfig& config, const ModelSchemes& schemes, int layer,
                 std::uint64_t& offset);
  void add_model_tensors(const TensorInfo infos[], ModelTensor first, ModelTensor last,
                         std::uint64_t& offset);
  void add_pieces(const ModelConfig& config, std::uint64_t& offset);
  void add_of_model(const ModelConfig& config, const ModelSchemes& schemes, std::uint64_t& offset);

  int slot(int layer, BlockTensor which) const {
    return block_tensors_[layer * kBlockTensors + static_cast<int>(which)];
  }

  int filled_ = 0;
  int tensors_of_piece_ = 0;  // tables of token pieces are first in the list
  int model_tensors_[kModelTensors];  // index into tensors_ or -1
  std::size_t total_ = 0;
  std::uint64_t quantised_offset_ = 0;
  std::size_t quantised_total_ = 0;
  double parameter_count_ = 0;
  WeightType type_ = WeightType::kF32;
  Buffer<TensorInfo> tensors_;
  Buffer<int> block_tensors_;  // [layers, kBlockTensors], index into tensors_ or -1
  Buffer<int> first_scheme_tensor_;  // [layers + 1], index into scheme_tensors_
  Buffer<int> scheme_tensors_;  // layer by layer, index into tensors_
};

}  // namespace wf
