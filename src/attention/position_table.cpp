#include "attention/position_table.h"

#include <cstring>

namespace wf {

bool PositionTable::holds(const Scheme& scheme, const Positions& positions) const {
  return serial_ == scheme.serial() && count_ == positions.count && axes_ == positions.axes &&
         std::memcmp(positions_.data(), positions.data,
                     sizeof(std::int32_t) * positions.count * positions.axes) == 0;
}

Status PositionTable::refresh(const Scheme& scheme, const Positions& positions) {
  if (holds(scheme, positions)) return {};
  const std::size_t entries = static_cast<std::size_t>(positions.count) * positions.axes;
  count_ = -1;  // nothing is held until everything is
  WF_RETURN_IF_ERROR(positions_.reserve(entries));
  WF_RETURN_IF_ERROR(table_.reserve(scheme.position_table_floats(positions.count)));
  if (entries) std::memcpy(positions_.data(), positions.data, sizeof(std::int32_t) * entries);
  scheme.fill_position_table(positions, table_.data());
  serial_ = scheme.serial();
  count_ = positions.count;
  axes_ = positions.axes;
  return {};
}

}  // namespace wf
