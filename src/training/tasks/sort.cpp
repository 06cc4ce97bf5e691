// Sort: n random symbols, a separator (id 0), the same symbols in ascending order. Scored on the
// second half. The order of the first half does not matter; how often a symbol has been written
// already does.
#include <algorithm>

#include "training/tasks/row_task.h"

namespace wf {
namespace {

class Sort final : public RowTask {
 public:
  explicit Sort(int vocab_size) : vocab_size_(vocab_size) {}
  int shortest() const override { return 3; }

 protected:
  void fill_row(Random& random, int length, std::int32_t* ids,
                std::int32_t* targets) const override {
    const int n = (length - 1) / 2;
    std::int32_t* sorted = ids + n + 1;
    for (int t = 0; t < n; ++t) {
      const std::int32_t symbol = drawn(random, 1, vocab_size_);
      ids[t] = symbol;
      int slot = t;
      for (; slot > 0 && sorted[slot - 1] > symbol; --slot) sorted[slot] = sorted[slot - 1];
      sorted[slot] = symbol;
    }
    ids[n] = 0;
    if (2 * n + 1 < length) ids[2 * n + 1] = 0;
    std::fill_n(targets, length, -1);
    for (int t = n; t < 2 * n; ++t) targets[t] = ids[t + 1];
  }

 private:
  int vocab_size_;
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  WF_RETURN_IF_ERROR(check_vocabulary("sort", settings.vocab_size, 3));
  return new_task<Sort>(settings.vocab_size);
}

}  // namespace

extern const TaskEntry kSortTask;
const TaskEntry kSortTask = {"sort", make};

}  // namespace wf
