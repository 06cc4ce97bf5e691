// Compares ablated heads in double precision with the recorded terms that remain.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "attention/surgery.h"
#include "contract/attention_case.h"
#include "contract/each_scheme.h"

namespace wf::contract {
namespace {

constexpr std::uint32_t kEverything =
    kRecordTerms | kRecordLogits | kRecordMaskedLogits | kRecordWeights | kRecordPairs;

// The ablations of one call, in the order in which Surgery reads them.
struct Plan {
  explicit Plan(const Sizes& of) : sizes(of), ablations(of.heads * stride(), 0) {}

  int stride() const { return kMaxTerms + sizes.head_dim / 2; }
  void term(int head, int slot) {
    ablations[head * stride() + slot] = std::uint8_t(Ablation::kRemoved);
  }
  void pair(int head, int index, Ablation ablation) {
    ablations[head * stride() + kMaxTerms + index] = std::uint8_t(ablation);
  }

  Sizes sizes;
  std::vector<std::uint8_t> ablations;
};

Recorder record(AttentionCase& problem) {
  auto made =
      Recorder::make(kEverything, {}, problem.schemes(), problem.sizes().heads,
                     problem.sizes().head_dim, problem.sizes().queries, problem.sizes().keys);
  REQUIRE(made.ok());
  Recorder recorder = made.take();
  REQUIRE(problem.forward(&recorder).ok());
  return recorder;
}

Surgery surgery_of(AttentionCase& problem, const Plan& plan) {
  auto made =
      Surgery::make(plan.ablations, problem.schemes(), plan.sizes.heads, plan.sizes.head_dim);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

// Returns the logits expected after the ablation, in double precision: recorded ones without the
// removed terms and shares of pairs.
std::vector<double> expected_logits(AttentionCase& problem, const Recorder& whole,
                                    const Plan& plan) {
  const Sizes& sizes = problem.sizes();
  const bool has_transform = problem.hooks() & kHookTransform;
  std::vector<std::int32_t> channels(sizes.head_dim);
  problem.schemes().channel_pairs(channels.data());
  const AttentionInput in = problem.input();
  const float scale = problem.config.scale;
  std::vector<double> logits;
  for (int h = 0; h < sizes.heads; ++h)
    for (int i = 0; i < sizes.queries; ++i)
      for (int j = 0; j < sizes.keys; ++j) {
        const std::size_t cell = (std::size_t(h) * sizes.queries + i) * sizes.keys + j;
        const std::uint8_t* ablations = plan.ablations.data() + h * plan.stride();
        double logit = 0, terms_of_product = 0;
        for (int t = 0; t < whole.term_count(); ++t) {
          const int slot = t && !has_transform ? t + 1 : t;
          if (!ablations[slot]) logit += whole.term(t)[cell];
          if (!ablations[slot] && slot < 2) ++terms_of_product;
        }
        // Pairs are ablated only if the terms of content and rotation stay.
        for (int p = 0; p < whole.pairs(); ++p) {
          const Ablation ablation = static_cast<Ablation>(ablations[kMaxTerms + p]);
          if (ablation == Ablation::kNone) continue;
          REQUIRE(terms_of_product == 2);
          logit -= whole.pair_shares()[cell * whole.pairs() + p];
          if (ablation == Ablation::kRemoved) continue;
          const float* q = in.q.head(h).row(i);
          const float* k = in.k.head(h / (sizes.heads / sizes.kv_heads)).row(j);
          for (int side = 0; side < 2; ++side) {
            const int c = channels[2 * p + side];
            logit += double(scale) * q[c] * k[c];
          }
        }
        logits.push_back(logit);
      }
  return logits;
}

// Returns the softmax of the visible logits of each row.
std::vector<double> softmax_of(AttentionCase& problem, const std::vector<double>& logits,
                               const Recorder& whole) {
  const int keys = problem.sizes().keys;
  std::vector<double> weights(logits.size(), 0);
  for (std::size_t row = 0; row < logits.size(); row += keys) {
    double most = -std::numeric_limits<double>::infinity(), total = 0;
    const auto capped = [&](std::size_t cell) {
      const double cap = problem.config.softcap;
      return cap > 0 ? cap * std::tanh(logits[cell] / cap) : logits[cell];
    };
    const auto visible = [&](std::size_t cell) { return !std::isinf(whole.masked_logits()[cell]); };
    for (std::size_t c = row; c < row + keys; ++c)
      if (visible(c)) most = std::max(most, capped(c));
    for (std::size_t c = row; c < row + keys; ++c)
      if (visible(c)) total += weights[c] = std::exp(capped(c) - most);
    for (std::size_t c = row; c < row + keys; ++c) weights[c] /= total;
  }
  return weights;
}

double largest(const Buffer<float>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    most = difference <= most ? most : difference;
  }
  return most;
}

// Runs the problem with these ablations, and compares its records and output with the expected
// ones.
void check_ablation(AttentionCase& problem, const Plan& plan) {
  const Sizes& sizes = problem.sizes();
  problem.surgery = nullptr;
  const Recorder whole = record(problem);
  const std::vector<double> logits = expected_logits(problem, whole, plan);
  const std::vector<double> weights = softmax_of(problem, logits, whole);

  const Surgery surgery = surgery_of(problem, plan);
  problem.surgery = &surgery;
  const Recorder ablated = record(problem);
  problem.surgery = nullptr;
  CHECK(largest(ablated.logits(), logits) < 1e-5);
  CHECK(largest(ablated.weights(), weights) < 3e-6);
  std::vector<double> sum(logits.size(), 0);
  for (int t = 0; t < ablated.term_count(); ++t)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += ablated.term(t)[i];
  CHECK(largest(ablated.logits(), sum) < 1e-6);

  // The output is computed in tiles, not by the recorder.
  // Rotated values are compared in the golden layers.
  if (problem.hooks() & kHookOutput || problem.scheme().transformed_value_channels() > 0) return;
  const int group = sizes.heads / sizes.kv_heads;
  double most = 0;
  for (int h = 0; h < sizes.heads; ++h)
    for (int i = 0; i < sizes.queries; ++i)
      for (int c = 0; c < sizes.value_dim; ++c) {
        double expected = 0;
        for (int j = 0; j < sizes.keys; ++j)
          expected += weights[(std::size_t(h) * sizes.queries + i) * sizes.keys + j] *
                      problem.v[(std::size_t(h / group) * sizes.keys + j) * sizes.value_dim + c];
        const double difference = std::abs(
            expected - problem.output[(std::size_t(h) * sizes.queries + i) * sizes.value_dim + c]);
        most = difference <= most ? most : difference;
      }
  CHECK(most < 6e-6);
}

const Sizes kSmall = {
    .heads = 4, .kv_heads = 2, .head_dim = 8, .value_dim = 6, .queries = 9, .keys = 9};

int slots_of(const SchemeDescription& description) {
  return 2 + static_cast<int>(description.bias_terms.size());
}

TEST_CASE("a term that is removed is missing from the logits and nothing else changes") {
  for_each_scheme([](const SchemeEntry& entry) {
    for_each_variant(entry, [&](const OptionValues& options, bool is_causal) {
      AttentionCase problem(entry, options, kSmall, is_causal, 31);
      problem.config.scale = 0.4f;
      for (int slot = 0; slot < slots_of(*entry.description); ++slot) {
        CAPTURE(slot);
        Plan plan(kSmall);
        // Heads 1 and 2 have different key heads. Heads 0 and 3 share these and are not ablated.
        plan.term(1, slot);
        plan.term(2, slot);
        check_ablation(problem, plan);
      }
    });
  });
}

TEST_CASE(
    "terms are removed across the edges of the tiles, under a softcap, and all of them at once") {
  for_each_scheme([](const SchemeEntry& entry) {
    const Sizes large = {.heads = 2,
                         .kv_heads = 1,
                         .head_dim = 8,
                         .value_dim = 8,
                         .queries = kPastTile,
                         .keys = kPastTile};
    AttentionCase problem(entry, default_options(*entry.description), large, true, 32);
    problem.config.scale = 0.3f;
    problem.config.softcap = 5;
    Plan plan(large);
    for (int slot = 0; slot < slots_of(*entry.description); ++slot) plan.term(0, slot);
    plan.term(1, slots_of(*entry.description) - 1);
    check_ablation(problem, plan);
  });
}

TEST_CASE("a pair of channels that is dropped takes its share, one that is frozen is not turned") {
  int with_pairs = 0;
  for_each_scheme([&](const SchemeEntry& entry) {
    for_each_variant(entry, [&](const OptionValues& options, bool is_causal) {
      AttentionCase problem(entry, options, kSmall, is_causal, 33);
      problem.config.scale = 0.4f;
      if (!(problem.hooks() & kHookTransform)) return;
      std::vector<std::int32_t> channels(kSmall.head_dim);
      const int pairs = problem.schemes().channel_pairs(channels.data());
      with_pairs += pairs > 0;
      for (int p = 0; p < pairs; ++p)
        for (const Ablation ablation : {Ablation::kRemoved, Ablation::kUnrotated}) {
          Plan plan(kSmall);
          plan.pair(0, p, ablation);
          plan.pair(3, p, ablation);
          plan.pair(3, (p + 1) % pairs, Ablation::kUnrotated);
          check_ablation(problem, plan);
        }
    });
  });
  CHECK(with_pairs > 10);
}

TEST_CASE("what is added to the output follows the weights that are left") {
  const SchemeEntry& entry = *find_scheme("shaw").value();
  AttentionCase problem(entry, default_options(*entry.description), kSmall, true, 34);
  problem.config.scale = 0.4f;
  const Recorder whole = record(problem);
  Plan plan(kSmall);
  for (int head = 0; head < kSmall.heads; ++head) plan.term(head, 2);
  const Surgery surgery = surgery_of(problem, plan);
  problem.surgery = &surgery;
  REQUIRE(problem.forward().ok());
  const std::vector<float> ablated = problem.output;
  // Instead of a surgery, a mask that subtracts the term.
  problem.surgery = nullptr;
  std::vector<float> back(whole.term(1).begin(), whole.term(1).end());
  for (float& x : back) x = -x;
  problem.mask.given = {
      .additive = back.data(), .head_stride = 81, .row_stride = 9, .column_stride = 1};
  REQUIRE(std::string(whole.term_name(1)) == "relativeKey");
  REQUIRE(problem.forward().ok());
  CHECK(largest_difference(ablated, problem.output) < 5e-6);
}

TEST_CASE("a surgery without ablations changes no bit, and pairs that do not turn are refused") {
  for_each_scheme([](const SchemeEntry& entry) {
    AttentionCase problem(entry, default_options(*entry.description), kSmall, true, 35);
    REQUIRE(problem.forward().ok());
    const std::vector<float> whole = problem.output;
    const Surgery empty = surgery_of(problem, Plan(kSmall)), none;
    for (const Surgery* surgery : {&empty, &none}) {
      problem.surgery = surgery;
      REQUIRE(problem.forward().ok());
      CHECK(problem.output == whole);
    }
  });
  AttentionCase alibi(*find_scheme("alibi").value(), {}, kSmall, true, 36);
  Plan plan(kSmall);
  plan.pair(2, 3, Ablation::kRemoved);
  const auto refused =
      Surgery::make(plan.ablations, alibi.schemes(), kSmall.heads, kSmall.head_dim);
  REQUIRE(!refused.ok());
  CHECK(refused.status().code() == Code::kInvalidArgument);
  CHECK(std::string(refused.status().message()) ==
        "surgery: pair 3 of layer 0 (expected a pair below 0, the number of pairs that rotate)");
}

}  // namespace
}  // namespace wf::contract
