// Which symbol was k tokens back? Random symbols; the target of each is the one k = 4 tokens before
// it: a fixed distance greater than one.
#include "training/tasks/row_task.h"

namespace wf {
namespace {

constexpr int kBack = 4;

class KBack final : public RowTask {
 public:
  explicit KBack(int vocab_size) : vocab_size_(vocab_size) {}
  int shortest() const override { return kBack + 1; }

 protected:
  void fill_row(Random& random, int length, std::int32_t* ids,
                std::int32_t* targets) const override {
    for (int t = 0; t < length; ++t) {
      ids[t] = drawn(random, 0, vocab_size_);
      targets[t] = t >= kBack ? ids[t - kBack] : -1;
    }
  }

 private:
  int vocab_size_;
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  WF_RETURN_IF_ERROR(check_vocabulary("k_back", settings.vocab_size, 2));
  return new_task<KBack>(settings.vocab_size);
}

}  // namespace

extern const TaskEntry kKBackTask;
const TaskEntry kKBackTask = {"k_back", make};

}  // namespace wf
