// Predict the next token of windows drawn at random from streams of text.
#include <algorithm>

#include "training/data_order.h"

namespace wf {
namespace {

class LanguageModel final : public Task {
 public:
  explicit LanguageModel(const TaskSettings& settings) : windows_(settings.streams) {}

  void fill(Random& random, int batch, int length, std::int32_t* ids,
            std::int32_t* targets) const override {
    windows_.draw_batch(random, batch, length, [&](int row, const std::int32_t* window) {
      std::copy_n(window, length, ids + std::ptrdiff_t{row} * length);
      std::copy_n(window + 1, length, targets + std::ptrdiff_t{row} * length);
    });
  }

  int longest() const override { return windows_.longest(); }

 private:
  TextWindows windows_;
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  WF_RETURN_IF_ERROR(TextWindows::check("language_model", settings.streams, settings.vocab_size));
  return new_task<LanguageModel>(settings);
}

}  // namespace

extern const TaskEntry kLanguageModelTask;
const TaskEntry kLanguageModelTask = {"language_model", make};

}  // namespace wf
