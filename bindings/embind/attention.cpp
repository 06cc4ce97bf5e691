#include "attention/attention.h"

#include "attention/kv_cache.h"
#include "recording.h"
#include "scheme.h"

namespace wf::binding {
namespace {

class CacheHandle : public Object {
 public:
  CacheHandle(KvCache cache, std::uint32_t owner) : cache(std::move(cache)), owner(owner) {}

  KvCache cache;
  const std::uint32_t owner;  // serial of the attention it was made by
};

// { length, capacity }
Status cache_sizes(CacheHandle& handle, Arguments&, Answer& answer) {
  answer.add(handle.cache.length());
  answer.add(handle.cache.capacity());
  return {};
}

Status truncate_cache(CacheHandle& handle, Arguments& arguments, Answer&) {
  return handle.cache.truncate(arguments.integer());
}

Status copy_cache(CacheHandle& handle, Arguments&, Answer& answer) {
  WF_ASSIGN_OR_RETURN(KvCache copy, handle.cache.clone());
  return answer.add_new(new (std::nothrow) CacheHandle(std::move(copy), handle.owner));
}

class AttentionHandle : public Object {
 public:
  AttentionHandle() {
    static std::uint32_t made = 0;
    serial = ++made;
  }

  int value_dim() const { return config.value_dim ? config.value_dim : config.head_dim; }
  Result<float*> output_for(int queries, Answer& answer) const {
    return answer.floats({1.0 * config.num_heads, 1.0 * queries, 1.0 * value_dim()});
  }

  AttentionConfig config;
  LayerSchemes schemes;
  Kept<SchemeHandle> kept[kMostStackedSchemes];
  AttentionScratch scratch;
  AttentionSaved saved;
  Buffer<float> sinks;
  std::uint32_t serial;
};

Status stack(AttentionHandle& attention, SchemeHandle& handle) {
  WF_RETURN_IF_ERROR(handle.need_parameters());
  LayerSchemes& list = attention.schemes;
  if (list.count == kMostStackedSchemes)
    return Status::error(Code::kInvalidArgument, "scheme: more than %d; allowed are 0 to %d",
                         kMostStackedSchemes, kMostStackedSchemes);
  const SchemeInstance& instance = handle.instance();
  list.items[list.count] = {.scheme = instance.scheme.get(),
                            .description = instance.entry->description,
                            .hooks = instance.hooks,
                            .values = handle.values()};
  attention.kept[list.count++] = Kept<SchemeHandle>(handle);
  return {};
}

Status make_attention(AttentionHandle& attention, Arguments& arguments) {
  AttentionConfig& config = attention.config;
  config.num_heads = arguments.integer();
  config.num_kv_heads = arguments.integer();
  config.head_dim = arguments.integer();
  config.value_dim = arguments.integer();
  config.scale = static_cast<float>(arguments.number());
  config.is_causal = arguments.flag();
  config.is_cross = arguments.flag();
  config.sliding_window = arguments.integer();
  config.chunk_size = arguments.integer();
  config.softcap = static_cast<float>(arguments.number());
  const std::span<const float> sinks = arguments.floats();
  WF_RETURN_IF_ERROR(attention.sinks.reserve(sinks.size()));
  std::copy(sinks.begin(), sinks.end(), attention.sinks.begin());
  WF_ASSIGN_OR_RETURN(attention.scratch, AttentionScratch::make());
  const int count = arguments.integer();
  for (int i = 0; i < count; ++i)
    WF_RETURN_IF_ERROR(stack(attention, arguments.object<SchemeHandle>()));
  return {};
}

// Queries [H,T,D], keys [K,S,D] and values [K,S,Dv] of one sequence, and their positions.
AttentionInput input_from(const AttentionHandle& attention, Arguments& arguments) {
  const AttentionConfig& config = attention.config;
  const int queries = arguments.integer(), keys = arguments.integer();
  AttentionInput input;
  input.q =
      heads_outermost(arguments.finite_floats().data(), config.num_heads, queries, config.head_dim);
  input.k =
      heads_outermost(arguments.finite_floats().data(), config.num_kv_heads, keys, config.head_dim);
  input.v = heads_outermost(arguments.finite_floats().data(), config.num_kv_heads, keys,
                            attention.value_dim());
  input.query_positions = arguments.positions(queries);
  input.key_positions = arguments.positions(keys);
  input.sinks = attention.sinks.data();
  return input;
}

Mask mask_from(Arguments& arguments) {
  Mask mask;
  mask.query_segments = arguments.integers().data();
  mask.key_segments = arguments.integers().data();
  mask.given.additive = arguments.finite_floats(true).data();
  mask.given.allowed = arguments.list<std::uint8_t>().data();
  mask.given.head_stride = arguments.integer();
  mask.given.row_stride = arguments.integer();
  mask.given.column_stride = arguments.integer();
  mask.query_offset = arguments.integer();
  mask.key_length = arguments.integer();
  mask.prefix_length = arguments.integer();
  return mask;
}

Heads output_heads(const AttentionHandle& attention, float* output, int queries) {
  return heads_outermost(output, attention.config.num_heads, queries, attention.value_dim());
}

Status run(AttentionHandle& attention, Arguments& arguments, Answer& answer) {
  AttentionInput input = input_from(attention, arguments);
  input.mask = mask_from(arguments);
  const RecordRequest request(arguments);
  WF_RETURN_IF_ERROR(arguments.status());
  const int queries = input.q.rows;
  WF_ASSIGN_OR_RETURN(float* output, attention.output_for(queries, answer));
  Recorder recorder;
  if (request.wanted()) {
    WF_ASSIGN_OR_RETURN(recorder,
                        request.recorder(attention.schemes, attention.config.num_heads,
                                         attention.config.head_dim, queries, input.k.rows));
  }
  WF_RETURN_IF_ERROR(attention_forward(attention.config, attention.schemes, input,
                                       output_heads(attention, output, queries), attention.saved,
                                       attention.scratch, request.wanted() ? &recorder : nullptr));
  if (request.wanted()) add_record(recorder, answer);
  return {};
}

Status make_cache(AttentionHandle& attention, Arguments& arguments, Answer& answer) {
  const AttentionConfig& config = attention.config;
  const int capacity = arguments.integer();
  const int widest = std::max(config.head_dim, attention.value_dim());
  const Result<std::size_t> count =
      count_of({1.0 * config.num_kv_heads, 1.0 * capacity, 1.0 * widest});
  if (!count.ok()) return count.status();
  WF_ASSIGN_OR_RETURN(KvCache cache, KvCache::make(config, capacity));
  return answer.add_new(new (std::nothrow) CacheHandle(std::move(cache), attention.serial));
}

Status decode(AttentionHandle& attention, Arguments& arguments, Answer& answer) {
  CacheHandle& cache = arguments.object<CacheHandle>();
  if (cache.owner != attention.serial)
    return Status::error(Code::kInvalidArgument, "cache: made by another attention");
  const AttentionInput input = input_from(attention, arguments);
  WF_RETURN_IF_ERROR(arguments.status());
  const int queries = input.q.rows;
  WF_ASSIGN_OR_RETURN(float* output, attention.output_for(queries, answer));
  return attention_decode(attention.config, attention.schemes, cache.cache, input.q, input.k,
                          input.v, input.query_positions, output_heads(attention, output, queries),
                          attention.saved, attention.scratch, input.sinks);
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(attention) {
  using namespace wf::binding;
  bind<&make_attention>("makeAttention");
  bind<&run>("runAttention");
  bind<&make_cache>("makeCache");
  bind<&decode>("decode");
  bind<&cache_sizes>("cacheSizes");
  bind<&truncate_cache>("truncateCache");
  bind<&copy_cache>("copyCache");
}
