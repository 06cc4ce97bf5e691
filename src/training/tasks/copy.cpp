// Copy: n random symbols, a separator (id 0), the same n symbols. Scored on the second half, which
// requires looking n + 1 tokens back: a fixed distance.
#include "training/tasks/task.h"

namespace wf {
namespace {

class Copy final : public Task {
 public:
  explicit Copy(int vocab_size) : symbols_(static_cast<std::uint32_t>(vocab_size) - 1) {}

  void fill(Random& random, int batch, int length, std::int32_t* ids,
            std::int32_t* targets) const override {
    const int n = length / 2;
    for (int row = 0; row < batch; ++row, ids += length, targets += length) {
      for (int t = 0; t < length; ++t) {
        if (t == n)
          ids[t] = 0;
        else if (t < n)
          ids[t] = 1 + static_cast<std::int32_t>(random.below(symbols_));
        else
          ids[t] = ids[t - n - 1];
      }
      for (int t = 0; t < length; ++t) {
        const bool scored = t >= n && t < 2 * n;
        targets[t] = scored ? ids[t - n] : -1;
      }
    }
  }

  int shortest() const override { return 2; }

 private:
  std::uint32_t symbols_;
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  if (settings.vocab_size < 3)
    return WF_UNEXPECTED("vocabSize", "%d", "3 or more for task copy", settings.vocab_size);
  return new_task<Copy>(settings.vocab_size);
}

}  // namespace

extern const TaskEntry kCopyTask;
const TaskEntry kCopyTask = {"copy", make};

}  // namespace wf
