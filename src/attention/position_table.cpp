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

bool PositionTable::holds(const Scheme& scheme, const Positions& positions,
                          int sequence_length) const {
  return serial_ == scheme.serial() && count_ == positions.count && axes_ == positions.axes &&
         sequence_length_ == sequence_length &&
         std::equal(positions_.data(), positions_.data() + entries_of(positions), positions.data);
}

Status PositionTable::refresh(const Scheme& scheme, const Positions& positions,
                              int sequence_length) {
  if (holds(scheme, positions, sequence_length)) return {};
  const std::size_t entries = entries_of(positions);
  count_ = -1;  // invalid until everything is computed
  WF_RETURN_IF_ERROR(positions_.reserve(entries));
  WF_RETURN_IF_ERROR(table_.reserve(scheme.position_table_floats(positions.count)));
  if (entries) std::memcpy(positions_.data(), positions.data, sizeof(std::int32_t) * entries);
  scheme.fill_position_table(positions, sequence_length, table_.data());
  serial_ = scheme.serial();
  count_ = positions.count;
  axes_ = positions.axes;
  sequence_length_ = sequence_length;
  return {};
}

}  // namespace wf
