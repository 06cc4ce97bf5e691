#include "calls/attention.h"

#include <algorithm>

namespace wf::calls {

Status AttentionCache::truncate(int length) {
  WF_RETURN_IF_ERROR(check_range("length", length, 0, cache.length()));
  return cache.truncate(length);
}

Result<std::unique_ptr<AttentionCache>> AttentionCache::clone() const {
  WF_ASSIGN_OR_RETURN(KvCache copy, cache.clone());
  return std::make_unique<AttentionCache>(std::move(copy), owner);
}

Result<std::unique_ptr<Attention>> Attention::make(const Workspace& workspace,
                                                   const AttentionConfig& config, List sinks) {
  static std::uint32_t made = 0;
  auto attention = std::make_unique<Attention>();
  WF_RETURN_IF_ERROR(config.check());
  attention->config_ = config;
  Reader reader(workspace);
  const float* given = reader.optional_floats("sinks", sinks, {1.0 * config.num_heads});
  reader.forbid_not_finite(sinks);
  WF_RETURN_IF_ERROR(reader.status());
  WF_RETURN_IF_ERROR(attention->sinks_.reserve(given ? config.num_heads : 0));
  std::copy_n(given, attention->sinks_.size(), attention->sinks_.begin());
  WF_ASSIGN_OR_RETURN(attention->scratch_, AttentionScratch::make());
  attention->serial_ = ++made;
  return attention;
}

Status Attention::add_scheme(const ConfiguredScheme& scheme) {
  SchemeState& state = *scheme.state();
  if (state.shape.num_heads != config_.num_heads || state.shape.head_dim != config_.head_dim)
    return WF_UNEXPECTED("scheme", "made for %d heads of %d channels", "one made for %d of %d",
                         state.shape.num_heads, state.shape.head_dim, config_.num_heads,
                         config_.head_dim);
  const bool adds_to_values =
      state.instance.has(kHookOutput) && state.instance.scheme->accumulator_width() > 0;
  if (adds_to_values && state.shape.value_channels() != config_.value_channels())
    return WF_UNEXPECTED("valueDim", "%d", "%d, since %s adds to the values",
                         config_.value_channels(), state.shape.value_channels(),
                         state.description().id);
  WF_RETURN_IF_ERROR(state.need_parameters());
  if (schemes_.count == kMaxSchemes)
    return WF_UNEXPECTED("scheme", "more than %d schemes", "at most %d", kMaxSchemes, kMaxSchemes);
  schemes_.items[schemes_.count] = {.scheme = state.instance.scheme.get(),
                                    .description = &state.description(),
                                    .hooks = state.instance.hooks,
                                    .values = state.values()};
  kept_[schemes_.count++] = scheme.state();
  return {};
}

float* Attention::read_result(Reader& reader, List result, int queries) const {
  return reader.result<float>(
      "out", result, {1.0 * config_.num_heads, 1.0 * queries, 1.0 * config_.value_channels()});
}

Status Attention::run(const Workspace& workspace, const AttentionRequest& request,
                      const RecordRequest& record, List result) {
  record_.reset();
  Reader reader(workspace);
  AttentionInput input = request.input(reader, config_);
  input.sinks = sinks_.data();
  float* output = read_result(reader, result, request.queries);
  WF_RETURN_IF_ERROR(reader.status());
  Recorder recorder;
  if (record.kinds) {
    WF_ASSIGN_OR_RETURN(
        recorder, make_recorder(workspace, record, schemes_,
                                {config_.num_heads, config_.head_dim, request.queries, request.keys,
                                 config_.value_channels()}));
  }
  WF_RETURN_IF_ERROR(attention_forward(config_, schemes_, input,
                                       output_heads(output, request.queries), saved_, scratch_,
                                       record.kinds ? &recorder : nullptr));
  if (record.kinds) record_ = std::make_unique<Record>(std::move(recorder));
  return {};
}

Result<std::unique_ptr<AttentionCache>> Attention::make_cache(int capacity) const {
  const int widest = std::max(config_.head_dim, config_.value_channels());
  const Result<std::size_t> count =
      count_of({1.0 * config_.num_kv_heads, 1.0 * capacity, 1.0 * widest});
  if (!count.ok()) return count.status();
  WF_ASSIGN_OR_RETURN(KvCache cache, KvCache::make(config_, capacity));
  return std::make_unique<AttentionCache>(std::move(cache), serial_);
}

Status Attention::decode(const Workspace& workspace, AttentionCache& cache,
                         const AttentionRequest& request, List result) {
  if (cache.owner != serial_)
    return WF_UNEXPECTED("cache", "made by another attention", "a cache of this attention");
  Reader reader(workspace);
  const AttentionInput input = request.input(reader, config_);
  float* output = read_result(reader, result, request.queries);
  reader.refuse(check_range("k", request.keys, request.queries, request.queries));
  WF_RETURN_IF_ERROR(reader.status());
  return attention_decode(config_, schemes_, cache.cache, input.q, input.k, input.v,
                          input.query_positions, output_heads(output, request.queries), saved_,
                          scratch_, sinks_.data());
}

}  // namespace wf::calls
