#include "attention/attention.h"

#include "attention/kv_cache.h"
#include "recording.h"
#include "scheme.h"

namespace wf::binding {
namespace {

// One sequence. Sizes agree with the arrays: TypeScript has checked them.
struct AttentionArguments {
  int queries = 0;  // T
  int keys = 0;     // S
  val q = val::undefined();
  val k = val::undefined();
  val v = val::undefined();
  val positions = val::undefined();      // Int32Array [axes,T]
  val key_positions = val::undefined();  // Int32Array [axes,S]
  val query_segments = val::undefined();  // Int32Array [T], or empty
  val key_segments = val::undefined();    // Int32Array [S], or empty
  val additive_mask = val::undefined();   // Float32Array, or empty
  val allowed_mask = val::undefined();    // Uint8Array, or empty
  int mask_head_stride = 0;
  int mask_row_stride = 0;
  int mask_column_stride = 0;
  int query_offset = 0;
  int key_length = -1;
  int prefix_length = 0;
  RecordRequest record;
};

// The arrays of a call, inside wasm memory.
struct CopiedArguments {
  Buffer<float> q, k, v, additive;
  Buffer<std::int32_t> positions, key_positions, query_segments, key_segments;
  Buffer<std::uint8_t> allowed;

  static Result<CopiedArguments> make(const AttentionArguments& from) {
    CopiedArguments to;
    WF_ASSIGN_OR_RETURN(to.q, floats_from(from.q));
    WF_ASSIGN_OR_RETURN(to.k, floats_from(from.k));
    WF_ASSIGN_OR_RETURN(to.v, floats_from(from.v));
    WF_ASSIGN_OR_RETURN(to.positions, integers_from(from.positions));
    WF_ASSIGN_OR_RETURN(to.key_positions, integers_from(from.key_positions));
    WF_ASSIGN_OR_RETURN(to.query_segments, integers_from(from.query_segments));
    WF_ASSIGN_OR_RETURN(to.key_segments, integers_from(from.key_segments));
    WF_ASSIGN_OR_RETURN(to.additive, floats_from(from.additive_mask));
    WF_ASSIGN_OR_RETURN(to.allowed, bytes_from(from.allowed_mask));
    return to;
  }
};

Mask mask_of(const AttentionArguments& arguments, const CopiedArguments& copied) {
  return {.prefix_length = arguments.prefix_length,
          .query_offset = arguments.query_offset,
          .key_length = arguments.key_length,
          .query_segments = copied.query_segments.data(),
          .key_segments = copied.key_segments.data(),
          .given = {.additive = copied.additive.data(),
                    .allowed = copied.allowed.data(),
                    .head_stride = arguments.mask_head_stride,
                    .row_stride = arguments.mask_row_stride,
                    .column_stride = arguments.mask_column_stride}};
}

class CacheHandle {
 public:
  CacheHandle(KvCache cache, std::uint32_t owner) : cache_(std::move(cache)), owner_(owner) {}

  int length() const { return cache_.length(); }
  int capacity() const { return cache_.capacity(); }
  Status truncate(int length) { return cache_.truncate(length); }
  Result<std::unique_ptr<CacheHandle>> clone() const {
    WF_ASSIGN_OR_RETURN(KvCache copy, cache_.clone());
    return new_handle<CacheHandle>(std::move(copy), owner_);
  }
  KvCache& cache() { return cache_; }
  std::uint32_t owner() const { return owner_; }

 private:
  KvCache cache_;
  std::uint32_t owner_;  // serial of the attention it was made by
};

class AttentionHandle {
 public:
  AttentionHandle(const AttentionConfig& config, AttentionScratch scratch, Buffer<float> sinks)
      : config_(config), scratch_(std::move(scratch)), sinks_(std::move(sinks)) {
    static std::uint32_t made = 0;
    serial_ = ++made;
  }

  static Result<std::unique_ptr<AttentionHandle>> make(AttentionConfig config, val sinks) {
    WF_ASSIGN_OR_RETURN(AttentionScratch scratch, AttentionScratch::make());
    WF_ASSIGN_OR_RETURN(Buffer<float> logits, floats_from(sinks));
    return new_handle<AttentionHandle>(config, std::move(scratch), std::move(logits));
  }

  Status stack(SchemeHandle& handle);
  Result<val> run(AttentionArguments arguments);
  Result<std::unique_ptr<CacheHandle>> make_cache(int capacity) const;
  Result<val> decode(CacheHandle& cache, AttentionArguments arguments);

 private:
  int value_dim() const { return config_.value_dim ? config_.value_dim : config_.head_dim; }
  Result<Buffer<float>> output_for(int queries) const {
    WF_ASSIGN_OR_RETURN(const std::size_t count,
                        count_of({1.0 * config_.num_heads, 1.0 * queries, 1.0 * value_dim()}));
    return Buffer<float>::make(count);
  }
  AttentionInput input_of(const AttentionArguments& arguments, const CopiedArguments& copied) const;

  AttentionConfig config_;
  LayerSchemes schemes_;
  std::shared_ptr<const ParameterisedScheme> instances_[kMostStackedSchemes];
  AttentionScratch scratch_;
  AttentionSaved saved_;
  Buffer<float> sinks_;
  std::uint32_t serial_;
};

Status AttentionHandle::stack(SchemeHandle& handle) {
  WF_ASSIGN_OR_RETURN(const std::shared_ptr<const ParameterisedScheme> instance,
                      handle.instance());
  if (schemes_.count == kMostStackedSchemes)
    return Status::error(Code::kInvalidArgument, "scheme: more than %d; allowed are 0 to %d",
                         kMostStackedSchemes, kMostStackedSchemes);
  schemes_.items[schemes_.count] = {.scheme = instance->scheme.get(),
                                    .description = instance->entry->description,
                                    .hooks = instance->hooks,
                                    .values = instance->parameters.pointers};
  instances_[schemes_.count++] = instance;
  return {};
}

AttentionInput AttentionHandle::input_of(const AttentionArguments& arguments,
                                         const CopiedArguments& copied) const {
  return {.q = heads_outermost(copied.q.data(), config_.num_heads, arguments.queries,
                               config_.head_dim),
          .k = heads_outermost(copied.k.data(), config_.num_kv_heads, arguments.keys,
                               config_.head_dim),
          .v = heads_outermost(copied.v.data(), config_.num_kv_heads, arguments.keys, value_dim()),
          .query_positions = positions_of(copied.positions, arguments.queries),
          .key_positions = positions_of(copied.key_positions, arguments.keys),
          .mask = mask_of(arguments, copied),
          .sinks = sinks_.data()};
}

Result<val> AttentionHandle::run(AttentionArguments arguments) {
  WF_ASSIGN_OR_RETURN(const CopiedArguments copied, CopiedArguments::make(arguments));
  WF_ASSIGN_OR_RETURN(const RecordPlan plan, RecordPlan::make(arguments.record));
  WF_ASSIGN_OR_RETURN(Buffer<float> output, output_for(arguments.queries));
  Recorder recorder;
  if (plan.wanted()) {
    WF_ASSIGN_OR_RETURN(recorder, plan.recorder(schemes_, config_.num_heads, config_.head_dim,
                                                arguments.queries, arguments.keys));
  }
  WF_RETURN_IF_ERROR(attention_forward(
      config_, schemes_, input_of(arguments, copied),
      heads_outermost(output.data(), config_.num_heads, arguments.queries, value_dim()), saved_,
      scratch_, plan.wanted() ? &recorder : nullptr));
  val result = val::object();
  result.set("output", float32_array(output.data(), output.size()));
  if (plan.wanted()) add_records({&recorder, 1}, result);
  return result;
}

Result<std::unique_ptr<CacheHandle>> AttentionHandle::make_cache(int capacity) const {
  const int widest = config_.head_dim > value_dim() ? config_.head_dim : value_dim();
  const Result<std::size_t> count =
      count_of({1.0 * config_.num_kv_heads, 1.0 * capacity, 1.0 * widest});
  if (!count.ok()) return count.status();
  WF_ASSIGN_OR_RETURN(KvCache cache, KvCache::make(config_, capacity));
  return new_handle<CacheHandle>(std::move(cache), serial_);
}

Result<val> AttentionHandle::decode(CacheHandle& cache, AttentionArguments arguments) {
  if (cache.owner() != serial_)
    return Status::error(Code::kInvalidArgument, "cache: made by another attention");
  WF_ASSIGN_OR_RETURN(const CopiedArguments copied, CopiedArguments::make(arguments));
  WF_ASSIGN_OR_RETURN(Buffer<float> output, output_for(arguments.queries));
  const AttentionInput input = input_of(arguments, copied);
  WF_RETURN_IF_ERROR(attention_decode(
      config_, schemes_, cache.cache(), input.q, input.k, input.v, input.query_positions,
      heads_outermost(output.data(), config_.num_heads, arguments.queries, value_dim()), saved_,
      scratch_, input.sinks));
  val result = val::object();
  result.set("output", float32_array(output.data(), output.size()));
  return result;
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(attention) {
  using namespace wf::binding;
  using emscripten::return_value_policy::take_ownership;
  emscripten::value_object<wf::AttentionConfig>("AttentionConfig")
      .field("numHeads", &wf::AttentionConfig::num_heads)
      .field("numKvHeads", &wf::AttentionConfig::num_kv_heads)
      .field("headDim", &wf::AttentionConfig::head_dim)
      .field("valueDim", &wf::AttentionConfig::value_dim)
      .field("scale", &wf::AttentionConfig::scale)
      .field("isCausal", &wf::AttentionConfig::is_causal)
      .field("isCross", &wf::AttentionConfig::is_cross)
      .field("slidingWindow", &wf::AttentionConfig::sliding_window)
      .field("chunkSize", &wf::AttentionConfig::chunk_size)
      .field("softcap", &wf::AttentionConfig::softcap);
  emscripten::value_object<AttentionArguments>("AttentionArguments")
      .field("queries", &AttentionArguments::queries)
      .field("keys", &AttentionArguments::keys)
      .field("q", &AttentionArguments::q)
      .field("k", &AttentionArguments::k)
      .field("v", &AttentionArguments::v)
      .field("positions", &AttentionArguments::positions)
      .field("keyPositions", &AttentionArguments::key_positions)
      .field("querySegments", &AttentionArguments::query_segments)
      .field("keySegments", &AttentionArguments::key_segments)
      .field("additiveMask", &AttentionArguments::additive_mask)
      .field("allowedMask", &AttentionArguments::allowed_mask)
      .field("maskHeadStride", &AttentionArguments::mask_head_stride)
      .field("maskRowStride", &AttentionArguments::mask_row_stride)
      .field("maskColumnStride", &AttentionArguments::mask_column_stride)
      .field("queryOffset", &AttentionArguments::query_offset)
      .field("keyLength", &AttentionArguments::key_length)
      .field("prefixLength", &AttentionArguments::prefix_length)
      .field("record", &AttentionArguments::record);
  emscripten::class_<CacheHandle>("Cache")
      .property("length", &CacheHandle::length)
      .property("capacity", &CacheHandle::capacity)
      .function("truncate", guarded<&CacheHandle::truncate>)
      .function("copy", guarded<&CacheHandle::clone>, take_ownership());
  emscripten::class_<AttentionHandle>("Attention")
      .class_function("make", guarded<&AttentionHandle::make>, take_ownership())
      .function("stack", guarded<&AttentionHandle::stack>)
      .function("run", guarded<&AttentionHandle::run>)
      .function("makeCache", guarded<&AttentionHandle::make_cache>, take_ownership())
      .function("decode", guarded<&AttentionHandle::decode>, take_ownership());
}
