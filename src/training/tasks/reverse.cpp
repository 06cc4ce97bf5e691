// Reverse: n random symbols, a separator (id 0), the same n symbols from the last to the first.
// Scored on the second half. The distance to look back is 1, 3, 5, …: it grows by two for each
// token.
#include <algorithm>

#include "training/tasks/row_task.h"

namespace wf {
namespace {

class Reverse final : public RowTask {
 public:
  explicit Reverse(int vocab_size) : vocab_size_(vocab_size) {}
  int shortest() const override { return 2; }

 protected:
  void fill_row(Random& random, int length, std::int32_t* ids,
                std::int32_t* targets) const override {
    const int n = length / 2;
    for (int t = 0; t < n; ++t) ids[t] = drawn(random, 1, vocab_size_);
    ids[n] = 0;
    for (int t = n + 1; t < length; ++t) ids[t] = ids[2 * n - t];
    std::fill_n(targets, length, -1);
    for (int t = n; t < 2 * n; ++t) targets[t] = ids[2 * n - 1 - t];
  }

 private:
  int vocab_size_;
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  WF_RETURN_IF_ERROR(check_vocabulary("reverse", settings.vocab_size, 3));
  return new_task<Reverse>(settings.vocab_size);
}

}  // namespace

extern const TaskEntry kReverseTask;
const TaskEntry kReverseTask = {"reverse", make};

}  // namespace wf
