#include "recording.h"

namespace wf::binding {

RecordRequest::RecordRequest(Arguments& arguments)
    : kinds_(static_cast<std::uint32_t>(arguments.integer())),
      region_{arguments.integers(), arguments.integers(), arguments.integers()} {}

Result<Recorder> RecordRequest::recorder(const LayerSchemes& schemes, int num_heads, int head_dim,
                                         int queries, int keys) const {
  const auto size = [](std::span<const std::int32_t> list, int all) {
    return list.empty() ? static_cast<double>(all) : static_cast<double>(list.size());
  };
  const double pairs = kinds_ & kRecordPairs ? head_dim / 2.0 : 1.0;
  const Result<std::size_t> cells =
      count_of({size(region_.heads, num_heads), size(region_.rows, queries),
                size(region_.columns, keys), pairs});
  if (!cells.ok()) return cells.status();
  return Recorder::make(kinds_, region_, schemes, num_heads, head_dim, queries, keys);
}

void add_record(const Recorder& recorder, Answer& answer) {
  for (const int size : {recorder.heads(), recorder.rows(), recorder.columns(), recorder.pairs()})
    answer.add(size);
  const Buffer<float>* const lists[] = {&recorder.weights(), &recorder.logits(),
                                        &recorder.masked_logits(), &recorder.pair_shares()};
  constexpr RecordKind kKinds[] = {kRecordWeights, kRecordLogits, kRecordMaskedLogits,
                                   kRecordPairs};
  for (int i = 0; i < 4; ++i)
    if (recorder.wants(kKinds[i])) answer.add(std::span<const float>(*lists[i]));
  if (!recorder.wants(kRecordTerms)) return;
  answer.add(recorder.term_count());
  for (int i = 0; i < recorder.term_count(); ++i) {
    answer.add(recorder.term_name(i));
    answer.add(std::span<const float>(recorder.term(i)));
  }
}

}  // namespace wf::binding
