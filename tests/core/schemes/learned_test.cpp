#include <doctest/doctest.h>

#include <algorithm>

#include "contract/attention_case.h"
#include "contract/embedding_case.h"
#include "reference/golden.h"

namespace wf {
namespace {

enum { kMaxPositions, kIndexRule };
enum Rule { kPlain, kOpt, kBart, kRoberta };

const reference::RegisteredTwin twin("learned",
                                     {
                                         .embed =
                                             [](const SchemeShape&, const OptionValues& options,
                                                const std::vector<reference::Row>& parameters,
                                                int position, reference::Row& x) {
                                               const int row =
                                                   position + (options[kIndexRule] == 0 ? 0 : 2);
                                               for (std::size_t c = 0; c < x.size(); ++c)
                                                 x[c] += parameters[0][row * x.size() + c];
                                             },
                                     });

OptionValues options_of(Rule rule, int most) {
  OptionValues options;
  options.values[kMaxPositions] = most;
  options.values[kIndexRule] = rule;
  return options;
}

// Returns the table rows that the positions use, found with a table whose rows contain their index.
std::vector<int> rows_of(Rule rule, const std::vector<std::int32_t>& positions) {
  std::vector<float> table(rule == kPlain ? 16 : 18);
  for (std::size_t r = 0; r < table.size(); ++r) table[r] = static_cast<float>(r);
  std::vector<int> rows;
  for (float x : contract::embedded_positions("learned", options_of(rule, 16), 1, positions, table))
    rows.push_back(static_cast<int>(x));
  return rows;
}

// Returns positions as OPT and RoBERTa count them: visible tokens from 0 on, and -1 for padding.
std::vector<std::int32_t> counted(const std::vector<int>& matters) {
  std::vector<std::int32_t> positions;
  int count = 0;
  for (int m : matters) positions.push_back(m ? count++ : -1);
  return positions;
}

std::vector<int> is_not(int pad, const std::vector<int>& ids) {
  std::vector<int> matters;
  for (int id : ids) matters.push_back(id != pad);
  return matters;
}

TEST_CASE("index rules give the rows of BERT, OPT, BART and RoBERTa") {
  CHECK(rows_of(kPlain, {0, 1, 2, 3}) == std::vector<int>{0, 1, 2, 3});
  CHECK(rows_of(kOpt, counted({0, 0, 1, 1})) == std::vector<int>{1, 1, 2, 3});
  CHECK(rows_of(kBart, {0, 1, 2, 3}) == std::vector<int>{2, 3, 4, 5});
  CHECK(rows_of(kRoberta, counted(is_not(1, {0, 9, 1, 7}))) == std::vector<int>{2, 3, 1, 4});
  CHECK(rows_of(kRoberta, counted(is_not(1, {1, 1, 9, 7}))) == std::vector<int>{1, 1, 2, 3});
}

TEST_CASE("rows equal those of OPT, BART and RoBERTa in transformers") {
  const nlohmann::json file = reference::golden("absolute.json");
  REQUIRE(file["indexRules"].size() >= 6);
  for (const auto& c : file["indexRules"]) {
    CAPTURE(c.dump());
    const auto name = c["rule"].get<std::string>();
    const Rule rule = name == "opt" ? kOpt : name == "bart" ? kBart : kRoberta;
    const auto matters = c["matters"].get<std::vector<int>>();
    std::vector<std::int32_t> positions = counted(matters);
    if (rule == kBart)  // counts padding as well
      for (std::size_t t = 0; t < positions.size(); ++t) positions[t] = static_cast<int>(t);
    CHECK(rows_of(rule, positions) == c["rows"].get<std::vector<int>>());
  }
}

TEST_CASE("tables have two rows more than positions where a family's have") {
  for (const auto& [rule, rows] :
       {std::pair{kPlain, 512}, {kOpt, 514}, {kBart, 514}, {kRoberta, 514}}) {
    const SchemeInstance learned =
        make_scheme(*find_scheme("learned").value(),
                    {.num_heads = 2, .num_kv_heads = 2, .head_dim = 4, .width = 8},
                    options_of(rule, 512))
            .take();
    CHECK(learned.scheme->parameters()[0].rows == rows);
    CHECK(learned.scheme->parameters()[0].columns == 8);
    CHECK(learned.scheme->parameters()[0].scope == ParameterScope::kModel);
  }
}

Status checked(Rule rule, std::int32_t position) {
  return contract::EmbeddingCase(*find_scheme("learned").value(), options_of(rule, 16),
                                 {0, position}, 1)
      .check();
}

TEST_CASE("a position without a row is refused with the expected range, and the last row is used") {
  for (const Rule rule : {kPlain, kOpt, kBart, kRoberta}) {
    CAPTURE(rule);
    CHECK(checked(rule, 15).ok());
    CHECK(checked(rule, 16).code() == Code::kInvalidArgument);
    CHECK(checked(rule, 1 << 30).code() == Code::kInvalidArgument);
    CHECK(checked(rule, -2).code() == Code::kInvalidArgument);
    CHECK(checked(rule, -1).ok() == (rule == kOpt || rule == kRoberta));
  }
  CHECK(std::string(checked(kPlain, 16).message()) ==
        "positions[1]: 16 (expected 0 to 15, since maxPositions is 16)");
  CHECK(std::string(checked(kOpt, 16).message()) ==
        "positions[1]: 16 (expected -1 to 15, since maxPositions is 16)");
}

TEST_CASE("OPT trains the row of padding, RoBERTa keeps it as it is") {
  for (const Rule rule : {kOpt, kRoberta}) {
    contract::EmbeddingCase problem(*find_scheme("learned").value(), options_of(rule, 16), {-1, 0},
                                    1);
    const std::vector<float> probe =
        contract::random_values(2 * contract::EmbeddingCase::kWidth, 2);
    problem.forward();
    problem.backward(probe);
    const float* padding = problem.d_parameters[0].data() + contract::EmbeddingCase::kWidth;
    const float* first = padding + contract::EmbeddingCase::kWidth;
    for (int c = 0; c < contract::EmbeddingCase::kWidth; ++c) {
      CHECK(padding[c] == (rule == kOpt ? probe[c] : 0.0f));
      CHECK(first[c] == probe[contract::EmbeddingCase::kWidth + c]);
    }
  }
}

TEST_CASE(
    "moving a token changes its vector by the difference of two rows; a zero table by nothing") {
  const SchemeEntry& entry = *find_scheme("learned").value();
  contract::EmbeddingCase here(entry, options_of(kPlain, 16), {3}, 4),
      there(entry, options_of(kPlain, 16), {9}, 4);
  here.forward();
  there.forward();
  const float* table = here.parameters[0].data();
  const int width = contract::EmbeddingCase::kWidth;
  for (int c = 0; c < width; ++c)
    CHECK(std::abs((there.output[c] - here.output[c]) -
                   (table[9 * width + c] - table[3 * width + c])) < 1e-6f);
  std::fill(here.parameters[0].begin(), here.parameters[0].end(), 0.0f);
  here.forward();
  CHECK(here.output == here.x);
}

}  // namespace
}  // namespace wf
