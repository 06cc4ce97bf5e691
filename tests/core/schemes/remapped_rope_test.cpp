#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "contract/attention_case.h"
#include "contract/decoding.h"
#include "reference/rope_twin.h"
#include "schemes/rope_scaling.h"

namespace wf {
namespace {

enum { kTheta, kInterleaved, kPartial, kMax };

int option_index(const char* key) {
  const auto& options = find_scheme("remapped_rope").value()->description->options;
  return int(std::ranges::find(options, std::string(key), &Option::key) - options.begin());
}
double option(const OptionValues& options, const char* key) { return options[option_index(key)]; }
const char* method_of(const OptionValues& options) {
  const Option& method =
      find_scheme("remapped_rope").value()->description->options[option_index("method")];
  return method.choices[int(option(options, "method"))];
}

// The distance by which a pair is rotated, from the papers' formulas for distances; the engine adds
// rotations of queries and of keys.
double distance(const OptionValues& options, double i, double j) {
  const std::string method = method_of(options);
  const double w = option(options, "window"), group = option(options, "group"), d = i - j;
  const auto block = [](double position, double size) { return std::floor(position / size); };
  if (method == "dual_chunk") {
    const double c = option(options, "chunk"), s = c - w;
    const double apart = block(i, s) - block(j, s);
    if (apart < 1) return d;
    // An exact distance up to the limit of the query's position, that of the next chunk.
    const double query = apart == 1 ? i - block(j, s) * s : 2 * s - 1;
    return std::min(query, c) - (j - block(j, s) * s);
  }
  if (d < w) return d;
  if (method == "leaky_rerope") return w + (d - w) / group;
  if (method == "self_extend") return block(i, group) - block(j, group) + w - block(w, group);
  return w;
}

const reference::RegisteredTwin twin(
    "remapped_rope",
    {
        .bias =
            [](const reference::TwinShape& shape, const OptionValues& options,
               const std::vector<reference::Row>&, int, reference::Place query,
               reference::Place key, const reference::Row& q, const reference::Row& k) {
              const reference::RopeLadder ladder =
                  reference::ladder_of_head(options, kMax, shape.head_dim, options[kPartial],
                                            options[kTheta], query.sequence_length);
              const double steps = distance(options, query, key);
              const int pairs = int(ladder.frequencies.size());
              double sum = 0;
              for (int t = 0; t < pairs; ++t) {
                const int a = options[kInterleaved] ? 2 * t : t;
                const int b = options[kInterleaved] ? 2 * t + 1 : t + pairs;
                const double cosine = std::cos(steps * ladder.frequencies[t]);
                const double sine = std::sin(steps * ladder.frequencies[t]);
                sum += ladder.factor * ladder.factor *
                           ((q[a] * k[a] + q[b] * k[b]) * cosine +
                            (q[a] * k[b] - q[b] * k[a]) * sine) -
                       (q[a] * k[a] + q[b] * k[b]);
              }
              return shape.logit_scale * sum;
            },
        .hides =
            [](const OptionValues& options, int query, int key) {
              return method_of(options) == std::string("lm_infinite") &&
                     query - key >= option(options, "window") && key >= option(options, "kept");
            },
        // Sizes for which some of a few keys are far, none a divisor of the contract's shift.
        .complete =
            [](const SchemeShape& shape, OptionValues& options) {
              double& window = options.values[option_index("window")];
              double& group = options.values[option_index("group")];
              double& chunk = options.values[option_index("chunk")];
              double& kept = options.values[option_index("kept")];
              window = std::min(window, 4.0);
              group = std::min(group, 3.0);
              chunk = std::clamp(chunk, window + 1, window + 3);
              kept = std::min(kept, 2.0);
              reference::complete_rope_scaling(options, kMax,
                                               int(shape.head_dim * options[kPartial]) / 2);
            },
    });

struct Settings {
  const char* method;
  double window = 3, group = 3, chunk = 6, kept = 1;
};

contract::AttentionCase case_of(const Settings& settings, const contract::Sizes& sizes = {},
                                std::uint64_t seed = 5) {
  const SchemeEntry& entry = *find_scheme("remapped_rope").value();
  OptionValues options = default_options(*entry.description);
  const auto set = [&](const char* key, double value) {
    REQUIRE(set_option(*entry.description, options, key, value, settings.method).ok());
  };
  set("method", 0);
  set("window", settings.window);
  set("group", settings.group);
  set("chunk", settings.chunk);
  set("kept", settings.kept);
  return contract::AttentionCase(entry, options, sizes, true, seed);
}

// The logits of a query at the last of `count` positions, for channels (1, 0), so that each is the
// cosine of a distance.
std::vector<double> cosines(const Settings& settings, int count) {
  contract::AttentionCase one = case_of(
      settings,
      {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 1, .queries = count, .keys = count});
  for (int i = 0; i < count; ++i)
    for (auto* x : {&one.q, &one.k}) {
      (*x)[2 * i] = 1;
      (*x)[2 * i + 1] = 0;
    }
  Recorder recorder = Recorder::make(kRecordLogits, {}, one.schemes(), 1, 2, count, count).take();
  REQUIRE(one.forward(&recorder).ok());
  std::vector<double> last;
  for (int j = 0; j < count; ++j)
    last.push_back(std::sqrt(2.0) * recorder.logits()[(count - 1) * count + j]);
  return last;
}

void check_distances(const Settings& settings, const std::vector<double>& expected) {
  CAPTURE(settings.method);
  const std::vector<double> found = cosines(settings, int(expected.size()));
  for (std::size_t j = 0; j < expected.size(); ++j) {
    CAPTURE(j);
    CHECK(std::abs(found[j] - std::cos(expected[j])) < 1e-6);
  }
}

TEST_CASE("distances are those of the papers, for a query at position 9") {
  check_distances({.method = "rerope"}, {3, 3, 3, 3, 3, 3, 3, 2, 1, 0});
  check_distances({.method = "lm_infinite"}, {3, 3, 3, 3, 3, 3, 3, 2, 1, 0});
  // 3 + (d - 3) / 2.
  check_distances({.method = "leaky_rerope", .group = 2}, {6, 5.5, 5, 4.5, 4, 3.5, 3, 2, 1, 0});
  // ⌊9 / 2⌋ - ⌊j / 2⌋ + 3 - 1.
  check_distances({.method = "self_extend", .group = 2}, {6, 6, 5, 5, 4, 4, 3, 2, 1, 0});
  // Chunks of 3: position 9 begins the fourth. The chunk before is at its true distances, and keys
  // further away as if the query were at 2 · 3 - 1 and the key in its chunk.
  check_distances({.method = "dual_chunk", .chunk = 6}, {5, 4, 3, 5, 4, 3, 3, 2, 1, 0});
  // The last query of a chunk sees the one before no further away than the chunk size, 4.
  check_distances({.method = "dual_chunk", .window = 1, .chunk = 4}, {4, 3, 2, 4, 3, 2, 2, 1, 0});
}

TEST_CASE("LM-Infinite hides all keys between the first ones and the window, ReRoPE none") {
  for (const char* method : {"lm_infinite", "rerope"}) {
    CAPTURE(method);
    contract::AttentionCase problem = case_of({.method = method, .window = 3, .kept = 2});
    Recorder recorder = Recorder::make(kRecordWeights, {}, problem.schemes(), 4, 8, 9, 9).take();
    REQUIRE(problem.forward(&recorder).ok());
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j <= i; ++j) {
        const bool is_hidden = std::strcmp(method, "rerope") && i - j >= 3 && j >= 2;
        CHECK((recorder.weights()[i * 9 + j] == 0) == is_hidden);
      }
  }
}

TEST_CASE("without the term of the remapping, a logit is that of RoPE") {
  contract::AttentionCase problem = case_of({.method = "self_extend"});
  const SchemeEntry& rope = *find_scheme("rope").value();
  contract::AttentionCase plain(rope, default_options(*rope.description), {}, true, 5);
  const std::uint32_t kinds = kRecordLogits | kRecordTerms;
  Recorder recorder = Recorder::make(kinds, {}, problem.schemes(), 4, 8, 9, 9).take();
  Recorder expected = Recorder::make(kinds, {}, plain.schemes(), 4, 8, 9, 9).take();
  REQUIRE(problem.forward(&recorder).ok());
  REQUIRE(plain.forward(&expected).ok());
  REQUIRE(recorder.term_count() == 3);
  CHECK(std::strcmp(recorder.term_name(2), "remapping") == 0);
  double changed = 0;
  for (std::size_t i = 0; i < expected.logits().size(); ++i) {
    CHECK(std::abs(recorder.term(0)[i] + recorder.term(1)[i] - expected.logits()[i]) < 1e-6);
    changed = std::max(changed, std::abs(double(recorder.term(2)[i])));
  }
  CHECK(changed > 0.1);
}

TEST_CASE("tiles of any size, several heads and the cache equal the twin, with every method") {
  for (const char* method :
       {"rerope", "leaky_rerope", "self_extend", "dual_chunk", "lm_infinite"}) {
    CAPTURE(method);
    contract::AttentionCase problem =
        case_of({.method = method, .window = 4, .group = 2, .chunk = 7, .kept = 2},
                {.heads = 4,
                 .kv_heads = 2,
                 .head_dim = 16,
                 .value_dim = 8,
                 .queries = contract::kPastTile,
                 .keys = contract::kPastTile});
    REQUIRE(problem.forward().ok());
    CHECK(contract::largest_difference(problem.output, problem.twin().output) < 8e-6);
    CHECK(contract::decode_differs(problem, {contract::kPastTile - 60, 1, 1, 57, 1}) < 8e-6);
  }
}

TEST_CASE("a cache that may evict tokens has the remaining ones at their new positions") {
  contract::AttentionCase problem = case_of({.method = "dual_chunk"});
  KvCache cache = KvCache::make(problem.config, 9).take();
  REQUIRE(cache.keep_raw_keys().ok());
  const AttentionInput in = problem.input();
  std::vector<float> output(4 * 9 * 6);
  REQUIRE(attention_decode(problem.config, problem.schemes(), cache, in.q, in.k, in.v,
                           in.query_positions, heads_outermost(output.data(), 4, 9, 6),
                           problem.saved(), problem.scratch())
              .ok());
  CHECK(cache.keys().columns == 3 * 8);
  REQUIRE(attention_evict(problem.config, problem.schemes(), cache, 2, 4, problem.scratch()).ok());
  // The keys of a cache of the remaining tokens alone.
  KvCache fresh = KvCache::make(problem.config, 9).take();
  for (const auto& [first, count] : {std::pair{0, 2}, {6, 3}}) {
    const auto part = [&](const ConstHeads& x) {
      return ConstHeads{
          x.data + first * x.row_stride, x.heads, count, x.columns, x.head_stride, x.row_stride};
    };
    const std::vector<std::int32_t> positions = first ? std::vector{2, 3, 4} : std::vector{0, 1};
    REQUIRE(attention_decode(problem.config, problem.schemes(), fresh, part(in.q), part(in.k),
                             part(in.v), {positions.data(), count, 1},
                             heads_outermost(output.data(), 4, count, 6), problem.saved(),
                             problem.scratch())
                .ok());
  }
  for (int head = 0; head < 2; ++head)
    for (int t = 0; t < 5; ++t)
      for (int c = 0; c < 16; ++c)
        CHECK(cache.keys().head(head).row(t)[c] == fresh.keys().head(head).row(t)[c]);
}

TEST_CASE("a factor of queries stands beside it, another rotation does not") {
  contract::AttentionCase problem = case_of({.method = "rerope"});
  const auto beside = [&](const char* id) {
    const SchemeEntry& entry = *find_scheme(id).value();
    OptionValues options = default_options(*entry.description);
    contract::AttentionCase other(entry, options, {}, true, 6);
    LayerSchemes both = problem.schemes();
    both.items[both.count++] = other.schemes().items[0];
    std::vector<float> output(4 * 9 * 6);
    return attention_forward(problem.config, both, problem.input(),
                             heads_outermost(output.data(), 4, 9, 6), problem.saved(),
                             problem.scratch());
  };
  CHECK(beside("query_scale").ok());
  CHECK(beside("rope").code() == Code::kUnsupported);
}

TEST_CASE("a chunk that is no longer than its window is refused") {
  const SchemeEntry& entry = *find_scheme("remapped_rope").value();
  OptionValues options = default_options(*entry.description);
  REQUIRE(set_option(*entry.description, options, "method", 0, "dual_chunk").ok());
  REQUIRE(set_option(*entry.description, options, "chunk", 512).ok());
  const auto made = make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = 8}, options);
  CHECK(made.status().code() == Code::kInvalidArgument);
  CHECK(std::strstr(made.status().message(), "chunk: 512 (expected more than window, 512)"));
}

}  // namespace
}  // namespace wf
