#include "schemes/position_checks.h"

namespace wf {

Status check_table_positions(const Positions& positions, int lowest, int max_positions) {
  for (int i = 0; i < positions.count; ++i) {
    if (positions.at(i) >= lowest && positions.at(i) < max_positions) continue;
    return WF_UNEXPECTED("positions[%d]", "%d", "%d to %d, since maxPositions is %d", i,
                         positions.at(i), lowest, max_positions - 1, max_positions);
  }
  return {};
}

Status check_axes(const SchemeDescription& description, const char* argument,
                  const Positions& positions) {
  const int wanted = description.position_axes;
  if (wanted == 0 || positions.axes == wanted || (wanted == 3 && positions.axes == 1)) return {};
  static constexpr const char* kForms[] = {"[T]", "[2,T] (rows, columns)",
                                           "[T] or [3,T] (times, rows, columns)"};
  return WF_UNEXPECTED("%s", "%d axes", "%s for %s", argument, positions.axes, kForms[wanted - 1],
                       description.id);
}

}  // namespace wf
