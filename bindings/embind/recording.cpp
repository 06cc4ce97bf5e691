#include "recording.h"

#include <cstring>

namespace wf::binding {
namespace {

using Field = const Buffer<float>& (*)(const Recorder&);

val joined(std::span<const Recorder> layers, Field field) {
  FloatArrayOut out(layers.size() * field(layers[0]).size());
  for (const Recorder& layer : layers) {
    const Buffer<float>& values = field(layer);
    out.append(values.data(), values.size());
  }
  return out.array();
}

val joined_terms(std::span<const Recorder> layers, const char* name) {
  const std::size_t size = layers[0].term(0).size();
  FloatArrayOut out(layers.size() * size);
  for (const Recorder& layer : layers) {
    int i = 0;
    while (i < layer.term_count() && std::strcmp(layer.term_name(i), name) != 0) ++i;
    if (i < layer.term_count())
      out.append(layer.term(i).data(), size);
    else
      out.skip(size);
  }
  return out.array();
}

}  // namespace

Result<RecordPlan> RecordPlan::make(const RecordRequest& request) {
  RecordPlan plan;
  plan.kinds_ = request.kinds;
  WF_ASSIGN_OR_RETURN(plan.heads_, integers_from(request.heads));
  WF_ASSIGN_OR_RETURN(plan.rows_, integers_from(request.rows));
  WF_ASSIGN_OR_RETURN(plan.columns_, integers_from(request.columns));
  return plan;
}

Result<Recorder> RecordPlan::recorder(const LayerSchemes& schemes, int num_heads, int head_dim,
                                      int queries, int keys) const {
  const auto size = [](const Buffer<std::int32_t>& list, int all) {
    return list.size() ? static_cast<double>(list.size()) : static_cast<double>(all);
  };
  const double pairs = kinds_ & kRecordPairs ? head_dim / 2.0 : 1.0;
  const Result<std::size_t> cells =
      count_of({size(heads_, num_heads), size(rows_, queries), size(columns_, keys), pairs});
  if (!cells.ok()) return cells.status();
  const auto list = [](const Buffer<std::int32_t>& from) {
    return std::span<const std::int32_t>(from.data(), from.size());
  };
  const Region region = {list(heads_), list(rows_), list(columns_)};
  return Recorder::make(kinds_, region, schemes, num_heads, head_dim, queries, keys);
}

void add_records(std::span<const Recorder> layers, val& result) {
  const Recorder& first = layers[0];
  result.set("heads", first.heads());
  result.set("rows", first.rows());
  result.set("columns", first.columns());
  result.set("pairs", first.pairs());
  const auto add = [&](RecordKind kind, const char* name, Field field) {
    if (first.wants(kind)) result.set(name, joined(layers, field));
  };
  add(kRecordWeights, "weights",
      [](const Recorder& r) -> const Buffer<float>& { return r.weights(); });
  add(kRecordLogits, "logits",
      [](const Recorder& r) -> const Buffer<float>& { return r.logits(); });
  add(kRecordMaskedLogits, "maskedLogits",
      [](const Recorder& r) -> const Buffer<float>& { return r.masked_logits(); });
  if (first.pairs() > 0)
    add(kRecordPairs, "pairShares",
        [](const Recorder& r) -> const Buffer<float>& { return r.pair_shares(); });
  if (!first.wants(kRecordTerms)) return;
  // Terms by name: where a layer's schemes lack one, it adds nothing.
  val terms = val::object();
  for (const Recorder& layer : layers)
    for (int i = 0; i < layer.term_count(); ++i)
      if (!terms.hasOwnProperty(layer.term_name(i)))
        terms.set(layer.term_name(i), joined_terms(layers, layer.term_name(i)));
  result.set("terms", terms);
}

}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(recording) {
  using wf::binding::RecordRequest;
  emscripten::value_object<RecordRequest>("RecordRequest")
      .field("kinds", &RecordRequest::kinds)
      .field("heads", &RecordRequest::heads)
      .field("rows", &RecordRequest::rows)
      .field("columns", &RecordRequest::columns);
}
