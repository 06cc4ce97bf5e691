// The tensors that a model has: their names, shapes and first values.
#pragma once

#include <cstdint>

#include "kernels/quantised.h"
#include "model/model_schemes.h"
#include "tensor/extent.h"
#include "tensor/parameter.h"

namespace wf {

struct TensorInfo {
  char name[112] = "";
  int dimensions = 2;  // 1: shape [columns]; 2: [rows, columns]
  int rows = 1;
  int columns = 0;
  WeightType type = WeightType::kF32;
  std::size_t offset = 0;  // in floats; in bytes where it is quantised
  bool decays = false;
  Initialiser initialiser = Initialiser::kNormal;
  float deviation = 0.02f;
  float mean = 0;

  std::size_t size() const { return elements_of(rows, columns); }
};

// The tensors of one block, in table order. Some are there only where the config asks for them.
enum class BlockTensor : std::uint8_t {
  kInputNorm,
  kQuery,
  kKey,
  kValue,
  kQueryDown,
  kQueryDownNorm,
  kLatentDown,
  kLatentNorm,
  kLatentUp,
  kOutput,
  kQueryNorm,
  kKeyNorm,
  kSinks,
  kPostNorm,
  kGate,
  kUp,
  kDown,
  kInputNormBias,
  kQueryBias,
  kKeyBias,
  kValueBias,
  kOutputBias,
  kAttentionNorm,
  kAttentionNormBias,
  kPostNormBias,
  kGateBias,
  kUpBias,
  kDownBias,
  kFeedNorm,
  kFeedNormBias,
  kCrossNorm,
  kCrossNormBias,
  kCrossQuery,
  kCrossKey,
  kCrossValue,
  kCrossOutput,
  kCrossQueryBias,
  kCrossKeyBias,
  kCrossValueBias,
  kCrossOutputBias,
  kQueryNormBias,
  kKeyNormBias,
};
constexpr int kBlockTensors = 42;

// The tensors outside the blocks. The first is there unless another model owns it, the others where
// the config asks.
enum class ModelTensor : std::uint8_t {
  kEmbedding,  // [V, E]
  kTokenTypes,  // [types, E]
  kEmbeddingNorm,  // [E]
  kEmbeddingNormBias,
  kFinalNorm,
  kFinalNormBias,
  kHead,  // [V, E], where it is not the embedding
  kHeadBias,  // [V]
  kClusters,  // [clusters of rarer tokens, E]
  kClusterBias,
};
constexpr int kModelTensors = 10;

// Of a piece of the vocabulary, where tables are narrower than the model (architecture.h), w
// columns wide: the second takes a token's vector to the model's width, the third a row of the
// model's to that of the scores. Each has as many of them, from the first, as the head asks for.
enum class PieceTensor : std::uint8_t {
  kTable,  // [tokens, w]
  kProjection,  // [E, w]
  kHeadProjection,  // [E, w]
  kHeadTable,  // [tokens, w], where it is not the embedding's
};

// A scheme's parameter as a layer of a model has it (-1: the model itself). Where `earlier` schemes
// of the same id come before, its name has a number.
TensorInfo scheme_tensor_info(const ParameterSpec& spec, const char* id, int layer,
                              int earlier = 0);

// Those of a block, and those outside the blocks, by their enumerations; what is not there has no
// columns.
void block_infos(const ModelConfig& config, int layer, TensorInfo infos[kBlockTensors]);
void model_infos(const ModelConfig& config, TensorInfo infos[kModelTensors]);

// Gives the matrices that products read whole their type: not those of latent layers, which are cut
// into heads, nor queries and keys that a scheme reads for itself.
void choose_types(const ModelConfig& config, const ModelSchemes& schemes, int layer,
                  WeightType type, TensorInfo infos[kBlockTensors]);

}  // namespace wf
