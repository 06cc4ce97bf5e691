// The position itself as a signal: adds c·p to the token vector, on every channel or on the first
// one. A baseline for teaching, used by no well-known model: the signal is unbounded, which
// sinusoidal positions (Vaswani et al. 2017, arXiv 1706.03762, section 3.5) avoid.
#include "schemes/entry.h"

namespace wf {
namespace {

enum OptionIndex { kScale, kChannels };
enum ChannelChoice { kAll, kFirst };

constexpr const char* kChannelChoices[] = {"all", "first"};

constexpr Option kOptions[] = {
    // Untrained token vectors have standard deviations near 0.02: with 0.01 for each position the
    // signal is neither lost nor dominant at first.
    number_option("scale", "", 0.01, -1000, 1000),
    choice_option("channels", "", kChannelChoices, kAll),
};

constexpr SchemeDescription kDescription = {
    .id = "integer",
    .family = "absolute",
    .paper = "Vaswani et al. 2017, arXiv 1706.03762",
    .year = 2017,
    .options = kOptions,
    // Defined at every position, but outside the range of training for longer texts.
    .claims = {.shift_invariant = false,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
};

class Integer : public Scheme {
 public:
  explicit Integer(const OptionValues& options)
      : scale_(options[kScale]), first_only_(static_cast<int>(options[kChannels]) == kFirst) {}

  void add_to_embeddings(const LayerContext& context, Matrix x) const override {
    const int channels = first_only_ ? 1 : x.columns;
    for (int t = 0; t < x.rows; ++t) {
      const float signal = static_cast<float>(scale_ * context.query_positions.at(t));
      float* row = x.row(t);
      for (int c = 0; c < channels; ++c) row[c] += signal;
    }
  }

  // No backward pass: there are no parameters, and the gradient of the token vectors is unchanged.

  ExtraFlops extra_flops(const SchemeShape& shape, double queries, double) const override {
    return {.once = queries * (first_only_ ? 1 : shape.width)};
  }

 private:
  double scale_;
  bool first_only_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape&, const OptionValues& options) {
  return new_scheme<Integer>(options);
}

}  // namespace

extern const SchemeEntry integer_entry;
const SchemeEntry integer_entry = {&kDescription, hooks_of<Integer>(), make};

}  // namespace wf
