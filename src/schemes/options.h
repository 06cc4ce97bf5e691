// Sets a scheme's options, checked against their descriptions.
#pragma once

#include <span>

#include "schemes/description.h"
#include "status.h"

namespace wf {

OptionValues default_options(const SchemeDescription& description);

// Sets one option by its camelCase key, "group.key" if it is nested. Errors: kUnknownOption, which
// lists the known ones of that group; kInvalidArgument, which names the allowed range. `choice` is
// used for kChoice options only.
Status set_option(const SchemeDescription& description, OptionValues& options, const char* key,
                  double value, const char* choice = nullptr);
// Sets one option by its index. A choice is the index of its word; any option but a list is one
// number.
Status set_option(const SchemeDescription& description, OptionValues& options, int index,
                  std::span<const double> numbers);
// Sets a list option by its key; of a text the bytes.
Status set_option(const SchemeDescription& description, OptionValues& options, const char* key,
                  std::span<const double> list);

}  // namespace wf
