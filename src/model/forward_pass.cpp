#include "model/forward_pass.h"

#include <algorithm>
#include <new>

namespace wf {
namespace {

// Multiplications of a step, about 50 ms on one core; and limits of its rows: with few, each weight
// is read too often.
constexpr double kStepWork = 4e8;
constexpr int kMinRows = 16, kMaxRows = 512;

int rows_of_steps(const Transformer& model) {
  const ModelConfig& config = model.config();
  const double multiplications =
      1.0 * config.width *
      (config.query_width() + 2.0 * config.key_width() + 3.0 * config.feed_width(0));
  return std::clamp(static_cast<int>(kStepWork / multiplications), kMinRows, kMaxRows);
}

}  // namespace

ForwardPass::ForwardPass(const Transformer& model, TransformerActivations& activations,
                         std::span<Recorder* const> recorders)
    : model_(model),
      activations_(activations),
      recorders_(recorders),
      rows_each_(rows_of_steps(model)) {}

Result<std::unique_ptr<ForwardPass>> ForwardPass::begin(const Transformer& model,
                                                        const TokenBatch& batch,
                                                        TransformerActivations& activations,
                                                        std::span<Recorder* const> recorders) {
  if (batch.batch != 1 || batch.memory || model.config().architecture.cross_attention)
    return Status::error(Code::kUnsupported, "steps: only of one text without cross-attention");
  std::unique_ptr<ForwardPass> pass(new (std::nothrow) ForwardPass(model, activations, recorders));
  if (!pass) return Status::error(Code::kOutOfMemory, "out of memory: a forward pass");
  WF_ASSIGN_OR_RETURN(pass->layout_, model.begin_forward(batch, activations, recorders, {}));
  return pass;
}

Status ForwardPass::step() {
  if (is_done()) return {};
  const ModelConfig& config = model_.config();
  const BlockTensors<const float> weights = model_.block(layer_);
  const int left = layout_.length - row_, rows = std::min(rows_each_, left);
  if (part_ == Part::kAttention) {
    WF_ASSIGN_OR_RETURN(const bool goes_on, attention_->step());
    if (goes_on) return {};
    attention_.reset();
    part_ = Part::kRest;
    return {};
  }
  const bool is_input = part_ == Part::kInputs;
  if (is_input)
    block_attention_inputs(config, weights, layout_, layer_, row_, rows, activations_);
  else
    block_rest(config, weights, layer_, row_, rows, activations_);
  row_ = rows == left ? 0 : row_ + rows;
  if (row_) return {};
  if (is_input && !config.attends(layer_)) {
    WF_RETURN_IF_ERROR(block_mixer(config, weights, layout_, layer_, activations_,
                                   recorders_.empty() ? nullptr : recorders_[layer_]));
    part_ = Part::kRest;
    return {};
  }
  if (is_input) {
    WF_ASSIGN_OR_RETURN(
        attention_,
        block_attention(config, weights, model_.layer_schemes(layer_), layout_, activations_,
                        recorders_.empty() ? nullptr : recorders_[layer_]));
    part_ = Part::kAttention;
    return {};
  }
  part_ = Part::kInputs;
  if (++layer_ == config.num_layers) model_.finish_stream(0, layout_.length, activations_);
  return {};
}

}  // namespace wf
