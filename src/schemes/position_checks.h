// Checks of positions.
#pragma once

#include "schemes/description.h"
#include "status.h"
#include "tensor/view.h"

namespace wf {

// Refuses positions with a number of axes that the scheme does not read. Errors: kInvalidArgument.
Status check_axes(const SchemeDescription& description, const char* argument,
                  const Positions& positions);

// Refuses positions below `lowest` or outside a table of max_positions rows. Errors:
// kInvalidArgument.
Status check_table_positions(const Positions& positions, int lowest, int max_positions);

}  // namespace wf
