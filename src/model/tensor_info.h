// The tensors of a model: names, shapes and initial values.
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
  // Number of matrices that are joined by rows: one for each expert. If quantised, each is stored
  // by itself.
  int parts = 1;
  WeightType type = WeightType::kF32;
  std::size_t offset = 0;  // in floats; if quantised, in bytes
  bool decays = false;
  Initialiser initialiser = Initialiser::kNormal;
  float deviation = 0.02f;
  float mean = 0;
  const float* given = nullptr;  // initial values, for kGiven

  std::size_t size() const { return elements_of(rows, columns); }
  // Bytes of a quantised tensor; less than 2^60, as no larger model is made.
  std::uint64_t bytes() const;
};

// The tensors of one block, in table order. Some exist only with certain options of the config.
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
  kRouter,
  kRouterBias,
  kRouterPreference,
  kExpertGate,
  kExpertUp,
  kExpertDown,
  kExpertGateBias,
  kExpertUpBias,
  kExpertDownBias,
  kSharedGate,
  kSharedUp,
  kSharedDown,
  kSharedScale,
  kMixerIn,
  kConvolution,
  kMixerOut,
  kMixerInBias,
  kConvolutionBias,
  kMixerOutBias,
  kDeltaGate,
  kDeltaWrite,
  kDeltaDecay,
  kDeltaStep,
  kDeltaRate,
  kDeltaNorm,
  kStateSkip,
  kAttentionGate,
  kAttentionGateBias,
};
constexpr int kBlockTensors = 70;

// The tensors outside the blocks. The first exists unless another model owns it, the others only
// with certain options of the config.
enum class ModelTensor : std::uint8_t {
  kEmbedding,  // [V, E]; with a projection of inputs, these have its input's width
  kTokenTypes,  // [types, E]
  kEmbeddingNorm,  // [E]
  kEmbeddingNormBias,
  kInputProjection,  // [E, width of token vectors]
  kInputProjectionBias,  // [E]
  kFinalNorm,
  kFinalNormBias,
  kHead,  // [V, E], if it is not the embedding
  kHeadBias,  // [V]
  kClusters,  // [clusters of rarer tokens, E]
  kClusterBias,
};
constexpr int kModelTensors = 12;

// The tensors of a token piece, if embedding tables are narrower than the model (architecture.h); w
// is the number of columns. kProjection maps a token's vector to the model's width, kHeadProjection
// the model's output to width w for the logits. A piece has the first 1 to 4 of them, depending on
// the head.
enum class PieceTensor : std::uint8_t {
  kTable,  // [tokens, w]
  kProjection,  // [E, w]
  kHeadProjection,  // [E, w]
  kHeadTable,  // [tokens, w], if it is not the embedding's
};

// A scheme's parameter in a layer of a model (-1: the model itself). If there are `earlier` schemes
// with the same id, its name has a number.
TensorInfo scheme_tensor_info(const ParameterSpec& spec, const char* id, int layer,
                              int earlier = 0);

// The tensors of a block, and those outside the blocks, indexed by the enumerations; tensors that
// do not exist have no columns.
void block_infos(const ModelConfig& config, int layer, TensorInfo infos[kBlockTensors]);
void model_infos(const ModelConfig& config, TensorInfo infos[kModelTensors]);

// Sets the type of the matrices that are only read as a whole: not those of latent layers, which
// are split into heads, nor queries and keys that a scheme reads.
void choose_types(const ModelConfig& config, const ModelSchemes& schemes, int layer,
                  WeightType type, TensorInfo infos[kBlockTensors]);

}  // namespace wf
