#include <doctest/doctest.h>

#include <cmath>

#include "contract/attention_case.h"

namespace wf {
namespace {

enum { kClampLength, kPerLayer };

// Returns W·R for one head: R = [sin(offset · w_t) | cos(offset · w_t)], w_t = 10000^(-2t/E).
reference::Row projected_sinusoid(const SchemeShape& shape, const OptionValues& options,
                                  const reference::Row& weight, int head, int offset) {
  const int clamp = static_cast<int>(options[kClampLength]), width = shape.width;
  if (clamp > 0) offset = std::max(-clamp, std::min(clamp, offset));
  reference::Row result(shape.head_dim, 0.0);
  for (int c = 0; c < shape.head_dim; ++c)
    for (int t = 0; t < width / 2; ++t) {
      const double angle = offset * std::pow(10000.0, -2.0 * t / width);
      const double* row = weight.data() + std::size_t(head * shape.head_dim + c) * width;
      result[c] += row[t] * std::sin(angle) + row[width / 2 + t] * std::cos(angle);
    }
  return result;
}

const reference::RegisteredTwin twin(
    "transformer_xl",
    {
        .bias =
            [](const reference::TwinShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, int head, int query_position,
               int key_position, const reference::Row& q, const reference::Row& k) {
              const reference::Row distance = projected_sinusoid(
                  shape, options, parameters[2], head, query_position - key_position);
              double sum = 0;
              for (int c = 0; c < shape.head_dim; ++c) {
                const double u = parameters[0][head * shape.head_dim + c];
                const double v = parameters[1][head * shape.head_dim + c];
                sum += (q[c] + v) * distance[c] + u * k[c];
              }
              return sum * shape.logit_scale;
            },
    });

// The authors' rel_shift on [queries, keys]: prepends a column of zeros, reads the buffer with rows
// one longer and drops the first row. Correct on and below the diagonal; above it there is data of
// other rows.
std::vector<double> rel_shift(const std::vector<double>& x, int queries, int keys) {
  std::vector<double> padded;
  for (int i = 0; i < queries; ++i) {
    padded.push_back(0);
    padded.insert(padded.end(), x.begin() + i * keys, x.begin() + (i + 1) * keys);
  }
  return {padded.begin() + queries, padded.end()};
}

TEST_CASE("one memory token and two queries give the reference logits, and rel_shift agrees") {
  const SchemeEntry& entry = *find_scheme("transformer_xl").value();
  contract::AttentionCase problem(
      entry, default_options(*entry.description),
      {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 1, .queries = 2, .keys = 3}, true, 1);
  problem.q = {1, .5f, -.5f, 2};
  problem.k = {.2f, 1, 1, -1, .5f, .5f};
  problem.parameters[0] = {.1f, -.2f};
  problem.parameters[1] = {.3f, .05f};
  problem.parameters[2] = {1, 0, 0, 1};  // W = identity: E = D = 2
  problem.mask.query_offset = 1;
  problem.query_positions = {1, 2};
  auto recorder = Recorder::make(kRecordLogits | kRecordWeights | kRecordTerms, {},
                                 problem.schemes(), 1, 2, 2, 3)
                      .take();
  REQUIRE(problem.forward(&recorder).ok());
  const double logits[6] = {1.351336601,  0.9545941546,  NAN,
                            0.4843960756, -0.8914314666, 1.944543648};
  const double weights[6] = {0.5979047469, 0.4020952531,  0,
                             0.1798811735, 0.04544346125, 0.7746753653};
  for (int i = 0; i < 6; ++i) {
    if (i != 2) CHECK(std::abs(recorder.logits()[i] - logits[i]) < 1e-6);
    CHECK(std::abs(recorder.weights()[i] - weights[i]) < 1e-6);
  }
  // (q + v)·R by descending offset, as in the authors' code; then shifted.
  std::vector<double> raw;
  for (int i = 0; i < 2; ++i)
    for (int c = 0; c < 3; ++c)
      raw.push_back((problem.q[2 * i] + .3) * std::sin(2.0 - c) +
                    (problem.q[2 * i + 1] + .05) * std::cos(2.0 - c));
  const double unshifted[6] = {0.9532058948, 1.391078548, 0.55, -1.0349605, 0.9393255301, 2.05};
  for (int i = 0; i < 6; ++i) CHECK(std::abs(raw[i] - unshifted[i]) < 1e-7);
  // Every row moves left until its last offset, 0, is at the query's own key.
  const std::vector<double> shifted = rel_shift(raw, 2, 3);
  const double expected[6] = {1.391078548, 0.55, NAN, -1.0349605, 0.9393255301, 2.05};
  for (const int i : {0, 1, 3, 4, 5}) CHECK(std::abs(shifted[i] - expected[i]) < 1e-7);
  for (const int i : {0, 1, 3, 4, 5})
    CHECK(std::abs(shifted[i] / std::sqrt(2.0) - recorder.term(1)[i] - recorder.term(3)[i]) < 1e-6);
}

TEST_CASE("with u, v and W zero it is attention without positions") {
  const SchemeEntry& entry = *find_scheme("transformer_xl").value();
  contract::AttentionCase zero(entry, default_options(*entry.description), {}, true, 6);
  for (auto& p : zero.parameters) std::fill(p.begin(), p.end(), 0.0f);
  contract::AttentionCase none(*find_scheme("nope").value(), {}, {}, true, 6);
  REQUIRE(zero.forward().ok());
  REQUIRE(none.forward().ok());
  CHECK(contract::largest_difference(zero.output, none.output) < 1e-7);
}

TEST_CASE("segments with a memory of keys equal one long pass") {
  const SchemeEntry& entry = *find_scheme("transformer_xl").value();
  contract::AttentionCase whole(entry, default_options(*entry.description), {}, true, 7);
  REQUIRE(whole.forward().ok());
  // The last three queries alone, with all earlier keys as memory.
  contract::AttentionCase tail(entry, default_options(*entry.description),
                               {.queries = 3, .keys = 9}, true, 7);
  tail.k = whole.k;
  tail.v = whole.v;
  tail.parameters = whole.parameters;
  for (int h = 0; h < 4; ++h)
    std::copy_n(whole.q.begin() + (h * 9 + 6) * 8, 24, tail.q.begin() + h * 24);
  tail.mask.query_offset = 6;
  tail.query_positions = {6, 7, 8};
  REQUIRE(tail.forward().ok());
  for (int h = 0; h < 4; ++h)
    for (int i = 0; i < 18; ++i)
      CHECK(std::abs(tail.output[h * 18 + i] - whole.output[(h * 9 + 6) * 6 + i]) < 1e-6);
}

}  // namespace
}  // namespace wf
