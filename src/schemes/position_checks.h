// What is refused of a list of positions.
#pragma once

#include "schemes/description.h"
#include "status.h"
#include "tensor/view.h"

namespace wf {

// Refuses positions whose number of axes the scheme does not read. Errors: kInvalidArgument.
Status check_axes(const SchemeDescription& description, const char* argument,
                  const Positions& positions);

// Refuses positions that a table of max_positions rows has not, from `lowest` on. Errors:
// kInvalidArgument.
Status check_table_positions(const Positions& positions, int lowest, int max_positions);

}  // namespace wf
