// Which was the third? n random symbols, then alternating questions and answers: an ordinal and the
// symbol with that index. Scored at the ordinals. The index counts from the start, wherever the
// question is. Ids in the lower half of the vocabulary are ordinals, the others symbols.
#include <algorithm>

#include "training/tasks/row_task.h"

namespace wf {
namespace {

class OrderedRecall final : public RowTask {
 public:
  explicit OrderedRecall(int vocab_size) : vocab_size_(vocab_size) {}
  int shortest() const override { return 2; }
  // Every index needs an ordinal.
  int longest() const override { return vocab_size_ / 2 * 2; }

 protected:
  void fill_row(Random& random, int length, std::int32_t* ids,
                std::int32_t* targets) const override {
    const int n = length / 2;
    for (int t = 0; t < n; ++t) ids[t] = drawn(random, vocab_size_ / 2, vocab_size_);
    std::fill_n(targets, length, -1);
    for (int t = n; t < length; t += 2) {
      ids[t] = drawn(random, 0, n);
      targets[t] = ids[ids[t]];
      if (t + 1 < length) ids[t + 1] = targets[t];
    }
  }

 private:
  int vocab_size_;
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  WF_RETURN_IF_ERROR(check_vocabulary("ordered_recall", settings.vocab_size, 4));
  return new_task<OrderedRecall>(settings.vocab_size);
}

}  // namespace

extern const TaskEntry kOrderedRecallTask;
const TaskEntry kOrderedRecallTask = {"ordered_recall", make};

}  // namespace wf
