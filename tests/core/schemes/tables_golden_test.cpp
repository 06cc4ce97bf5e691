// Compares buckets, rows of learned tables and sinusoids with the published functions
// (tests/golden/layers/README.md).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "contract/attention_case.h"
#include "contract/embedding_case.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

using nlohmann::json;

OptionValues options_of(const char* scheme,
                        const std::vector<std::pair<const char*, double>>& set) {
  const SchemeDescription& description = *find_scheme(scheme).value()->description;
  OptionValues options = default_options(description);
  for (const auto& [key, value] : set) {
    std::size_t i = 0;
    while (i < description.options.size() && std::string(key) != description.options[i].key) ++i;
    REQUIRE(i < description.options.size());
    options.values[i] = value;
  }
  return options;
}

constexpr int kFarthest = 1100;

// Returns the bucket of each distance from -kFarthest to kFarthest; `changes` lists where buckets
// start.
std::vector<int> spelt_out(const json& changes) {
  std::vector<int> buckets;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const int end = i + 1 < changes.size() ? changes[i + 1][0].get<int>() : kFarthest + 1;
    while (static_cast<int>(buckets.size()) - kFarthest < end)
      buckets.push_back(changes[i][1].get<int>());
  }
  return buckets;
}

double most_apart(const std::vector<int>& ours, const std::vector<int>& theirs) {
  REQUIRE(ours.size() == theirs.size());
  int most = 0;
  for (std::size_t i = 0; i < ours.size(); ++i)
    most = std::max(most, std::abs(ours[i] - theirs[i]));
  return most;
}

TEST_CASE("T5's buckets are the published function's at every distance up to 1100") {
  const json file = reference::golden("layers/buckets.json");
  for (const json& c : file["t5"]) {
    const int buckets = c["numBuckets"].get<int>();
    CAPTURE(buckets);
    const SchemeInstance t5 =
        make_scheme(*find_scheme("t5").value(), {.num_heads = 1, .num_kv_heads = 1, .head_dim = 4},
                    options_of("t5", {{"numBuckets", buckets},
                                      {"maxDistance", c["maxDistance"].get<double>()},
                                      {"bidirectional", c["bidirectional"].get<bool>()}}))
            .take();
    // A table whose rows contain their index, read through the distance strip.
    std::vector<float> table(buckets), strip(2 * kFarthest + 1);
    for (int b = 0; b < buckets; ++b) table[b] = static_cast<float>(b);
    const float* values[] = {table.data()};
    t5.scheme->distance_strip({.values = values}, 0, -kFarthest, kFarthest + 1, strip.data());
    reference::check_golden("layers/buckets.json", "buckets",
                            most_apart({strip.begin(), strip.end()}, spelt_out(c["changes"])));
  }
}

TEST_CASE("DeBERTa's buckets are the published function's at every distance up to 1100") {
  const json file = reference::golden("layers/buckets.json");
  for (const json& c : file["deberta"]) {
    const int buckets = c["positionBuckets"].get<int>(), count = 2 * kFarthest + 1;
    CAPTURE(buckets);
    const OptionValues options =
        options_of("deberta", {{"positionBuckets", buckets},
                               {"maxRelativePositions", c["maxRelativePositions"].get<double>()},
                               {"shareProjections", 0}});
    // A table whose rows contain their index in one channel; the query is 1 there.
    contract::AttentionCase problem(
        *find_scheme("deberta").value(), options,
        {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 1, .queries = 1, .keys = count},
        false, 1);
    problem.q = {1, 0};
    problem.query_positions = {kFarthest};
    for (int s = 0; s < count; ++s) problem.key_positions[s] = 2 * kFarthest - s;  // offsets rise
    for (int r = 0; r < 2 * buckets; ++r) problem.parameters[0][2 * r] = static_cast<float>(r);
    problem.parameters[1] = {1, 0, 0, 1};
    problem.parameters[2] = {0, 0, 0, 0};
    auto recorder = Recorder::make(kRecordTerms, {}, problem.schemes(), 1, 2, 1, count).take();
    REQUIRE(problem.forward(&recorder).ok());
    std::vector<int> ours, theirs = spelt_out(c["changes"]);
    for (int s = 0; s < count; ++s)
      ours.push_back(static_cast<int>(std::lround(recorder.term(1)[s] * std::sqrt(6.0))));
    for (int& row : theirs) row = std::clamp(row + buckets, 0, 2 * buckets - 1);
    reference::check_golden("layers/buckets.json", "buckets", most_apart(ours, theirs));
  }
}

// Returns the rows that positions use in a learned table with 32 positions whose rows contain their
// index.
std::vector<int> rows_of(const char* rule, const std::vector<std::int32_t>& positions) {
  const SchemeDescription& description = *find_scheme("learned").value()->description;
  OptionValues options = options_of("learned", {{"maxPositions", 32}});
  REQUIRE(set_option(description, options, "indexRule", 0, rule).ok());
  std::vector<float> table(std::string(rule) == "plain" ? 32 : 34);
  for (std::size_t r = 0; r < table.size(); ++r) table[r] = static_cast<float>(r);
  std::vector<int> rows;
  for (const float x : contract::embedded_positions("learned", options, 1, positions, table))
    rows.push_back(static_cast<int>(x));
  return rows;
}

TEST_CASE("tokens take the rows of BERT, GPT-2, BART, RoBERTa and OPT, padded and after a cache") {
  const json file = reference::golden("layers/position_indices.json");
  for (const json& c : file["cases"]) {
    CAPTURE(c.dump());
    const auto mask = c["mask"].get<std::vector<int>>();
    const int past = c["past"].get<int>();
    std::vector<std::int32_t> by_place, by_count;
    int real = past;
    for (std::size_t t = 0; t < mask.size(); ++t) {
      by_place.push_back(past + static_cast<int>(t));
      by_count.push_back(mask[t] ? real++ : -1);
    }
    const auto check = [&](const char* rule, const std::vector<std::int32_t>& positions,
                           const char* theirs) {
      reference::check_golden(
          "layers/position_indices.json", "rows",
          most_apart(rows_of(rule, positions), c[theirs].get<std::vector<int>>()));
    };
    check("plain", by_place, "plain");
    check("bart", by_place, "bart");
    check("opt", by_count, "opt");
    check("roberta", by_count, "roberta");
    if (!c.contains("generation")) continue;
    std::vector<std::int32_t> not_negative = by_count;
    for (std::int32_t& p : not_negative) p = std::max(p, 0);
    check("plain", not_negative, "generation");
  }
}

TEST_CASE("token vectors of GPT-2, RoBERTa and OPT get the rows of their learned tables") {
  const SchemeDescription& description = *find_scheme("learned").value()->description;
  for (const char* path : {"layers/gpt2.json", "layers/roberta.json", "layers/opt.json"}) {
    CAPTURE(path);
    const json file = reference::golden(path);
    const json& table = file["parameters"][file["table"].get<std::string>()];
    for (const json& c : file["cases"]) {
      const std::string rule = c["rule"];
      const int width = reference::shape(table)[1];
      OptionValues options = default_options(description);
      REQUIRE(set_option(description, options, "maxPositions",
                         reference::shape(table)[0] - (rule == "plain" ? 0 : 2), nullptr)
                  .ok());
      REQUIRE(set_option(description, options, "indexRule", 0, rule.c_str()).ok());
      std::vector<float> ours = contract::embedded_positions(
          "learned", options, width, c["tablePositions"].get<std::vector<std::int32_t>>(),
          reference::floats(table));
      const std::vector<float> words = reference::floats(c["words"]);
      REQUIRE(ours.size() == words.size());
      for (std::size_t i = 0; i < words.size(); ++i) ours[i] += words[i];
      reference::check_golden(path, "embedded",
                              contract::largest_difference(ours, reference::floats(c["embedded"])));
    }
  }
}

TEST_CASE("patterns are those of XLM, Marian, M2M-100, Whisper and XLNet") {
  const json file = reference::golden("layers/sinusoidal_tables.json");
  for (const json& c : file["cases"]) {
    const int width = c["width"].get<int>();
    CAPTURE(width);
    const auto positions = c["positions"].get<std::vector<std::int32_t>>();
    const SchemeDescription& description = *find_scheme("sinusoidal").value()->description;
    const auto compare = [&](const char* layout, const std::vector<std::int32_t>& at,
                             std::vector<float> theirs) {
      OptionValues options = default_options(description);
      REQUIRE(set_option(description, options, "layout", 0, layout).ok());
      const std::vector<float> ours =
          contract::embedded_positions("sinusoidal", options, width, at);
      reference::check_golden("layers/sinusoidal_tables.json", "table",
                              contract::largest_difference(ours, theirs));
    };
    compare("paper", positions, reference::floats(c["xlm"]));
    compare("marian", positions, reference::floats(c["marian"]));
    compare("whisper", positions, reference::floats(c["whisper"]));
    // Row 1 belongs to padding and is zero; it is not a position.
    std::vector<std::int32_t> not_padding = positions;
    std::vector<float> rows = reference::floats(c["m2m100"]);
    not_padding.erase(not_padding.begin() + 1);
    rows.erase(rows.begin() + width, rows.begin() + 2 * width);
    compare("tensor2tensor", not_padding, rows);
    // Offsets; those of later keys are negative and have no position in this scheme.
    std::vector<std::int32_t> offsets;
    std::vector<float> before;
    const std::vector<float> xlnet = reference::floats(c["xlnet"]);
    for (std::size_t i = 0; i < c["xlnetOffsets"].size(); ++i) {
      const int offset = c["xlnetOffsets"][i].get<int>();
      if (offset < 0) continue;
      offsets.push_back(offset);
      before.insert(before.end(), xlnet.begin() + i * width, xlnet.begin() + (i + 1) * width);
    }
    compare("marian", offsets, before);
  }
}

}  // namespace
}  // namespace wf
