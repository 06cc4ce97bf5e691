// Several schemes in one layer that add to its logits: they share scratch memory, each keeps its
// state from tile to tile, and they must not affect each other. The output of tiles is compared
// with the recorder, which works row by row.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "contract/attention_case.h"
#include "contract/each_scheme.h"

namespace wf::contract {
namespace {

// More rows than a block, more keys than a tile.
constexpr Sizes kPastTheTile = {
    .heads = 2, .kv_heads = 1, .head_dim = 6, .value_dim = 3, .queries = 70, .keys = kPastTile};
// Enough keys that all of a tile are beyond the distances that Shaw distinguishes.
constexpr Sizes kFarPastTheTile = {
    .heads = 2, .kv_heads = 1, .head_dim = 6, .value_dim = 3, .queries = 70, .keys = 600};
// Few enough keys that no sum of gates is near an integer, where CoPE's slope changes.
constexpr Sizes kSmall = {
    .heads = 2, .kv_heads = 1, .head_dim = 6, .value_dim = 3, .queries = 3, .keys = 4};

// Returns options without effects on the output, which these tests do not cover.
OptionValues options_of(const SchemeEntry& entry) {
  OptionValues options = default_options(*entry.description);
  if (std::string(entry.description->id) == "shaw")
    REQUIRE(set_option(*entry.description, options, "relativeValues", 0).ok());
  return options;
}

bool adds_to_logits(const SchemeEntry& entry) {
  return (entry.hooks & (kHookBias | kHookDistanceStrip)) &&
         entry.description->position_axes <= 1 && !entry.projections;
}

// Schemes of several cases, with the queries, keys and values of the first case.
class Stack {
 public:
  Stack(std::initializer_list<const SchemeEntry*> entries, const Sizes& sizes) : sizes_(sizes) {
    for (const SchemeEntry* entry : entries)
      cases_.push_back(std::make_unique<AttentionCase>(*entry, options_of(*entry), sizes, true, 5));
    AttentionCase& first = *cases_.front();
    // The last key is visible to the last query.
    first.mask.query_offset = sizes.keys - sizes.queries;
    for (int t = 0; t < sizes.queries; ++t) first.query_positions[t] = first.mask.query_offset + t;
    // Copies of a scheme have different parameters.
    for (std::size_t c = 1; c < cases_.size(); ++c)
      for (auto& table : cases_[c]->parameters)
        for (float& value : table) value *= 1 + 0.125f * static_cast<float>(c);
  }

  const Sizes& sizes() const { return sizes_; }
  AttentionCase& first() { return *cases_.front(); }
  std::vector<std::unique_ptr<AttentionCase>>& cases() { return cases_; }

  LayerSchemes schemes() {
    LayerSchemes all;
    for (auto& each : cases_) all.items[all.count++] = each->schemes().items[0];
    return all;
  }

  // The input of attention, with the states of the cases that have any.
  AttentionInput input() {
    AttentionInput all = first().input();
    for (auto& each : cases_) {
      const AttentionInput one = each->input();
      if (one.states.data) all.states = one.states;
      if (one.key_states.data) all.key_states = one.key_states;
    }
    return all;
  }

  template <class T>
  auto output_view(T* data) const {
    return heads_outermost(data, sizes_.heads, sizes_.queries, sizes_.value_dim);
  }

  // Returns the output [H,T,Dv].
  std::vector<float> run(Recorder* recorder = nullptr) {
    std::vector<float> output(std::size_t(sizes_.heads) * sizes_.queries * sizes_.value_dim);
    AttentionCase& one = first();
    const Status status =
        attention_forward(one.config, schemes(), input(), output_view(output.data()), one.saved(),
                          one.scratch(), recorder);
    REQUIRE_MESSAGE(status.ok(), status.message());
    return output;
  }

 private:
  Sizes sizes_;
  std::vector<std::unique_ptr<AttentionCase>> cases_;
};

// Returns Σ weights · values of a recorded run.
std::vector<float> output_of(const Recorder& recorder, Stack& stack) {
  const Sizes& sizes = stack.sizes();
  std::vector<float> output;
  const float* weight = recorder.weights().data();
  for (int row = 0; row < sizes.heads * sizes.queries; ++row, weight += sizes.keys)
    for (int c = 0; c < sizes.value_dim; ++c) {
      double sum = 0;
      for (int s = 0; s < sizes.keys; ++s)
        sum += double(weight[s]) * stack.first().v[s * sizes.value_dim + c];
      output.push_back(static_cast<float>(sum));
    }
  return output;
}

void check_against_recorder(Stack stack) {
  const Sizes& sizes = stack.sizes();
  auto made = Recorder::make(kRecordWeights | kRecordLogits | kRecordTerms, {}, stack.schemes(),
                             sizes.heads, sizes.head_dim, sizes.queries, sizes.keys);
  REQUIRE(made.ok());
  Recorder recorder = made.take();
  const std::vector<float> output = stack.run(&recorder);
  CHECK(largest_difference(output, output_of(recorder, stack)) < 1e-4);
  double most = 0;
  for (std::size_t i = 0; i < recorder.logits().size(); ++i) {
    double sum = 0;
    for (int t = 0; t < recorder.term_count(); ++t) sum += recorder.term(t)[i];
    most = std::max(most, std::abs(sum - recorder.logits().data()[i]));
  }
  CHECK(most < 1e-4);
}

// Compares dL/dε along one direction of all trained values and inputs with a finite difference.
void check_slope(Stack stack) {
  AttentionCase& one = stack.first();
  const Sizes& sizes = stack.sizes();
  const std::vector<float> output = stack.run();
  const std::vector<float> probe = random_values(output.size(), 77);
  one.d_q.assign(one.q.size(), 0);
  one.d_k.assign(one.k.size(), 0);
  one.d_v.assign(one.v.size(), 0);
  // The gradients of the layer's input: test case "gradients equal finite differences of the twin".
  const int widest = std::max(sizes.queries, sizes.keys), width = one.width();
  std::vector<float> d_states(std::size_t(widest) * width);
  const Matrix d = {d_states.data(), widest, width, width};
  const Status status = attention_backward(
      one.config, stack.schemes(), stack.input(), stack.output_view(output.data()),
      stack.output_view(probe.data()), one.saved(), one.scratch(),
      heads_outermost(one.d_q.data(), sizes.heads, sizes.queries, sizes.head_dim),
      heads_outermost(one.d_k.data(), sizes.kv_heads, sizes.keys, sizes.head_dim),
      heads_outermost(one.d_v.data(), sizes.kv_heads, sizes.keys, sizes.value_dim), nullptr, d, d);
  REQUIRE_MESSAGE(status.ok(), status.message());
  std::vector<std::pair<std::vector<float>*, const std::vector<float>*>> moved = {
      {&one.q, &one.d_q}, {&one.k, &one.d_k}, {&one.v, &one.d_v}};
  for (auto& each : stack.cases())
    for (std::size_t p = 0; p < each->parameters.size(); ++p)
      moved.emplace_back(&each->parameters[p], &each->d_parameters[p]);
  double slope = 0;
  std::vector<std::vector<float>> directions;
  for (const auto& [values, gradient] : moved) {
    directions.push_back(random_values(values->size(), 100 + directions.size(), 0.3f));
    for (std::size_t i = 0; i < values->size(); ++i)
      slope += double((*gradient)[i]) * directions.back()[i];
  }
  constexpr float kStep = 1.0f / 2048;
  const auto loss_after = [&](float step) {
    for (std::size_t m = 0; m < moved.size(); ++m)
      for (std::size_t i = 0; i < moved[m].first->size(); ++i)
        (*moved[m].first)[i] += step * directions[m][i];
    const std::vector<float> now = stack.run();
    double loss = 0;
    for (std::size_t i = 0; i < now.size(); ++i) loss += double(now[i]) * probe[i];
    return loss;
  };
  const double above = loss_after(kStep), below = loss_after(-2 * kStep);
  const double found = (above - below) / (2 * kStep);
  INFO("slope " << slope << ", by differences " << found);
  CHECK(std::abs(found - slope) < 0.01 * (1 + std::abs(slope)));
}

template <class Body>
void for_each_pair(Body body) {
  int pairs = 0;
  for (const SchemeEntry* first : scheme_entries()) {
    if (!adds_to_logits(*first)) continue;
    for (const SchemeEntry* second : scheme_entries()) {
      if (!adds_to_logits(*second)) continue;
      // Two rotations of which one has more channels than a head are refused.
      if (first->description->transform_term && second->description->transform_term) continue;
      const std::string names =
          std::string(first->description->id) + ", " + second->description->id;
      CAPTURE(names);
      body(*first, *second);
      ++pairs;
    }
  }
  CHECK(pairs >= 64);
}

TEST_CASE("two schemes that add to the same logits do so in tiles as row by row") {
  for_each_pair([](const SchemeEntry& first, const SchemeEntry& second) {
    check_against_recorder(Stack({&first, &second}, kPastTheTile));
  });
}

TEST_CASE("two schemes may each add one number to all logits of a row in a tile") {
  const SchemeEntry* shaw = find_scheme("shaw").value();
  check_against_recorder(Stack({shaw, shaw}, kFarPastTheTile));
  check_against_recorder(Stack({shaw, find_scheme("cope").value()}, kFarPastTheTile));
  check_against_recorder(Stack({find_scheme("alibi").value(), shaw}, kFarPastTheTile));
  Sizes few = kFarPastTheTile;
  few.queries = 3;
  check_slope(Stack({shaw, shaw}, few));
}

TEST_CASE("the gradients of two schemes that add to the same logits are their slopes") {
  for_each_pair([](const SchemeEntry& first, const SchemeEntry& second) {
    check_slope(Stack({&first, &second}, kSmall));
  });
}

TEST_CASE("gates count the same keys whatever else is added to the logits") {
  // CoPE's gates depend on q·k alone (section 3.1 of its paper), so the bias of another scheme
  // changes no count.
  const SchemeEntry* cope = find_scheme("cope").value();
  const auto term_of_cope = [&](std::initializer_list<const SchemeEntry*> entries) {
    Stack stack(entries, kPastTheTile);
    const Sizes& sizes = stack.sizes();
    auto made = Recorder::make(kRecordTerms, {}, stack.schemes(), sizes.heads, sizes.head_dim,
                               sizes.queries, sizes.keys);
    REQUIRE(made.ok());
    Recorder recorder = made.take();
    stack.run(&recorder);
    const auto& term = recorder.term(1);  // after the content
    return std::vector<float>(&term[0], &term[0] + recorder.rows() * recorder.columns());
  };
  const std::vector<float> alone = term_of_cope({cope});
  CHECK(largest_difference(alone, term_of_cope({cope, find_scheme("alibi").value()})) == 0);
  CHECK(largest_difference(alone, term_of_cope({cope, find_scheme("fire").value()})) == 0);
}

TEST_CASE("as many schemes as a layer takes, each carrying something from tile to tile") {
  const SchemeEntry* cope = find_scheme("cope").value();
  check_against_recorder(Stack({cope, cope, cope, cope}, kPastTheTile));
  check_against_recorder(Stack({cope, find_scheme("shaw").value(), cope, cope}, kPastTheTile));
  check_slope(Stack({cope, find_scheme("shaw").value(), cope, cope}, kSmall));
}

}  // namespace
}  // namespace wf::contract
