// A scheme and the options that were given for it, before it is made for a shape.
#pragma once

#include <memory>

#include "calls/reader.h"
#include "model/config.h"

namespace wf::calls {

// The numbers (doubles) of an option as it was set; none for an index out of range.
List numbers_of(const SchemeDescription& description, const OptionValues& options, int index);

class ChosenScheme {
 public:
  // The scheme of this index of the registry, with the defaults of its options.
  // Errors: kInvalidArgument for an index out of range.
  static Result<std::unique_ptr<ChosenScheme>> make(int index);

  // Sets the option of this index to numbers (doubles): as many as a list has, for any other kind
  // one, which for a choice is the index of its word. Errors: kInvalidArgument.
  Status set_option(const Workspace& workspace, int index, List numbers);

  const SchemeChoice& choice() const { return choice_; }

 private:
  SchemeChoice choice_;
};

}  // namespace wf::calls
