#include "calls/attention.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::Attention;
using calls::AttentionCache;
using calls::AttentionRequest;
using calls::ConfiguredScheme;
using calls::Record;
using calls::RecordRequest;

Attention* make(const AttentionConfig& config, Address sinks, int sinks_length) {
  return handed_over(Attention::make(workspace(), config, {sinks, sinks_length}));
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
  emscripten::value_object<wf::AttentionConfig>("AttentionConfig")
#define WF_FIELD(type, name, public_name, ...) .field(#public_name, &wf::AttentionConfig::name)
#include "schemes/shape_fields.def"
#define WF_FIELD(type, name, public_name, ...) .field(#public_name, &wf::AttentionConfig::name)
#include "attention/attention_fields.def"
#define WF_FIELD(type, name, public_name, ...) .field(#public_name, &wf::AttentionConfig::name)
#include "attention/window_fields.def"
      ;
  emscripten::class_<Attention>("Attention")
      .class_function("make(config, sinks, sinksLength)", &make, emscripten::allow_raw_pointers())
      .function("addScheme(scheme)", &add_scheme)
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
