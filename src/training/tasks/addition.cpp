// Adds two numbers of d digits: a + b = c, each number with its lowest digit first, so that the
// carry is known when it is needed (Lee et al. 2023, arXiv 2307.03381: the reversed format). Scored
// on the d + 1 digits of the sum. A digit of the sum depends on the digits with the same index of a
// and b. Ids 0 to 9 are digits, 10 is +, 11 is =, which also pads the row.
#include <algorithm>

#include "training/tasks/row_task.h"

namespace wf {
namespace {

constexpr std::int32_t kPlus = 10, kEquals = 11;

class Addition final : public RowTask {
 public:
  int shortest() const override { return 6; }

 protected:
  void fill_row(Random& random, int length, std::int32_t* ids,
                std::int32_t* targets) const override {
    const int digits = (length - 3) / 3;
    std::int32_t* b = ids + digits + 1;
    std::int32_t* sum = b + digits + 1;
    std::fill_n(ids, length, kEquals);
    std::fill_n(targets, length, -1);
    ids[digits] = kPlus;
    std::int32_t carry = 0;
    for (int i = 0; i < digits; ++i) {
      ids[i] = drawn(random, 0, 10);
      b[i] = drawn(random, 0, 10);
      const std::int32_t total = ids[i] + b[i] + carry;
      carry = total >= 10;
      sum[i] = total - 10 * carry;
    }
    sum[digits] = carry;
    for (std::int32_t i = 0; i <= digits; ++i) targets[sum - ids - 1 + i] = sum[i];
  }
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  WF_RETURN_IF_ERROR(check_vocabulary("addition", settings.vocab_size, 12));
  return new_task<Addition>();
}

}  // namespace

extern const TaskEntry kAdditionTask;
const TaskEntry kAdditionTask = {"addition", make};

}  // namespace wf
