// A scheme with its options, independent of a shape.
#pragma once

#include <memory>

#include "calls/reader.h"
#include "model/config.h"

namespace wf::calls {

// The numbers (doubles) of an option; empty for an index out of range.
List numbers_of(const SchemeDescription& description, const OptionValues& options, int index);

class ChosenScheme {
 public:
  // The scheme with this index in the registry, with default options. Errors: kInvalidArgument for
  // an index out of range.
  static Result<std::unique_ptr<ChosenScheme>> make(int index);

  // Sets the option with this index to numbers (doubles): a list takes any count of them, other
  // options one, which for a choice is the index of its word. Errors: kInvalidArgument.
  Status set_option(const Workspace& workspace, int index, List numbers);

  const SchemeChoice& choice() const { return choice_; }

 private:
  SchemeChoice choice_;
};

}  // namespace wf::calls
