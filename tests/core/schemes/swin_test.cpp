#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "contract/attention_case.h"
#include "schemes/grid_range.h"

namespace wf {
namespace {

enum { kVersion, kHeight, kWidth, kPretrainedHeight, kPretrainedWidth, kHiddenWidth };

double coordinate(double offset, double side) {
  const double z = 8 * offset / std::max(side - 1, 1.0);
  return (z < 0 ? -1 : 1) * std::log2(std::abs(z) + 1) / std::log2(8.0);
}

const reference::RegisteredTwin twin(
    "swin",
    {
        .trained_transform =
            [](const SchemeShape&, const OptionValues& options,
               const std::vector<reference::Row>& parameters, bool is_query, int head,
               reference::Place, reference::Row& x) {
              if (options[kVersion] == 0) return;
              double squares = 0;
              for (double c : x) squares += c * c;
              const double factor = is_query ? std::min(std::exp(parameters[0][head]), 100.0) : 1;
              for (double& c : x) c *= factor / std::sqrt(squares);
            },
        .bias =
            [](const SchemeShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, int head, reference::Place query,
               reference::Place key, const reference::Row&, const reference::Row&) {
              const int dy = query.axis[0] - key.axis[0], dx = query.axis[1] - key.axis[1];
              if (options[kVersion] == 0) {
                const int height = static_cast<int>(options[kHeight]),
                          width = static_cast<int>(options[kWidth]);
                return parameters[0].at(((dy + height - 1) * (2 * width - 1) + dx + width - 1) *
                                            shape.num_heads +
                                        head);
              }
              const double rows =
                  options[kPretrainedHeight] > 0 ? options[kPretrainedHeight] : options[kHeight];
              const double columns =
                  options[kPretrainedWidth] > 0 ? options[kPretrainedWidth] : options[kWidth];
              const double y = coordinate(dy, rows), x = coordinate(dx, columns);
              const int hidden = static_cast<int>(options[kHiddenWidth]);
              double sum = 0;
              for (int u = 0; u < hidden; ++u) {
                const double unit =
                    parameters[1][2 * u] * y + parameters[1][2 * u + 1] * x + parameters[2][u];
                sum += parameters[3][head * hidden + u] * std::max(unit, 0.0);
              }
              return 16 / (1 + std::exp(-sum));
            },
        .scale = [](const SchemeShape&,
                    const OptionValues& options) { return options[kVersion] == 1 ? 1.0 : 0.0; },
    });

OptionValues options_of(int version, int side) {
  OptionValues options = default_options(*find_scheme("swin").value()->description);
  options.values[kVersion] = version;
  options.values[kHeight] = options.values[kWidth] = side;
  return options;
}

// Returns a case with one head, in which the bias is added to logits of zero, between all cells of
// a window.
contract::AttentionCase bias_alone(const OptionValues& options, int rows, int columns) {
  const int cells = rows * columns;
  contract::AttentionCase problem(
      *find_scheme("swin").value(), options,
      {.heads = 1, .kv_heads = 1, .head_dim = 2, .value_dim = 2, .queries = cells, .keys = cells},
      false, 1);
  for (int i = 0; i < cells; ++i) {
    problem.query_positions[i] = problem.key_positions[i] = i / columns;
    problem.query_positions[cells + i] = problem.key_positions[cells + i] = i % columns;
  }
  std::fill(problem.q.begin(), problem.q.end(), 0.0f);
  return problem;
}

std::vector<float> biases(contract::AttentionCase& problem) {
  const int cells = problem.sizes().queries;
  auto recorder = Recorder::make(kRecordLogits, {}, problem.schemes(), 1, 2, cells, cells).take();
  REQUIRE(problem.forward(&recorder).ok());
  return {recorder.logits().begin(), recorder.logits().end()};
}

TEST_CASE("a window of 2 x 2 reads the rows of the table in the published order") {
  contract::AttentionCase problem = bias_alone(options_of(0, 2), 2, 2);
  for (int row = 0; row < 9; ++row) problem.parameters[0][row] = static_cast<float>(row);
  CHECK(biases(problem) == std::vector<float>{4, 3, 1, 0, 5, 4, 2, 1, 7, 6, 4, 3, 8, 7, 5, 4});
}

// Hidden units that return one coordinate and its negative; the test inverts the sigmoid.
TEST_CASE("coordinates are logarithmic, and reach past 1 at the end of the window") {
  contract::AttentionCase problem = bias_alone(options_of(1, 8), 1, 8);
  for (int p = 1; p < 4; ++p)
    std::fill(problem.parameters[p].begin(), problem.parameters[p].end(), 0.0f);
  problem.parameters[1][1] = 1, problem.parameters[1][3] = -1;
  problem.parameters[3][0] = 1, problem.parameters[3][1] = -1;
  const std::vector<float> bias = biases(problem);
  const auto seen = [&](int query, int key) {
    const double b = bias[query * 8 + key];
    return std::log(b / (16 - b));
  };
  CHECK(std::abs(seen(0, 7) - -1.056641667) < 1e-6);
  CHECK(std::abs(seen(0, 3) - -0.7156137961) < 1e-6);
  CHECK(std::abs(seen(4, 4)) < 1e-6);
  CHECK(std::abs(seen(1, 0) - 0.3665118912) < 1e-6);
  CHECK(std::abs(seen(7, 0) - 1.056641667) < 1e-6);
}

TEST_CASE("the factor of a cosine stops at 100, and its gradient there") {
  contract::AttentionCase problem(
      *find_scheme("swin").value(), options_of(1, 3),
      {.heads = 1, .kv_heads = 1, .head_dim = 4, .value_dim = 2, .queries = 2, .keys = 2}, false,
      3);
  for (int p = 1; p < 4; ++p)
    std::fill(problem.parameters[p].begin(), problem.parameters[p].end(), 0.0f);
  std::copy_n(problem.q.begin(), 4, problem.k.begin());  // cosine 1
  for (const float scale : {4.0f, 5.0f}) {
    problem.parameters[0][0] = scale;
    auto recorder = Recorder::make(kRecordLogits, {}, problem.schemes(), 1, 4, 2, 2).take();
    REQUIRE(problem.forward(&recorder).ok());
    REQUIRE(problem.backward({1, 2, 3, 4}).ok());
    CHECK(recorder.logits()[0] == doctest::Approx(8 + std::min(std::exp(scale), 100.0f)));
    CHECK((problem.d_parameters[0][0] == 0) == (scale == 5));
  }
}

TEST_CASE(
    "the table refuses an offset past the window's side, by rows and by columns; the network "
    "answers it") {
  for (const int axis : {0, 1}) {
    for (const int version : {0, 1}) {
      contract::AttentionCase problem = bias_alone(options_of(version, 3), 2, 2);
      problem.key_positions[axis * 4 + 2] = 4;
      const Status status = problem.forward();
      CHECK(status.ok() == (version == 1));
      if (status.ok()) continue;
      CHECK(status.code() == Code::kInvalidArgument);
      CHECK(std::string(status.message()) == (axis ? "positions: 4 columns between query and key "
                                                     "(expected 0 to 2, since windowWidth is 3)"
                                                   : "positions: 4 rows between query and key "
                                                     "(expected 0 to 2, since windowHeight is 3)"));
    }
  }
}

TEST_CASE("far and scattered cells have a row for each pair, near ones a row for each offset") {
  const std::vector<std::int32_t> near = {0, 0, 1, 1, 0, 1, 0, 1},
                                  far = {0, 1 << 29, -(1 << 29), 7, 0, 1 << 29, 5, 9};
  for (const auto* cells : {&near, &far}) {
    LayerContext context;
    context.query_positions = context.key_positions = {cells->data(), 4, 2};
    const GridRange range(context);
    CHECK(range.rows() == (cells == &near ? 9 : 16));
    std::vector<std::pair<std::int64_t, std::int64_t>> offsets(range.rows());
    range.for_each_row(
        [&](std::size_t row, std::int64_t dy, std::int64_t dx) { offsets.at(row) = {dy, dx}; });
    for (int t = 0; t < 4; ++t)
      for (int s = 0; s < 4; ++s)
        CHECK(offsets.at(range.row(t, s)) ==
              std::pair{range.offset(t, s, 0), range.offset(t, s, 1)});
  }
}

TEST_CASE("parameters are those of the published checkpoints") {
  const auto specs_of = [](int version) {
    const SchemeInstance swin =
        make_scheme(*find_scheme("swin").value(),
                    {.num_heads = 3, .num_kv_heads = 3, .head_dim = 32}, options_of(version, 7))
            .take();
    std::vector<ParameterSpec> specs(swin.scheme->parameters().begin(),
                                     swin.scheme->parameters().end());
    return specs;
  };
  REQUIRE(specs_of(0).size() == 1);
  CHECK(specs_of(0)[0].size() == 169 * 3);
  REQUIRE(specs_of(1).size() == 4);
  CHECK(specs_of(1)[0].size() == 3);
  CHECK(specs_of(1)[0].deviation == doctest::Approx(std::log(10.0)));
  CHECK(specs_of(1)[1].size() + specs_of(1)[2].size() + specs_of(1)[3].size() == 512 * (2 + 1 + 3));
}

}  // namespace
}  // namespace wf
