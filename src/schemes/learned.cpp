// A learned vector for each position, added to the token vector: x_p += W[row of p].
// Gehring et al. 2017, arXiv 1705.03122, section 3.1; Devlin et al. 2018, arXiv 1810.04805.
//
// The row of a position differs by family. Positions count the tokens that are not padding; padding
// has position -1 in families with a row for it, set by the code that counts.
#include "schemes/entry.h"
#include "schemes/position_checks.h"

namespace wf {
namespace {

enum OptionIndex { kMaxPositions, kIndexRule };

// Row of position 0. BERT and GPT-2 start at row 0. The others follow fairseq, which reserves
// rows 0 and 1: OPT and RoBERTa use row 1 for padding, BART treats padding like other tokens.
// RoBERTa does not train row 1.
struct IndexRule {
  int first_row;
  int lowest_position;
  bool trains_padding;
};
constexpr const char* kRuleNames[] = {"plain", "opt", "bart", "roberta"};
constexpr IndexRule kRules[] = {{0, 0, true}, {2, -1, true}, {2, 0, true}, {2, -1, false}};

constexpr Option kOptions[] = {
    // Positions available for text: rows without the two reserved ones. RoBERTa's config.json
    // counts all rows (514 for 512).
    integer_option("maxPositions", "max_position_embeddings", 512, 1, 1048576),
    choice_option("indexRule", "", kRuleNames, 0),
};

constexpr SchemeDescription kDescription = {
    .id = "learned",
    .family = "absolute",
    .paper = "Gehring et al. 2017, arXiv 1705.03122; Devlin et al. 2018, arXiv 1810.04805",
    .year = 2017,
    .options = kOptions,
    .claims = {.shift_invariant = false,
               .extrapolates_by_construction = false,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
};

class Learned : public Scheme {
 public:
  Learned(int width, int positions, const IndexRule& rule)
      : width_(width), positions_(positions), rule_(rule) {
    spec_ = {.name = "embeddings",
             .rows = positions + rule.first_row,
             .columns = width,
             .scope = ParameterScope::kModel,
             .initialiser = Initialiser::kNormal,
             .decays = true};
  }

  std::span<const ParameterSpec> parameters() const override { return {&spec_, 1}; }

  Status check_positions(const Positions& positions) const override {
    return check_table_positions(positions, rule_.lowest_position, positions_);
  }

  void add_to_embeddings(const LayerContext& context, Matrix x) const override {
    for (int t = 0; t < x.rows; ++t) {
      const float* source = context.values[0] + offset_of(context.query_positions.at(t));
      float* row = x.row(t);
      for (int c = 0; c < width_; ++c) row[c] += source[c];
    }
  }
  void add_to_embeddings_backward(const LayerContext& context, Matrix d_x) const override {
    if (!context.gradients) return;
    for (int t = 0; t < d_x.rows; ++t) {
      const int position = context.query_positions.at(t);
      if (position < 0 && !rule_.trains_padding) continue;
      float* target = context.gradients[0] + offset_of(position);
      const float* row = d_x.row(t);
      for (int c = 0; c < width_; ++c) target[c] += row[c];
    }
  }

  ExtraFlops extra_flops(const SchemeShape&, double queries, double) const override {
    return {.once = queries * width_};
  }

 private:
  std::ptrdiff_t offset_of(int position) const {
    return std::ptrdiff_t{position + rule_.first_row} * width_;
  }

  int width_, positions_;
  IndexRule rule_;
  ParameterSpec spec_;
};

Result<std::unique_ptr<Scheme>> make(const SchemeShape& shape, const OptionValues& options) {
  const int width = shape.model_width();
  return new_scheme<Learned>(width, static_cast<int>(options[kMaxPositions]),
                             kRules[static_cast<int>(options[kIndexRule])]);
}

}  // namespace

extern const SchemeEntry learned_entry;
const SchemeEntry learned_entry = {&kDescription, hooks_of<Learned>(), make};

}  // namespace wf
