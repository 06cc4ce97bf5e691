// Predict hidden tokens from those on both sides, for bidirectional models. Devlin et al. 2018
// (arXiv 1810.04805, section 3.1 and appendix A.1): 15 % of a window are selected; of these 80 %
// are replaced by the mask, 10 % by a random token, and 10 % are unchanged. The mask is the
// vocabulary's last id, which does not occur in texts.
#include <algorithm>

#include "training/data_order.h"

namespace wf {
namespace {

class MaskedLanguageModel final : public Task {
 public:
  explicit MaskedLanguageModel(const TaskSettings& settings)
      : mask_(settings.vocab_size - 1), windows_(settings.streams) {}

  void fill(Random& random, int batch, int length, std::int32_t* ids,
            std::int32_t* targets) const override {
    windows_.draw_batch(random, batch, length, [&](int row, const std::int32_t* window) {
      std::copy_n(window, length, ids + std::ptrdiff_t{row} * length);
      hide(random, length, ids + std::ptrdiff_t{row} * length,
           targets + std::ptrdiff_t{row} * length);
    });
  }

  int longest() const override { return windows_.longest(); }

 private:
  // Selects the same number of tokens in every window (Knuth, The Art of Computer Programming,
  // volume 2, algorithm S): each token in order, with probability (tokens still to select) /
  // (tokens left).
  void hide(Random& random, int length, std::int32_t* ids, std::int32_t* targets) const {
    int wanted = std::max(1, (15 * length + 50) / 100);
    for (int t = 0; t < length; ++t) {
      const bool chosen =
          random.below(static_cast<std::uint32_t>(length - t)) < static_cast<std::uint32_t>(wanted);
      targets[t] = chosen ? ids[t] : -1;
      if (!chosen) continue;
      --wanted;
      const std::uint32_t fate = random.below(10);
      if (fate < 8)
        ids[t] = mask_;
      else if (fate == 8)
        ids[t] = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(mask_)));
    }
  }

  std::int32_t mask_;
  TextWindows windows_;
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  WF_RETURN_IF_ERROR(
      TextWindows::check("masked_language_model", settings.streams, settings.vocab_size - 1));
  return new_task<MaskedLanguageModel>(settings);
}

}  // namespace

extern const TaskEntry kMaskedLanguageModelTask;
const TaskEntry kMaskedLanguageModelTask = {"masked_language_model", make};

}  // namespace wf
