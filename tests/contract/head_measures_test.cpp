// The measures of heads, computed from tiles, equal those of the recorded weights, logits and
// content, for every scheme.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "contract/attention_case.h"
#include "contract/each_scheme.h"

namespace wf::contract {
namespace {

// More queries than a block, more keys than a tile.
constexpr int kTokens = kPastTile;
constexpr Sizes kSizes = {.queries = kTokens, .keys = kTokens};
constexpr int kHeads = 4;

const char* name_of(int measure) {
  static constexpr const char* names[] = {
#define WF_HEAD_MEASURE(name, word) word,
      WF_HEAD_MEASURES(WF_HEAD_MEASURE)
#undef WF_HEAD_MEASURE
  };
  return names[measure];
}

// Ids with repetitions, at several distances.
std::vector<std::int32_t> some_ids(int tokens) {
  std::vector<std::int32_t> ids;
  for (int i = 0; i < tokens; ++i) ids.push_back(i % 5 == 0 ? 3 : (i * i) % 37);
  return ids;
}

struct Mean {
  double sum = 0, count = 0;
  void add(double value, double weight = 1) {
    sum += value;
    count += weight;
  }
};

// The distance of the key at which the weights, added from one side, reach half.
int median_of(const float* weights, int keys, double total, int query, bool from_right) {
  double passed = 0;
  for (int n = 0; n < keys; ++n) {
    const int j = from_right ? keys - 1 - n : n;
    passed += weights[j];
    if (passed >= total / 2 - 1e-6) return std::abs(query - j);
  }
  return 0;
}

// All measures of one head, by their definitions.
std::vector<double> expected(const Recorder& recorder, int head,
                             const std::vector<std::int32_t>& ids) {
  const int tokens = static_cast<int>(ids.size());
  std::vector<Mean> means(kHeadMeasures);
  std::vector<Mean> by_distance(2 * tokens);
  double squares = 0;
  Mean whole;
  for (int i = 0; i < tokens; ++i) {
    const std::size_t at = (std::size_t(head) * tokens + i) * tokens;
    const float* weights = recorder.weights().data() + at;
    const float* logits = recorder.logits().data() + at;
    const float* content = recorder.term(0).data() + at;
    double total = 0, entropy = 0, distance = 0, same = 0, induction = 0, begin = tokens;
    Mean logit, part, square, product;
    bool has_same = false, has_next = false;
    for (int j = 0; j < tokens; ++j) {
      if (std::isinf(recorder.masked_logits()[at + j])) continue;
      begin = std::min(begin, double(j));
      const double w = weights[j];
      total += w;
      squares += w * w;
      whole.add(w);
      if (w > 0) entropy -= w * std::log2(w);
      distance += w * std::abs(i - j);
      by_distance[j - i + tokens].add(w);
      if (j < i && ids[j] == ids[i]) has_same = true, same += w;
      if (j > 0 && j <= i && ids[j - 1] == ids[i]) has_next = true, induction += w;
      logit.add(logits[j]);
      part.add(logits[j] - content[j]);
      square.add(double(logits[j]) * logits[j]);
      product.add((double(logits[j]) - content[j]) * logits[j]);
    }
    const double visible = logit.count;
    if (visible == 0) continue;
    if (i > begin) means[kMeasurePrevious].add(weights[i - 1]);
    means[kMeasureSelf].add(weights[i]);
    if (i > 0 && begin == 0) means[kMeasureFirst].add(weights[0]);
    if (has_same) means[kMeasureSame].add(same);
    if (has_next) means[kMeasureInduction].add(induction);
    means[kMeasureNobody].add(1 - total);
    means[kMeasureEntropy].add(entropy);
    means[kMeasureDistance].add(distance / total);
    // Of more than 528 tokens, every eighth block of 48.
    if (visible > 1 && (tokens <= 528 || i / 48 % 8 == 0))
      means[kMeasurePositional].add(product.sum - part.sum * logit.sum / visible,
                                    square.sum - logit.sum * logit.sum / visible);
  }
  std::vector<double> values;
  for (const Mean& mean : means) values.push_back(mean.sum / mean.count);
  double explained = 0;
  for (const Mean& mean : by_distance)
    if (mean.count > 0) explained += mean.sum * mean.sum / mean.count;
  const double constant = whole.sum * whole.sum / whole.count;
  values[kMeasureByDistance] = (explained - constant) / (squares - constant);
  return values;
}

// The share of each pair of channels of one head in the variance of the logits.
std::vector<double> expected_pairs(const Recorder& recorder, int head) {
  const int tokens = recorder.rows(), pairs = recorder.pairs();
  std::vector<double> covariance(pairs);
  double variance = 0;
  for (int i = 0; i < tokens; ++i) {
    const std::size_t at = (std::size_t(head) * tokens + i) * tokens;
    std::vector<double> part(pairs), product(pairs);
    double logit = 0, square = 0, visible = 0;
    for (int j = 0; j < tokens; ++j) {
      if (std::isinf(recorder.masked_logits()[at + j])) continue;
      const double value = recorder.logits()[at + j];
      visible += 1;
      logit += value;
      square += value * value;
      for (int p = 0; p < pairs; ++p) {
        const double of_pair = recorder.pair_shares()[(at + j) * pairs + p];
        part[p] += of_pair;
        product[p] += of_pair * value;
      }
    }
    if (visible < 2 || (tokens > 528 && i / 48 % 8 != 0)) continue;
    variance += square - logit * logit / visible;
    for (int p = 0; p < pairs; ++p) covariance[p] += product[p] - part[p] * logit / visible;
  }
  for (double& each : covariance) each /= variance;
  return covariance;
}

void check_measures(AttentionCase& problem, double tolerance) {
  const int tokens = problem.sizes().queries;
  auto made = Recorder::make(
      kRecordTerms | kRecordLogits | kRecordWeights | kRecordMaskedLogits | kRecordPairs, {},
      problem.schemes(), kHeads, problem.sizes().head_dim, tokens, tokens);
  REQUIRE(made.ok());
  Recorder recorder = made.take();
  const std::vector<std::int32_t> ids = some_ids(tokens);
  REQUIRE(recorder.measure(ids).ok());
  const Status status = problem.forward(&recorder);
  REQUIRE_MESSAGE(status.ok(), status.message());
  const HeadMeasures& measures = *recorder.measures();
  for (int head = 0; head < kHeads; ++head) {
    CAPTURE(head);
    const std::vector<double> wanted = expected(recorder, head, ids);
    for (int m = 0; m < kHeadMeasures; ++m) {
      CAPTURE(name_of(m));
      const double found = measures.values()[std::size_t(head) * kHeadMeasures + m];
      if (m == kMeasureMedian) continue;  // below
      if (m == kMeasurePositional && !std::isfinite(wanted[m])) continue;
      CHECK(std::abs(found - wanted[m]) <= tolerance * std::max(1.0, std::abs(wanted[m])));
    }
    const std::vector<double> pairs = expected_pairs(recorder, head);
    REQUIRE(measures.pairs() == static_cast<int>(pairs.size()));
    for (int p = 0; p < measures.pairs(); ++p) {
      const std::size_t slot = std::size_t(head) * measures.pairs() + p;
      CHECK(std::abs(measures.all_pair_shares()[slot] - pairs[p]) < tolerance);
    }
    // A sum near one half may be reached one key earlier or later.
    Mean low, high;
    for (int i = 0; i < tokens; ++i) {
      const std::size_t at = (std::size_t(head) * tokens + i) * tokens;
      const float* weights = recorder.weights().data() + at;
      double total = 0;
      for (int j = 0; j < tokens; ++j) total += weights[j];
      if (total == 0) continue;
      const int one = median_of(weights, tokens, total, i, false),
                other = median_of(weights, tokens, total, i, true);
      low.add(std::min(one, other));
      high.add(std::max(one, other));
    }
    const double median = measures.values()[std::size_t(head) * kHeadMeasures + kMeasureMedian];
    CHECK(median >= low.sum / low.count - 0.05);
    CHECK(median <= high.sum / high.count + 0.05);
    // The curve: mean weight by distance.
    for (const int back : {0, 1, 7, tokens - 1}) {
      Mean mean;
      for (int i = back; i < tokens; ++i) {
        const std::size_t cell = (std::size_t(head) * tokens + i) * tokens + i - back;
        if (!std::isinf(recorder.masked_logits()[cell])) mean.add(recorder.weights()[cell]);
      }
      const std::size_t slot = std::size_t(head) * tokens + back;
      CHECK(measures.counts()[slot] == mean.count);
      if (mean.count) CHECK(std::abs(measures.curves()[slot] - mean.sum / mean.count) < tolerance);
    }
  }
}

}  // namespace

TEST_CASE("measures of heads are those of the recorded weights, logits and content") {
  for_each_scheme([](const SchemeEntry& entry) {
    for (const bool is_causal : {true, false}) {
      if (!is_causal && !entry.description->claims.bidirectional) continue;
      CAPTURE(is_causal);
      AttentionCase problem(entry, default_options(*entry.description), kSizes, is_causal, 21);
      check_measures(problem, 2e-4);
    }
  });
}

TEST_CASE("measures of heads heed windows, sinks, and softcap") {
  const SchemeEntry& rope = *find_scheme("rope").take();
  const auto problem = [&](bool is_causal) {
    return AttentionCase(rope, default_options(*rope.description), kSizes, is_causal, 22);
  };
  AttentionCase window = problem(true);
  window.config.sliding_window = 20;
  check_measures(window, 2e-4);
  AttentionCase sinks = problem(true);
  sinks.sinks = {0.5f, 1, -2, 3};
  check_measures(sinks, 2e-4);
  AttentionCase capped = problem(false);
  capped.config.softcap = 1.5f;
  check_measures(capped, 2e-4);
}

TEST_CASE("a long text is split into content and position for an eighth of its queries") {
  const SchemeEntry& rope = *find_scheme("rope").take();
  constexpr Sizes kLong = {.heads = 4, .kv_heads = 1, .queries = 1000, .keys = 1000};
  AttentionCase problem(rope, default_options(*rope.description), kLong, true, 24);
  check_measures(problem, 2e-4);
}

TEST_CASE("a text of one token has measures, or NaN where none is defined") {
  const SchemeEntry& rope = *find_scheme("rope").take();
  AttentionCase one(rope, default_options(*rope.description), {.queries = 1, .keys = 1}, true, 23);
  auto made = Recorder::make(0, {}, one.schemes(), kHeads, 8, 1, 1);
  Recorder recorder = made.take();
  const std::int32_t ids[] = {5};
  REQUIRE(recorder.measure(ids).ok());
  REQUIRE(one.forward(&recorder).ok());
  const Buffer<float>& values = recorder.measures()->values();
  CHECK(values[kMeasureSelf] == doctest::Approx(1));
  CHECK(std::abs(values[kMeasureEntropy]) < 1e-5);
  CHECK(values[kMeasureDistance] == 0);
  for (const int undefined : {kMeasurePrevious, kMeasureFirst, kMeasureSame, kMeasureInduction})
    CHECK(std::isnan(values[undefined]));
}

}  // namespace wf::contract
