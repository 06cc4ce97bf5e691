#include "attention/position_table.h"

#include <algorithm>
#include <cstring>

#include "tensor/extent.h"

namespace wf {

int sequence_length(const Positions& positions) {
  int length = 1;
  for (int i = 0; i < positions.count * positions.axes; ++i)
    length = std::max(length, positions.data[i] + 1);
  return length;
}

namespace {

std::size_t entries_of(const Positions& positions) {
  return elements_of(positions.count, positions.axes);
}

}  // namespace

bool PositionTable::holds(const Scheme& scheme, const Positions& positions, int sequence_length,
                          std::span<const float> trained) const {
  return serial_ == scheme.serial() && count_ == positions.count && axes_ == positions.axes &&
         sequence_length_ == sequence_length &&
         std::equal(positions_.data(), positions_.data() + entries_of(positions), positions.data) &&
         std::equal(trained.begin(), trained.end(), trained_.data());
}

Status PositionTable::refresh(const Scheme& scheme, const Positions& positions, int sequence_length,
                              const float* const* values) {
  std::span<const float> trained;
  if (scheme.trains_position_table()) trained = {values[0], scheme.parameters()[0].size()};
  if (holds(scheme, positions, sequence_length, trained)) return {};
  const std::size_t entries = entries_of(positions);
  count_ = -1;  // invalid until everything is computed
  WF_RETURN_IF_ERROR(positions_.reserve(entries));
  WF_RETURN_IF_ERROR(table_.reserve(scheme.position_table_floats(positions.count)));
  WF_RETURN_IF_ERROR(trained_.reserve(trained.size()));
  std::copy(trained.begin(), trained.end(), trained_.data());
  if (entries) std::memcpy(positions_.data(), positions.data, sizeof(std::int32_t) * entries);
  scheme.fill_position_table(positions, sequence_length, trained.data(), table_.data());
  serial_ = scheme.serial();
  count_ = positions.count;
  axes_ = positions.axes;
  sequence_length_ = sequence_length;
  return {};
}

}  // namespace wf
