#include "calls/attention.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::Attention;
using calls::AttentionCache;
using calls::AttentionRequest;
using calls::AttentionSettings;
using calls::ConfiguredScheme;
using calls::Record;
using calls::RecordRequest;

Attention* make(const AttentionSettings& settings, Address sinks, int sinks_length) {
  return handed_over(Attention::make(workspace(), settings, {sinks, sinks_length}));
}

Code add_scheme(Attention& attention, const ConfiguredScheme& scheme) {
  return report(attention.add_scheme(scheme));
}

Code run(Attention& attention, const AttentionRequest& input, Address out, int out_length) {
  return report(attention.run(workspace(), input, {}, {out, out_length}));
}

Code run_recorded(Attention& attention, const AttentionRequest& input, const RecordRequest& record,
                  Address out, int out_length) {
  return report(attention.run(workspace(), input, record, {out, out_length}));
}

Record* take_record(Attention& attention) { return attention.take_record().release(); }

AttentionCache* make_cache(const Attention& attention, int capacity) {
  return handed_over(attention.make_cache(capacity));
}

Code decode(Attention& attention, AttentionCache& cache, const AttentionRequest& input, Address out,
            int out_length) {
  return report(attention.decode(workspace(), cache, input, {out, out_length}));
}

Code truncate(AttentionCache& cache, int length) { return report(cache.truncate(length)); }

AttentionCache* copy(const AttentionCache& cache) { return handed_over(cache.clone()); }

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(attention) {
  using namespace wf::binding;
  emscripten::value_object<AttentionSettings>("AttentionSettings")
      .field("numHeads", &AttentionSettings::num_heads)
      .field("numKvHeads", &AttentionSettings::num_kv_heads)
      .field("headDim", &AttentionSettings::head_dim)
      .field("valueDim", &AttentionSettings::value_dim)
      .field("scale", &AttentionSettings::scale)
      .field("isCausal", &AttentionSettings::is_causal)
      .field("isCross", &AttentionSettings::is_cross)
      .field("slidingWindow", &AttentionSettings::sliding_window)
      .field("chunkSize", &AttentionSettings::chunk_size)
      .field("softcap", &AttentionSettings::softcap);
  emscripten::class_<Attention>("Attention")
      .class_function("make(settings, sinks, sinksLength)", &make, emscripten::allow_raw_pointers())
      .function("stack(scheme)", &add_scheme)
      .function("run(input, out, outLength)", &run)
      .function("runRecorded(input, record, out, outLength)", &run_recorded)
      .function("takeRecord()", &take_record, emscripten::allow_raw_pointers())
      .function("makeCache(capacity)", &make_cache, emscripten::allow_raw_pointers())
      .function("decode(cache, input, out, outLength)", &decode);
  emscripten::class_<AttentionCache>("KvCache")
      .function("length()", &AttentionCache::length)
      .function("capacity()", &AttentionCache::capacity)
      .function("truncate(length)", &truncate)
      .function("copy()", &copy, emscripten::allow_raw_pointers());
}
