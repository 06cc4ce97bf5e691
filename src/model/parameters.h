// Where every trainable number of a model lies: one flat run of floats, and a table of names. What
// a model keeps quantised lies in a run of bytes of its own.
//
// Values and gradients have the same layout, so copies of a model in several threads share the
// values and keep gradients of their own. Names and shapes are those of Hugging Face's Llama
// (weights [out, in]), so that checkpoints need no translation.
#pragma once

#include <cstdint>
#include <cstring>

#include "model/linear.h"
#include "model/tensor_info.h"
#include "tensor/buffer.h"
#include "tensor/random.h"

namespace wf {

// Pointers to the tensors of one block, of values (const float) or of gradients (float); null where
// the block has none. In the order of BlockTensor.
template <class Float>
struct BlockTensors {
  Float* input_norm;  // [E]
  Float* query;  // [H·D, E]; from a latent query: [H·D, its width]
  Float* key;  // [K·D, E]
  Float* value;  // [K·D, E]
  // Latent layers, in place of key and value. The first two where queries are latent too.
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
  Float* attention_norm;  // [E] of attention's output
  Float* attention_norm_bias;
  Float* post_norm_bias;
  Float* gate_bias;  // [F]
  Float* up_bias;
  Float* down_bias;  // [E]
  Float* feed_norm;  // [E] of the feed-forward's output
  Float* feed_norm_bias;
  Float* cross_norm;  // [E] of what reads another sequence
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

  // By BlockTensor; null where the block has floats only. What is quantised has no pointer above.
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

// Whether a scheme trains it.
bool is_of_scheme(const TensorInfo& info);

// Fills `values` [info.size()] from a stream of their own, seeded by the seed and the tensor's
// name.
void initialise_tensor(const TensorInfo& info, std::uint64_t seed, float* values);

// That stream, and the tensor's next `count` numbers from it.
Random stream_of(const TensorInfo& info, std::uint64_t seed);
void draw_values(const TensorInfo& info, Random& stream, std::size_t count, float* values);

class ParameterTable {
 public:
  // `type`: of the matrices that products read whole (quantised_type). `shares_embedding`: without
  // one of its own, since another model's is used. Errors: kOutOfMemory, also when the model has
  // more numbers than memory can address.
  static Result<ParameterTable> make(const ModelConfig& config, const ModelSchemes& schemes,
                                     WeightType type = WeightType::kF32,
                                     bool shares_embedding = false);

  std::size_t total() const { return total_; }  // floats
  std::size_t quantised_total() const { return quantised_total_; }  // bytes
  // Columns of the quantised tensor that has the most.
  int widest_quantised() const;
  double parameter_count() const { return parameter_count_; }
  WeightType type() const { return type_; }
  int count() const { return static_cast<int>(tensors_.size()); }
  const TensorInfo& tensor(int index) const { return tensors_[index]; }
  // Null when there is no tensor of this name.
  const TensorInfo* find(const char* name) const;
  // Where there is none: that of the scheme's first setting, whose name has no number.
  const TensorInfo* find_setting(const char* name) const;

  // Where it lies in `base`; null where there is none, and where it is quantised.
  template <class Float>
  Float* of_model(Float* base, ModelTensor which) const {
    const TensorInfo* info = info_of(which);
    return info && info->type == WeightType::kF32 ? base + info->offset : nullptr;
  }
  bool has_block_tensor(int layer, BlockTensor which) const { return slot(layer, which) >= 0; }
  // It must be there.
  std::size_t block_tensor(int layer, BlockTensor which) const {
    return tensors_[slot(layer, which)].offset;
  }
  // Parameter `index` of a layer's, counted through the schemes of its stack in order.
  std::size_t scheme_tensor(int layer, int index) const {
    return tensors_[scheme_tensors_[first_scheme_tensor_[layer] + index]].offset;
  }
  // How many of those come before a layer; of all layers for the one past the last.
  int scheme_tensors_before(int layer) const { return first_scheme_tensor_[layer]; }

  // Pointers to all of them, as they lie in `base`.
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

  // The quantised matrices of all blocks [layers, kBlockTensors] in the bytes at `base`; none where
  // a model has floats only.
  Result<Buffer<QuantisedMatrix>> quantised_blocks(const std::uint8_t* base) const;
  // A quantised tensor there.
  static QuantisedMatrix quantised(const TensorInfo& info, const std::uint8_t* base) {
    return {base + info.offset, info.type, info.rows, info.columns};
  }
  // Null where there is none.
  const TensorInfo* info_of(ModelTensor which) const {
    const int index = model_tensors_[static_cast<int>(which)];
    return index < 0 ? nullptr : &tensors_[index];
  }
  // It must be there.
  const TensorInfo& piece_tensor(int piece, PieceTensor which) const {
    return tensors_[piece * tensors_of_piece_ + static_cast<int>(which)];
  }

  // Fills `values` [total()]. Each tensor draws from a stream of its own, seeded by the seed and
  // its name, so models that differ in their schemes start from the same weights elsewhere.
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
  int tensors_of_piece_ = 0;  // pieces stand first, one after the other
  int model_tensors_[kModelTensors];  // index into tensors_ or -1
  std::size_t total_ = 0;
  std::uint64_t quantised_offset_ = 0;
  std::size_t quantised_total_ = 0;
  double parameter_count_ = 0;
  WeightType type_ = WeightType::kF32;
  Buffer<TensorInfo> tensors_;
  Buffer<int> block_tensors_;  // [layers, kBlockTensors], index into tensors_ or -1
  Buffer<int> first_scheme_tensor_;  // [layers + 1], index into scheme_tensors_
  Buffer<int> scheme_tensors_;  // of one layer after the other, index into tensors_
};

}  // namespace wf
