// Base of tasks whose rows are generated independently at random.
#pragma once

#include "training/tasks/task.h"

namespace wf {

class RowTask : public Task {
 public:
  void fill(Random& random, int batch, int length, std::int32_t* ids,
            std::int32_t* targets) const final {
    for (int row = 0; row < batch; ++row, ids += length, targets += length)
      fill_row(random, length, ids, targets);
  }

 protected:
  // Writes ids and targets [length].
  virtual void fill_row(Random& random, int length, std::int32_t* ids,
                        std::int32_t* targets) const = 0;

  // A random id from `first` up to, but not including, `bound`.
  static std::int32_t drawn(Random& random, int first, int bound) {
    return first +
           static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(bound - first)));
  }
};

// Errors: kInvalidArgument for a vocabulary of fewer than `min` ids.
inline Status check_vocabulary(const char* task, int vocab_size, int min) {
  if (vocab_size >= min) return {};
  return WF_UNEXPECTED("vocabSize", "%d", "%d or more for task %s", vocab_size, min, task);
}

}  // namespace wf
