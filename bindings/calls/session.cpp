#include "calls/session.h"

#include <algorithm>
#include <utility>

namespace wf::calls {
namespace {

// Tokens that a new session has memory for.
constexpr int kFirstCapacity = 256;

constexpr Field kFields[] = {
#define WF_FIELD WF_FIELD_ENTRY
#include "calls/sampling_fields.def"
};

// Floats of one token in the larger part of a layer's cache, for the layer where it is largest: a
// latent layer has one head, which is wider than the model's.
double widest_cached(const ModelConfig& config) {
  double widest = 1;
  for (int layer = 0; layer < config.num_layers; ++layer) {
    const AttentionConfig cached = config.decoding_attention(layer);
    const int channels = std::max(cached.head_dim, cached.value_channels());
    widest = std::max(widest, 1.0 * cached.num_kv_heads * channels);
  }
  return widest;
}

}  // namespace

std::span<const Field> SamplingSettings::fields() { return kFields; }

Status SamplingSettings::check() const {
  const double values[] = {
#define WF_FIELD WF_FIELD_VALUE
#include "calls/sampling_fields.def"
  };
  return check_fields(kFields, values);
}

Result<std::unique_ptr<Sampling>> Sampling::make(const Workspace& workspace, const Model& model,
                                                 const SamplingSettings& settings, List bias_ids,
                                                 List biases, List prompt) {
  Reader reader(workspace);
  const auto biased = reader.integers("logitBias", bias_ids);
  const auto* added = reader.optional_floats("logitBias", biases, {1.0 * biases.length});
  const auto text = reader.integers("prompt", prompt);
  WF_RETURN_IF_ERROR(reader.status());
  if (bias_ids.length != biases.length)
    return WF_UNEXPECTED("logitBias", "%d ids, %d numbers", "as many ids as numbers",
                         bias_ids.length, biases.length);
  WF_RETURN_IF_ERROR(settings.check());
  SamplingOptions options;
#define WF_FIELD(type, name, ...) options.name = static_cast<decltype(options.name)>(settings.name);
#include "calls/sampling_fields.def"
  WF_ASSIGN_OR_RETURN(options.seed, seed_of(settings.seed));
  const int vocab_size = model.transformer()->config().vocab_size;
  auto sampling = std::make_unique<Sampling>();
  WF_ASSIGN_OR_RETURN(sampling->sampler_, Sampler::make(options, vocab_size));
  for (std::size_t i = 0; i < biased.size(); ++i)
    WF_RETURN_IF_ERROR(sampling->sampler_.add_bias(biased[i], added[i]));
  for (const std::int32_t id : text) {
    WF_RETURN_IF_ERROR(check_range("prompt", id, 0, vocab_size - 1.0));
    sampling->sampler_.note(id, Sampler::Origin::kPrompt);
  }
  return sampling;
}

int Sampling::pick(const float* logits) {
  const std::int32_t id = sampler_.pick(logits);
  sampler_.note(id, Sampler::Origin::kGenerated);
  return id;
}

// Adds the memory allocated in a scope to that of a session.
class Session::Counted {
 public:
  explicit Counted(Session& session) : session_(session), before_(allocated_bytes()) {}
  ~Counted() { session_.bytes_ += allocated_bytes() - before_; }

 private:
  Session& session_;
  std::size_t before_;
};

Result<std::unique_ptr<Session>> Session::make(const Model& model, bool is_exact,
                                               const Memory* memory) {
  auto session = std::make_unique<Session>();
  const Counted counted(*session);
  session->transformer_ = model.transformer();
  if (memory) session->memory_ = memory->shared();
  WF_ASSIGN_OR_RETURN(
      session->decoder_,
      Decoder::make(*session->transformer_, kFirstCapacity,
                    is_exact ? Arithmetic::kExact : Arithmetic::kQuick, session->memory_.get()));
  WF_RETURN_IF_ERROR(session->logits_.reserve(session->transformer_->config().vocab_size));
  return session;
}

Status Session::reserve(double tokens) {
  const Result<std::size_t> cached = count_of({widest_cached(transformer_->config()), tokens});
  if (!cached.ok()) return cached.status();
  const Counted counted(*this);
  return decoder_.reserve(static_cast<int>(tokens));
}

Status Session::prepare_to_evict() {
  const Counted counted(*this);
  return decoder_.prepare_to_evict();
}

Status Session::evict(int first, int count) { return decoder_.evict(first, count); }

Status Session::record(const Workspace& workspace, const RecordRequest& request, List layers) {
  const ModelConfig& config = transformer_->config();
  const Counted counted(*this);
  record_count_ = record_capacity_ = 0;
  recorders_.reset();
  kinds_ = static_cast<std::uint32_t>(request.kinds);
  if (!kinds_) return {};
  Reader reader(workspace);
  const auto heads = reader.integers("region.heads", request.heads);
  const auto given = reader.integers("region.layers", layers);
  WF_RETURN_IF_ERROR(reader.status());
  const int count = given.empty() ? config.num_layers : static_cast<int>(given.size());
  WF_RETURN_IF_ERROR(check_range("region.layers", count, 1, config.num_layers));
  WF_RETURN_IF_ERROR(record_layers_.reserve(config.num_layers));
  for (int slot = 0; slot < count; ++slot) {
    const int layer = given.empty() ? slot : given[slot];
    WF_RETURN_IF_ERROR(check_range("region.layers", layer,
                                   slot ? record_layers_[slot - 1] + 1.0 : 0,
                                   config.num_layers - 1.0));
    record_layers_[slot] = layer;
  }
  WF_ASSIGN_OR_RETURN(record_heads_, Buffer<std::int32_t>::make(heads.size()));
  std::copy(heads.begin(), heads.end(), record_heads_.data());
  // Checks kinds and heads.
  WF_RETURN_IF_ERROR(
      make_recorder(workspace,
                    {.kinds = request.kinds, .heads = request.heads, .rows = {}, .columns = {}},
                    transformer_->layer_schemes(record_layers_[0]),
                    {config.num_heads, config.head_dim, 1, 1,
                     config.attention(record_layers_[0]).value_channels()})
          .status());
  const int before = length();
  WF_RETURN_IF_ERROR(decoder_.prepare_to_record(
      {record_layers_.data(), static_cast<std::size_t>(count)}, (kinds_ & kRecordTerms) != 0));
  if (length() != before) has_logits_ = false;
  record_count_ = count;
  return make_recorders();
}

Status Session::make_recorders() {
  const ModelConfig& config = transformer_->config();
  const int count = std::exchange(record_count_, 0);
  recorders_ = std::make_unique<std::shared_ptr<Recorder>[]>(count);
  WF_RETURN_IF_ERROR(recorder_of_.reserve(config.num_layers));
  recorder_of_.fill_zero();
  for (int slot = 0; slot < count; ++slot) {
    const int layer = record_layers_[slot];
    const Region region = {
        .heads = {record_heads_.data(), record_heads_.size()}, .rows = {}, .columns = {}};
    WF_ASSIGN_OR_RETURN(Recorder made,
                        Recorder::make(kinds_, region, transformer_->layer_schemes(layer),
                                       config.num_heads, config.head_dim, 1, decoder_.capacity(),
                                       config.attention(layer).value_channels()));
    recorders_[slot] = std::make_shared<Recorder>(std::move(made));
    recorder_of_[layer] = recorders_[slot].get();
    if (recorders_[slot]->pairs() != recorders_[0]->pairs())
      return Status::error(Code::kUnsupported,
                           "record: \"pairs\" needs layers that rotate as many pairs of channels");
  }
  record_capacity_ = decoder_.capacity();
  record_count_ = count;
  return {};
}

std::unique_ptr<Record> Session::row(int slot) const {
  if (slot < 0 || slot >= record_count_) return nullptr;
  return std::make_unique<Record>(std::shared_ptr<const Recorder>(recorders_[slot]));
}

Status Session::append(const Workspace& workspace, List ids, bool is_end, bool is_recorded) {
  Reader reader(workspace);
  const auto given = reader.array<const std::int32_t>("ids", ids, {1.0 * ids.length});
  WF_RETURN_IF_ERROR(reader.status());
  const double needed = 1.0 * length() + ids.length;
  if (needed > decoder_.capacity())
    WF_RETURN_IF_ERROR(reserve(std::max(needed, 2.0 * decoder_.capacity())));
  const std::span<const std::int32_t> list(given, static_cast<std::size_t>(ids.length));
  std::span<Recorder* const> recorders;
  if (is_recorded) {
    if (!record_count_) return WF_UNEXPECTED("record", "nothing", "a record of this session");
    if (record_capacity_ != decoder_.capacity()) {
      const Counted counted(*this);
      WF_RETURN_IF_ERROR(make_recorders());
    }
    recorders = {recorder_of_.data(), recorder_of_.size()};
  }
  WF_RETURN_IF_ERROR(decoder_.feed(list, is_end ? logits_.data() : nullptr, recorders));
  has_logits_ = is_end;
  return {};
}

Result<NextToken> Session::next(Sampling& sampling) {
  if (!has_logits_)
    return WF_UNEXPECTED("session", "without logits of the last token",
                         "appended tokens at the end");
  return NextToken{.id = sampling.pick(logits_.data())};
}

Status Session::truncate(int length) {
  if (length == decoder_.length()) return {};
  WF_RETURN_IF_ERROR(decoder_.truncate(length));
  has_logits_ = false;
  return {};
}

Result<std::unique_ptr<Session>> Session::fork() const {
  auto copy = std::make_unique<Session>();
  const Counted counted(*copy);
  copy->transformer_ = transformer_;
  copy->memory_ = memory_;
  WF_ASSIGN_OR_RETURN(copy->decoder_, decoder_.clone());
  WF_RETURN_IF_ERROR(copy->logits_.reserve(logits_.size()));
  std::copy_n(logits_.begin(), logits_.size(), copy->logits_.begin());
  copy->has_logits_ = has_logits_;
  return copy;
}

}  // namespace wf::calls
