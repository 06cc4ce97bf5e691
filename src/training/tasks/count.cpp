// How many since the last reset? Ticks (id 1), other symbols (ids from 2), and sometimes a reset
// (id 0); the target of each token is the number of ticks since the last reset or the start, as an
// id. Based on the counting task of Golovneva et al. 2024 (arXiv 2405.18719), which also has
// resets.
#include "training/tasks/row_task.h"

namespace wf {
namespace {

class Count final : public RowTask {
 public:
  explicit Count(int vocab_size) : vocab_size_(vocab_size) {}
  // Every possible count needs an id.
  int longest() const override { return vocab_size_ - 1; }

 protected:
  void fill_row(Random& random, int length, std::int32_t* ids,
                std::int32_t* targets) const override {
    std::int32_t count = 0;
    for (int t = 0; t < length; ++t) {
      const std::uint32_t kind = random.below(8);
      ids[t] = kind == 0 ? 0 : kind < 5 ? 1 : drawn(random, 2, vocab_size_);
      count = ids[t] == 0 ? 0 : count + (ids[t] == 1);
      targets[t] = count;
    }
  }

 private:
  int vocab_size_;
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  WF_RETURN_IF_ERROR(check_vocabulary("count", settings.vocab_size, 3));
  return new_task<Count>(settings.vocab_size);
}

}  // namespace

extern const TaskEntry kCountTask;
const TaskEntry kCountTask = {"count", make};

}  // namespace wf
