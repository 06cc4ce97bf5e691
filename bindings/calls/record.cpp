#include "calls/record.h"

namespace wf::calls {
namespace {

std::uintptr_t address_of(const Buffer<float>& floats) {
  return reinterpret_cast<std::uintptr_t>(floats.data());
}

// Refuses indices that are not ascending, or not in [0, count).
void check_indices(Reader& reader, const char* name, std::span<const std::int32_t> list,
                   int count) {
  int min = 0;
  for (const std::int32_t index : list) {
    reader.refuse(check_range(name, index, min, count - 1.0));
    min = index + (index < INT32_MAX);
  }
}

}  // namespace

Result<Region> region_of(Reader& reader, const RecordRequest& request, const RecordedSizes& sizes) {
  const Region region = {reader.integers("region.heads", request.heads),
                         reader.integers("region.rows", request.rows),
                         reader.integers("region.columns", request.columns)};
  check_indices(reader, "region.heads", region.heads, sizes.num_heads);
  check_indices(reader, "region.rows", region.rows, sizes.queries);
  check_indices(reader, "region.columns", region.columns, sizes.keys);
  WF_RETURN_IF_ERROR(reader.status());
  return region;
}

Result<Recorder> make_recorder(const Workspace& workspace, const RecordRequest& request,
                               const LayerSchemes& schemes, const RecordedSizes& sizes) {
  WF_RETURN_IF_ERROR(check_range("record", request.kinds, 0, kAllRecordKinds));
  Reader reader(workspace);
  WF_ASSIGN_OR_RETURN(const Region region, region_of(reader, request, sizes));
  const auto size = [](std::span<const std::int32_t> list, int all) {
    return list.empty() ? 1.0 * all : 1.0 * list.size();
  };
  const double pairs = request.kinds & kRecordPairs ? sizes.head_dim / 2.0 : 1.0;
  const Result<std::size_t> cells =
      count_of({size(region.heads, sizes.num_heads), size(region.rows, sizes.queries),
                size(region.columns, sizes.keys), pairs});
  if (!cells.ok()) return cells.status();
  if (request.kinds & kRecordWeightedValues) {
    const Result<std::size_t> sums =
        count_of({size(region.heads, sizes.num_heads), size(region.rows, sizes.queries),
                  1.0 * sizes.value_dim});
    if (!sums.ok()) return sums.status();
  }
  return Recorder::make(static_cast<std::uint32_t>(request.kinds), region, schemes, sizes.num_heads,
                        sizes.head_dim, sizes.queries, sizes.keys, sizes.value_dim);
}

std::uintptr_t Record::floats(int kind) const {
  switch (kind) {
    case kRecordWeights:
      return address_of(recorder_->weights());
    case kRecordLogits:
      return address_of(recorder_->logits());
    case kRecordMaskedLogits:
      return address_of(recorder_->masked_logits());
    case kRecordNobody:
      return address_of(recorder_->nobody());
    case kRecordGates:
      return address_of(recorder_->gates());
    case kRecordWeightedValues:
      return address_of(recorder_->weighted_values());
    case kRecordEffective:
      return address_of(recorder_->effective_weights());
    case kRecordPairs:
      return address_of(recorder_->pair_shares());
    default:
      return 0;
  }
}

const char* Record::term_name(int index) const {
  return has_term(index) ? recorder_->term_name(index) : "";
}

std::uintptr_t Record::term(int index) const {
  return has_term(index) ? address_of(recorder_->term(index)) : 0;
}

std::uintptr_t Record::measures() const {
  const HeadMeasures* measures = recorder_->measures();
  return measures ? address_of(measures->values()) : 0;
}

std::uintptr_t Record::curves() const {
  const HeadMeasures* measures = recorder_->measures();
  return measures ? address_of(measures->curves()) : 0;
}

std::uintptr_t Record::curve_counts() const {
  const HeadMeasures* measures = recorder_->measures();
  return measures ? address_of(measures->counts()) : 0;
}

int Record::measured_pairs() const {
  const HeadMeasures* measures = recorder_->measures();
  return measures ? measures->pairs() : 0;
}

std::uintptr_t Record::pair_lengths() const {
  const HeadMeasures* measures = recorder_->measures();
  return measures ? address_of(measures->all_pair_lengths()) : 0;
}

std::uintptr_t Record::pair_shares() const {
  const HeadMeasures* measures = recorder_->measures();
  return measures ? address_of(measures->all_pair_shares()) : 0;
}

}  // namespace wf::calls
