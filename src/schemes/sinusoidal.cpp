// Fixed sines and cosines of the position, added to the token vectors. Vaswani et al. 2017, arXiv
// 1706.03762, section 3.5, and later layouts.
#include <algorithm>
#include <cmath>

#include "schemes/entry.h"
#include "tensor/buffer.h"

namespace wf {
namespace {

enum OptionIndex { kLayout, kBase, kEmbeddingScale, kPositionOffset };

// paper           alternating sines and cosines, frequencies base^(-2t/E)
// tensor2tensor   all sines, then all cosines, frequencies from 1 to exactly 1/base; also fairseq
// marian          all sines, then all cosines, frequencies of the paper
// whisper         as tensor2tensor, only for even widths of four and more
enum LayoutChoice { kPaper, kTensor2Tensor, kMarian, kWhisper };
constexpr const char* kLayouts[] = {"paper", "tensor2tensor", "marian", "whisper"};

constexpr Option kOptions[] = {
    choice_option("layout", "", kLayouts, kPaper),
    number_option("base", "", 10000, 2, 1e9),
    // Multiplies the token vectors by √E before the sinusoids are added.
    flag_option("embeddingScale", "scale_embedding", false),
    // fairseq and M2M100 count from 2, after their padding index.
    integer_option("positionOffset", "", 0, 0, 65536),
};

constexpr SchemeDescription kDescription = {
    .id = "sinusoidal",
    .family = "absolute",
    .paper = "Vaswani et al. 2017, arXiv 1706.03762",
    .year = 2017,
    .options = kOptions,
    .claims = {.shift_invariant = false,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
};

class Sinusoidal : public Scheme {
 public:
  Sinusoidal(int width, const OptionValues& options, Buffer<double> frequencies)
      : interleaved_(static_cast<int>(options[kLayout]) == kPaper),
        offset_(static_cast<int>(options[kPositionOffset])),
        scale_(options[kEmbeddingScale] != 0 ? std::sqrt(static_cast<float>(width)) : 1.0f),
        frequencies_(std::move(frequencies)) {}

  void add_to_embeddings(const LayerContext& context, Matrix x) const override {
    const int count = static_cast<int>(frequencies_.size());
    // With an odd width, tensor2tensor's layout does not change the last channel.
    const int cosines = std::min(count, x.columns - count);
    for (int i = 0; i < x.rows; ++i) {
      float* row = x.row(i);
      if (scale_ != 1)
        for (int c = 0; c < x.columns; ++c) row[c] *= scale_;
      const double position = static_cast<double>(context.query_positions.at(i)) + offset_;
      for (int t = 0; t < count; ++t) {
        const double angle = position * frequencies_[t];
        row[interleaved_ ? 2 * t : t] += static_cast<float>(std::sin(angle));
        if (t < cosines)
          row[interleaved_ ? 2 * t + 1 : count + t] += static_cast<float>(std::cos(angle));
      }
    }
  }
  void add_to_embeddings_backward(const LayerContext&, Matrix d_x) const override {
    if (scale_ == 1) return;
    for (int i = 0; i < d_x.rows; ++i)
      for (int c = 0; c < d_x.columns; ++c) d_x.row(i)[c] *= scale_;
  }

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double) const override {
    // An angle and an addition for each channel.
    return {.once = queries * shape.width * (scale_ == 1 ? 2 : 3)};
  }

 private:
  bool interleaved_;
  int offset_;
  float scale_;
  Buffer<double> frequencies_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const int width = shape.model_width();
  const int layout = static_cast<int>(options[kLayout]);
  const double base = options[kBase];
  if (layout == kWhisper && (width < 4 || width % 2 != 0))
    return WF_UNEXPECTED("layout", "whisper with %d channels", "an even number of channels from 4",
                         width);
  const bool spanned = layout == kTensor2Tensor || layout == kWhisper;
  // With an odd width, the layouts with the paper's frequencies have one more sine than cosines.
  const int count = spanned ? width / 2 : (width + 1) / 2;
  Buffer<double> frequencies;
  WF_RETURN_IF_ERROR(frequencies.reserve(count));
  for (int t = 0; t < count; ++t)
    frequencies[t] = spanned ? std::exp(-t * std::log(base) / std::max(count - 1, 1))
                             : std::pow(base, -2.0 * t / width);
  return new_scheme<Sinusoidal>(width, options, std::move(frequencies));
}

}  // namespace

extern const SchemeEntry sinusoidal_entry;
const SchemeEntry sinusoidal_entry = {&kDescription, hooks_of<Sinusoidal>(), make};

}  // namespace wf
