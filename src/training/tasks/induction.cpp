// Continue a repeated pattern: distinct random symbols, repeated with a period that differs between
// rows. Scored from the second period on. The distance to look back is unknown, so a model must
// find the previous occurrence of the current token and read the token after it: the induction head
// of Olsson et al. 2022 (arXiv 2209.11895, "In-context learning and induction heads").
#include <algorithm>

#include "training/tasks/task.h"

namespace wf {
namespace {

class Induction final : public Task {
 public:
  explicit Induction(int vocab_size) : symbols_(vocab_size) {}

  void fill(Random& random, int batch, int length, std::int32_t* ids,
            std::int32_t* targets) const override {
    for (int row = 0; row < batch; ++row, ids += length, targets += length) {
      const int longest = std::min(length / 2, symbols_);
      const int shortest = std::min(2, longest);
      const int period =
          shortest +
          static_cast<int>(random.below(static_cast<std::uint32_t>(longest - shortest + 1)));
      for (int t = 0; t < period; ++t) ids[t] = unused_symbol(random, ids, t);
      for (int t = period; t < length; ++t) ids[t] = ids[t - period];
      // Token t also occurred one period earlier, so the next token is known.
      for (int t = 0; t < length; ++t) targets[t] = t >= period ? ids[(t + 1) % period] : -1;
    }
  }

  int shortest() const override { return 4; }

 private:
  // A symbol that is not among the first `used` ids.
  std::int32_t unused_symbol(Random& random, const std::int32_t* ids, int used) const {
    for (;;) {
      const auto symbol =
          static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(symbols_)));
      if (std::find(ids, ids + used, symbol) == ids + used) return symbol;
    }
  }

  int symbols_;
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  if (settings.vocab_size < 2)
    return WF_UNEXPECTED("vocabSize", "%d", "2 or more for task induction", settings.vocab_size);
  return new_task<Induction>(settings.vocab_size);
}

}  // namespace

extern const TaskEntry kInductionTask;
const TaskEntry kInductionTask = {"induction", make};

}  // namespace wf
