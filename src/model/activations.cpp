#include "model/activations.h"

#include <algorithm>
#include <cmath>

namespace wf {

// Assigns parts of the arena. The first pass has no memory and only adds up sizes.
class TransformerActivations::Layout {
 public:
  Layout(float* base, std::uint64_t rows) : base_(base), rows_(rows) {}

  float* rows_of(int columns) { return take(rows_ * static_cast<std::uint64_t>(columns)); }
  float* take(std::uint64_t count) {
    float* piece = base_ ? base_ + used_ : nullptr;
    used_ += (count + 15) / 16 * 16;  // starts every part on a new cache line
    return piece;
  }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t used() const { return used_; }

 private:
  float* base_;
  std::uint64_t rows_;
  std::uint64_t used_ = 0;
};

// Widths that depend on how a layer's projections are made and on its feed-forward layer; the
// maxima over all layers if these share memory.
struct LayerWidths {
  int value = 0, attended = 0, query_rank = 0, rank = 0, cached = 0;
  int mixer_in = 0, convolution = 0, mixed = 0, gate = 0;
  bool has_convolution = false, has_states = false;
  int dense = 0, experts = 0;  // of feed-forward layers: 0 if there is none of the kind

  void include(const ModelConfig& config, int layer) {
    const ProjectionPlan plan = config.projections(layer);
    has_convolution |= config.layer_type(layer).convolution > 0;
    has_states |= config.layer_type(layer).keeps_state();
    mixer_in = std::max(mixer_in, config.mixer_in_width(layer));
    convolution = std::max(convolution, config.convolution_width(layer));
    mixed = std::max(mixed, config.mixed_width(layer));
    gate = std::max(gate, config.gate_width(layer));
    value = std::max(value, config.value_width(layer));
    attended = std::max(attended, config.attended_width(layer));
    query_rank = std::max(query_rank, plan.query_rank);
    int& feed = config.has_experts(layer) ? experts : dense;
    feed = std::max(feed, config.feed_width(layer));
    if (!plan.is_latent()) return;
    rank = std::max(rank, plan.rank);
    cached = std::max(cached, plan.cached());
  }
  static LayerWidths widest(const ModelConfig& config) {
    LayerWidths widths;
    for (int layer = 0; layer < config.num_layers; ++layer) widths.include(config, layer);
    return widths;
  }
};

int TransformerActivations::expert_rows() const {
  const int rows = batch_ * length_;
  return purpose_ == Purpose::kTraining ? rows : std::min(rows, kExpertRows);
}

void TransformerActivations::lay_out_feed(const ModelConfig& config, const LayerWidths& widths,
                                          Layout& layout, BlockActivations& block) const {
  const Architecture& architecture = config.architecture;
  const auto rows = static_cast<std::uint64_t>(expert_rows());
  const std::uint64_t numbers = std::max(layout.rows() * static_cast<std::uint64_t>(widths.dense),
                                         rows * static_cast<std::uint64_t>(widths.experts));
  if (architecture.gated) block.gate = layout.take(numbers);
  block.up = layout.take(numbers);
  block.hidden = architecture.gated ? block.gate : block.up;
  if (purpose_ == Purpose::kTraining) block.hidden = layout.take(numbers);
  if (!widths.experts) return;
  const std::uint64_t width = static_cast<std::uint64_t>(config.width);
  const std::uint64_t pairs = rows * static_cast<std::uint64_t>(architecture.chosen_experts);
  block.expert_rows = expert_rows();
  block.scores = layout.take(rows * static_cast<std::uint64_t>(architecture.experts));
  block.pair_weights = layout.take(pairs);
  block.expert_out = layout.take(pairs * width);
  if (!architecture.shared_size) return;
  block.shared_out = layout.take(rows * width);
  block.shared_scale = layout.take(rows);
}

void TransformerActivations::lay_out_mixer(const ModelConfig& config, const LayerWidths& widths,
                                           Layout& layout, BlockActivations& block) const {
  const bool keeps = purpose_ == Purpose::kTraining;
  block.mixer_in = layout.rows_of(widths.mixer_in);
  block.mixed = layout.rows_of(widths.mixed);
  if (widths.has_convolution) block.products = layout.rows_of(config.width);
  block.convolution_out =
      keeps || widths.has_states ? layout.rows_of(widths.convolution) : block.mixed;
  if (!widths.has_states) return;
  const Architecture& a = config.architecture;
  block.delta_qkv = keeps ? layout.rows_of(a.delta_mixed()) : block.convolution_out;
  block.delta_lengths = layout.rows_of(2 * a.delta_key_heads);
  block.delta_gate = layout.rows_of(a.delta_values());
  block.delta_decay = layout.rows_of(a.delta_value_heads);
  block.delta_decay_in = keeps ? layout.rows_of(a.delta_value_heads) : block.delta_decay;
  block.delta_write = layout.rows_of(a.delta_value_heads);
  block.delta_out = keeps ? layout.rows_of(a.delta_values()) : block.mixed;
  block.delta_rms = layout.rows_of(a.delta_value_heads);
}

void TransformerActivations::lay_out_block(const ModelConfig& config, const LayerWidths& widths,
                                           Layout& layout, BlockActivations& block) const {
  const bool keeps = purpose_ == Purpose::kTraining;
  const Architecture& architecture = config.architecture;
  const bool has_input_norms = architecture.normalises_inputs();
  block.attention_in = has_input_norms ? layout.rows_of(config.width) : block.input;
  block.attention_rms = layout.rows_of(1);
  block.q = layout.rows_of(config.query_width());
  block.k = layout.rows_of(config.key_width());
  block.v = layout.rows_of(widths.value);
  if (widths.rank > 0) {
    block.latent_in = layout.rows_of(widths.cached);
    block.latent = keeps ? layout.rows_of(widths.cached) : block.latent_in;
    block.latent_rms = layout.rows_of(1);
    block.query_in = layout.rows_of(widths.query_rank);
    block.query_latent = keeps ? layout.rows_of(widths.query_rank) : block.query_in;
    block.query_latent_rms = layout.rows_of(1);
  }
  if (purpose_ == Purpose::kDecoding) {
    block.absorbed = layout.rows_of(config.num_heads * widths.cached);
    block.context = layout.rows_of(config.num_heads * widths.rank);
  }
  block.projected_q = block.q;
  block.projected_k = block.k;
  if (config.normalises_queries()) {
    if (keeps) block.projected_q = layout.rows_of(config.query_width());
    if (keeps) block.projected_k = layout.rows_of(config.key_width());
    block.q_rms = layout.rows_of(config.num_heads);
    block.k_rms = layout.rows_of(config.num_kv_heads);
  }
  block.attended = layout.rows_of(widths.attended);
  block.gated = block.attended;
  if (widths.gate) {
    block.attention_gate = layout.rows_of(widths.gate);
    if (keeps) block.gated = layout.rows_of(widths.attended);
  }
  if (widths.mixed) lay_out_mixer(config, widths, layout, block);
  block.middle = keeps ? layout.rows_of(config.width) : block.input;
  // In a parallel block both norms are computed before attention changes the stream.
  const bool shares_norm = architecture.residual == Residual::kShared ||
                           (!keeps && architecture.residual == Residual::kSerial);
  block.feed_in = !has_input_norms ? block.middle
                  : shares_norm    ? block.attention_in
                                   : layout.rows_of(config.width);
  block.feed_rms = shares_norm ? block.attention_rms : layout.rows_of(1);
  if (architecture.normalises_outputs()) {
    block.attention_out = layout.rows_of(config.width);
    block.attention_out_rms = layout.rows_of(1);
    block.feed_out = keeps ? layout.rows_of(config.width) : block.attention_out;
    block.feed_out_rms = keeps ? layout.rows_of(1) : block.attention_out_rms;
  }
  lay_out_feed(config, widths, layout, block);
  block.output = keeps ? layout.rows_of(config.width) : block.input;
}

void TransformerActivations::lay_out(const ModelConfig& config, Layout& layout) {
  const bool keeps = purpose_ == Purpose::kTraining;
  const LayerWidths widest = LayerWidths::widest(config);
  float* stream = layout.rows_of(config.width);
  const Architecture& architecture = config.architecture;
  const std::int64_t pairs = std::int64_t{expert_rows()} * architecture.chosen_experts;
  if (widest.experts) {
    blocks_[0].expert_in = layout.take(static_cast<std::uint64_t>(pairs * config.width));
    blocks_[0].feed_sum = layout.rows_of(config.width);
  }
  if (widest.has_states) blocks_[0].delta_states = layout.take(architecture.delta_state());
  for (int layer = 0; layer < layers_; ++layer) {
    BlockActivations& block = blocks_[layer];
    if (layer > 0 && !keeps) {
      block = blocks_[0];
      continue;
    }
    block.input = stream;
    block.expert_in = blocks_[0].expert_in;
    block.feed_sum = blocks_[0].feed_sum;
    block.delta_states = blocks_[0].delta_states;
    if (choices_.size()) {
      block.pair_order = choices_.data();
      block.chosen = choices_.data() + static_cast<std::ptrdiff_t>((layer + 1) * pairs);
    }
    LayerWidths widths;
    widths.include(config, layer);
    lay_out_block(config, keeps ? widths : widest, layout, block);
    stream = block.output;
  }
  const bool has_norm = architecture.embedding_norm;
  const int inputs = config.input_width();
  embedding_normed_ = architecture.input_width ? layout.rows_of(inputs) : blocks_[0].input;
  embedding_in_ = has_norm && keeps ? layout.rows_of(inputs) : embedding_normed_;
  if (has_norm) embedding_rms_ = layout.rows_of(1);
  final_in_ = layout.rows_of(config.width);
  final_rms_ = layout.rows_of(1);
  row_losses_ = layout.rows_of(1);
  const int head_rows = std::min<std::int64_t>(kHeadRows, std::int64_t{batch_} * length_);
  const std::uint64_t narrow =
      static_cast<std::uint64_t>(head_rows) * config.architecture.embedding_width;
  narrow_ = layout.take(narrow);
  if (keeps) d_narrow_ = layout.take(narrow);
  // For decoding the caller supplies the memory for its single row of logits.
  if (purpose_ == Purpose::kDecoding) return;
  logits_ = layout.take(static_cast<std::uint64_t>(head_rows) * config.vocab_size);
  if (!keeps) return;
  if (config.final_softcap > 0)
    capped_logits_ = layout.take(static_cast<std::uint64_t>(head_rows) * config.vocab_size);
  lay_out_backward(config, widest, layout);
}

void TransformerActivations::lay_out_backward(const ModelConfig& config, const LayerWidths& widest,
                                              Layout& layout) {
  if (config.architecture.normalises_outputs() || config.architecture.is_parallel())
    backward_.branch = layout.rows_of(config.width);
  backward_.stream = layout.rows_of(config.width);
  backward_.normed = layout.rows_of(config.width);
  backward_.q = layout.rows_of(config.query_width());
  backward_.k = layout.rows_of(config.key_width());
  backward_.v = layout.rows_of(widest.value);
  backward_.latent_in = layout.rows_of(widest.cached);
  backward_.latent = layout.rows_of(widest.cached);
  backward_.query_in = layout.rows_of(widest.query_rank);
  backward_.query_latent = layout.rows_of(widest.query_rank);
  backward_.projected_q = backward_.q;
  backward_.projected_k = backward_.k;
  if (config.normalises_queries()) {
    backward_.projected_q = layout.rows_of(config.query_width());
    backward_.projected_k = layout.rows_of(config.key_width());
  }
  backward_.attended = layout.rows_of(widest.attended);
  backward_.attention_gate = layout.rows_of(widest.gate);
  backward_.mixer_in = layout.rows_of(widest.mixer_in);
  backward_.mixed = layout.rows_of(widest.mixed);
  if (widest.has_convolution) backward_.products = layout.rows_of(config.width);
  if (widest.has_states) {
    const Architecture& a = config.architecture;
    backward_.delta_qkv = layout.rows_of(a.delta_mixed());
    backward_.delta_gate = layout.rows_of(a.delta_values());
    backward_.delta_decay = layout.rows_of(a.delta_value_heads);
    backward_.delta_write = layout.rows_of(a.delta_value_heads);
    backward_.delta_out = layout.rows_of(a.delta_values());
    backward_.delta_states =
        layout.take(elements_of(length_ + 2, a.delta_key_dim, a.delta_value_dim) +
                    elements_of(2, a.delta_value_dim));
  }
  if (config.architecture.input_width) {
    backward_.inputs = layout.rows_of(config.input_width());
    backward_.normed_inputs = layout.rows_of(config.input_width());
  }
  const int feed = std::max(widest.dense, widest.experts);
  backward_.gate = layout.rows_of(feed);
  backward_.up = layout.rows_of(feed);
  backward_.hidden = layout.rows_of(feed);
  if (!widest.experts) return;
  const int k = config.architecture.chosen_experts;
  backward_.scores = layout.rows_of(config.architecture.experts);
  backward_.pair_weights = layout.rows_of(k);
  backward_.expert_in = layout.rows_of(k * config.width);
  backward_.expert_out = layout.rows_of(k * config.width);
  backward_.shared_scale = layout.rows_of(1);
  backward_.feed_sum = layout.rows_of(config.width);
}

Result<TransformerActivations> TransformerActivations::sized(const ModelConfig& config, int batch,
                                                             int length, Purpose purpose) {
  WF_RETURN_IF_ERROR(config.validate());
  if (batch < 1 || length < 1 || std::int64_t{batch} * length > INT32_MAX) {
    return WF_UNEXPECTED("batch", "%d sequences of %d tokens", "1 to 2147483647 tokens", batch,
                         length);
  }
  TransformerActivations made;
  made.batch_ = batch;
  made.length_ = length;
  made.layers_ = config.num_layers;
  made.purpose_ = purpose;
  WF_RETURN_IF_ERROR(made.blocks_.reserve(config.num_layers));
  return made;
}

Result<double> TransformerActivations::training_bytes(const ModelConfig& config, int batch,
                                                      int length) {
  WF_ASSIGN_OR_RETURN(TransformerActivations made,
                      sized(config, batch, length, Purpose::kTraining));
  const std::uint64_t rows = static_cast<std::uint64_t>(batch) * length;
  Layout measured(nullptr, rows);
  made.lay_out(config, measured);
  // For each layer: transformed queries and keys, and a number for each row and head.
  const int saved = config.query_width() + config.key_width() + config.num_heads;
  return 4.0 * (static_cast<double>(measured.used()) +
                static_cast<double>(rows) * config.num_layers * saved);
}

Result<TransformerActivations> TransformerActivations::make(const ModelConfig& config, int batch,
                                                            int length, Purpose purpose) {
  WF_ASSIGN_OR_RETURN(TransformerActivations made, sized(config, batch, length, purpose));
  const std::uint64_t rows = static_cast<std::uint64_t>(batch) * length;
  Layout measured(nullptr, rows);
  made.lay_out(config, measured);
  if (measured.used() > static_cast<std::size_t>(-1) / sizeof(float)) {
    return Status::error(Code::kOutOfMemory, "out of memory: activations of %.0f bytes",
                         4.0 * static_cast<double>(measured.used()));
  }
  WF_RETURN_IF_ERROR(made.arena_.reserve(measured.used()));
  Layout laid_out(made.arena_.data(), rows);
  if (config.architecture.experts) {
    const std::size_t lists = purpose == Purpose::kTraining ? config.num_layers + 1 : 2;
    WF_RETURN_IF_ERROR(made.choices_.reserve(
        elements_of(lists, made.expert_rows(), config.architecture.chosen_experts)));
  }
  made.lay_out(config, laid_out);

  WF_RETURN_IF_ERROR(made.ones_.reserve(config.query_width()));
  std::fill(made.ones_.begin(), made.ones_.end(), 1.0f);
  WF_RETURN_IF_ERROR(made.position_list_.reserve(std::size_t{2} * length));
  const std::size_t kept = purpose == Purpose::kTraining
                               ? static_cast<std::size_t>(batch) * config.num_layers
                               : static_cast<std::size_t>(batch);
  made.saved_.reset(new (std::nothrow) AttentionSaved[kept]);
  if (!made.saved_) return Status::error(Code::kOutOfMemory, "out of memory: %zu sequences", kept);
  WF_ASSIGN_OR_RETURN(made.scratch_, AttentionScratch::make());
  return made;
}

Positions TransformerActivations::default_positions(int length, int axes) {
  int side = length;  // tokens in a row; a text is one row
  if (axes == 2) {
    side = static_cast<int>(std::sqrt(static_cast<double>(length)));
    if (side * side < length) ++side;
  }
  std::int32_t* columns = position_list_.data() + (axes - 1) * length;
  for (int i = 0; i < length; ++i) columns[i] = i % side;
  for (int i = 0; axes == 2 && i < length; ++i) position_list_[i] = i / side;
  return {position_list_.data(), length, axes};
}

bool TransformerActivations::fits(int batch, int length) const {
  return batch >= 1 && length >= 1 && batch <= batch_ && length <= length_;
}

}  // namespace wf
