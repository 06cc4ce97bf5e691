#include "calls/session.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::List;
using calls::Memory;
using calls::Model;
using calls::NextToken;
using calls::Record;
using calls::RecordRequest;
using calls::Sampling;
using calls::SamplingSettings;
using calls::Session;

Sampling* make_sampling(const Model& model, const SamplingSettings& settings, Address bias_ids,
                        int bias_ids_length, Address biases, int biases_length, Address prompt,
                        int prompt_length) {
  return handed_over(Sampling::make(workspace(), model, settings, {bias_ids, bias_ids_length},
                                    {biases, biases_length}, {prompt, prompt_length}));
}

Session* make_session(const Model& model, bool is_exact, const Memory* memory) {
  return handed_over(Session::make(model, is_exact, memory));
}

Code reserve(Session& session, double tokens) { return report(session.reserve(tokens)); }

Code append(Session& session, Address ids, int ids_length, bool is_end, bool is_recorded) {
  return report(session.append(workspace(), {ids, ids_length}, is_end, is_recorded));
}

Code prepare_to_evict(Session& session) { return report(session.prepare_to_evict()); }

Code evict(Session& session, int first, int count) { return report(session.evict(first, count)); }

Code record(Session& session, const RecordRequest& request, const List& layers) {
  return report(session.record(workspace(), request, layers));
}

Record* row(const Session& session, int slot) { return session.row(slot).release(); }

NextToken next(Session& session, Sampling& sampling) { return answer(session.next(sampling)); }

Code truncate(Session& session, int length) { return report(session.truncate(length)); }

Session* fork(const Session& session) { return handed_over(session.fork()); }

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(session) {
  using namespace wf::binding;
  emscripten::value_object<SamplingSettings>("SamplingSettings")
#define WF_FIELD(type, name, public_name, ...) .field(#public_name, &SamplingSettings::name)
#include "calls/sampling_fields.def"
      .field("seed", &SamplingSettings::seed);
  emscripten::value_object<NextToken>("NextToken")
      .field("code", &NextToken::code)
      .field("id", &NextToken::id);
  emscripten::class_<Sampling>("Sampling")
      .class_function(
          "make(model, settings, biasIds, biasIdsLength, biases, biasesLength, prompt, "
          "promptLength)",
          &make_sampling, emscripten::allow_raw_pointers());
  emscripten::class_<Session>("Session")
      .class_function("make(model, isExact, memory)", &make_session,
                      emscripten::allow_raw_pointers())
      .function("length()", &Session::length)
      .function("bytes()", &Session::bytes)
      .function("reserve(tokens)", &reserve)
      .function("append(ids, idsLength, isEnd, isRecorded)", &append)
      .function("prepareToEvict()", &prepare_to_evict)
      .function("evict(first, count)", &evict)
      .function("record(request, layers)", &record)
      .function("recordCount()", &Session::record_count)
      .function("row(slot)", &row, emscripten::allow_raw_pointers())
      .function("next(sampling)", &next, emscripten::allow_raw_pointers())
      .function("truncate(length)", &truncate)
      .function("fork()", &fork, emscripten::allow_raw_pointers());
}
