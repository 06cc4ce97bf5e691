#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "contract/attention_case.h"
#include "contract/embedding_case.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

using reference::floats;

enum { kLayout, kTableHeight, kTableWidth, kExtraTokens, kGridHeight, kGridWidth, kInterpolation };
enum { kVit, kDetr };
enum { kBicubic, kBicubicFactor, kBilinear };

// Returns the weight of each of an axis's `of` cells in cell `to` of the interpolated axis with
// `size` cells.
std::vector<double> shares(int interpolation, int to, int size, int of) {
  std::vector<double> found(of, 0.0);
  const auto add = [&](int cell, double weight) {
    found[std::min(std::max(cell, 0), of - 1)] += weight;
  };
  if (interpolation == kBilinear) {
    const double at = size > 1 ? double(to) * (of - 1) / (size - 1) : 0;
    for (int cell = 0; cell < of; ++cell) add(cell, std::max(0.0, 1 - std::abs(at - cell)));
    return found;
  }
  const double factor = (size + (interpolation == kBicubicFactor ? 0.1 : 0.0)) / of, a = -0.75;
  const double at = (to + 0.5) / factor - 0.5;
  for (int cell = -3; cell < of + 3; ++cell) {
    const double x = std::abs(at - cell);
    if (x <= 1)
      add(cell, (a + 2) * x * x * x - (a + 3) * x * x + 1);
    else if (x < 2)
      add(cell, a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a);
  }
  return found;
}

const reference::RegisteredTwin twin(
    "learned_2d",
    {
        .embed =
            [](const SchemeShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, reference::Place place,
               reference::Row& x) {
              const int width = shape.width, half = width / 2, row = place.axis[0],
                        column = place.axis[1];
              const int height = int(options[kTableHeight]), across = int(options[kTableWidth]);
              if (static_cast<int>(options[kLayout]) == kDetr) {
                for (int c = 0; c < half; ++c) x[c] += parameters[1].at(column * half + c);
                for (int c = 0; c < half; ++c) x[half + c] += parameters[0].at(row * half + c);
                return;
              }
              const auto add = [&](int index, double weight) {
                for (int c = 0; c < width; ++c)
                  x[c] += weight * parameters[0].at(index * width + c);
              };
              if (row < 0) return add(column, 1);
              const int extra = int(options[kExtraTokens]);
              const int rows = options[kGridHeight] ? int(options[kGridHeight]) : height;
              const int columns = options[kGridWidth] ? int(options[kGridWidth]) : across;
              if (rows == height && columns == across) return add(extra + row * across + column, 1);
              const std::vector<double> down =
                  shares(int(options[kInterpolation]), row, rows, height);
              const std::vector<double> along =
                  shares(int(options[kInterpolation]), column, columns, across);
              for (int y = 0; y < height; ++y)
                for (int z = 0; z < across; ++z) add(extra + y * across + z, down[y] * along[z]);
            },
    });

OptionValues options_of(int side, int extra, int rows = 0, int columns = 0,
                        int interpolation = kBicubic) {
  OptionValues options = default_options(*find_scheme("learned_2d").value()->description);
  options.values[kTableHeight] = options.values[kTableWidth] = side;
  options.values[kExtraTokens] = extra;
  options.values[kGridHeight] = rows, options.values[kGridWidth] = columns;
  options.values[kInterpolation] = interpolation;
  return options;
}

std::vector<std::int32_t> cells_of(int rows, int columns) {
  std::vector<std::int32_t> cells(2 * rows * columns);
  for (int i = 0; i < rows * columns; ++i)
    cells[i] = i / columns, cells[rows * columns + i] = i % columns;
  return cells;
}

TEST_CASE("a table is stretched as ViT, DINOv2 and Qwen3-VL stretch theirs") {
  const auto file = reference::golden("layers/grid_interpolation.json");
  int checked = 0;
  for (const auto& c : file["cases"]) {
    const std::string name = c["name"];
    const int rows = c["rows"], columns = c["columns"];
    CAPTURE(name);
    CAPTURE(rows);
    CAPTURE(columns);
    const int interpolation = name == "bicubic"                  ? kBicubic
                              : name[1] == 'i' && name[2] == 'c' ? kBicubicFactor
                                                                 : kBilinear;
    const std::vector<float> got =
        contract::embedded_positions("learned_2d", options_of(4, 0, rows, columns, interpolation),
                                     3, cells_of(rows, columns), floats(file["from"]), 2);
    reference::check_golden("layers/grid_interpolation.json", "table",
                            contract::largest_difference(got, floats(c["table"])));
    ++checked;
  }
  CHECK(checked == 11);
}

TEST_CASE("stretched or not, gradients reach the same cells") {
  for (const int interpolation : {kBicubic, kBicubicFactor, kBilinear}) {
    contract::EmbeddingCase problem(*find_scheme("learned_2d").value(),
                                    options_of(4, 2, 6, 7, interpolation), {0, 1, 2, 9}, 1);
    problem.positions = {0, 5, -1, 3, 0, 6, 1, 2};
    REQUIRE(problem.check().ok());
    problem.forward();
    CHECK(contract::largest_difference(
              problem.output, std::vector<std::vector<reference::Row>>{problem.twin()}) < 1e-6);
    const std::vector<float> probe =
        contract::random_values(4 * contract::EmbeddingCase::kWidth, 3);
    problem.backward(probe);
    for (std::size_t i = 0; i < problem.parameters[0].size(); ++i) {
      const float kept = problem.parameters[0][i];
      problem.parameters[0][i] = kept + 0x1p-10f;
      const double at = problem.parameters[0][i], up = problem.twin_loss(probe);
      problem.parameters[0][i] = kept;
      CHECK(std::abs((up - problem.twin_loss(probe)) / (at - kept) - problem.d_parameters[0][i]) <
            1e-5);
    }
  }
}

TEST_CASE("extra tokens stand before the cells and are not stretched") {
  std::vector<float> table(2 * (2 + 4));
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
  for (const int rows : {0, 5}) {
    const std::vector<float> got = contract::embedded_positions(
        "learned_2d", options_of(2, 2, rows, rows), 2, {-1, -1, 0, 1}, table, 2);
    CHECK(got == std::vector<float>{0, 1, 2, 3});
  }
  CHECK(contract::embedded_positions("learned_2d", options_of(2, 2), 2, {0, 1, 1, 1}, table, 2) ==
        std::vector<float>{6, 7, 10, 11});
}

TEST_CASE("DETR's tables of 50 begin uniformly from 0 to 1; the column stands first") {
  OptionValues options = options_of(50, 1);
  options.values[kLayout] = kDetr;
  contract::EmbeddingCase problem(*find_scheme("learned_2d").value(), options, {0}, 1);
  problem.positions = {3, 7};
  std::fill(problem.x.begin(), problem.x.end(), 0.0f);
  problem.forward();
  for (int c = 0; c < 4; ++c) {
    CHECK(problem.output[c] == problem.parameters[1][7 * 4 + c]);
    CHECK(problem.output[4 + c] == problem.parameters[0][3 * 4 + c]);
  }
  for (const ParameterSpec& spec : problem.scheme().parameters()) {
    CHECK(spec.rows == 50);
    CHECK(spec.initialiser == Initialiser::kUniform);
    CHECK(spec.mean - spec.deviation == 0);
    CHECK(spec.mean + spec.deviation == 1);
  }
}

TEST_CASE("a cell outside the grid, and an extra token too many, are refused by number") {
  contract::EmbeddingCase problem(*find_scheme("learned_2d").value(), options_of(2, 1, 3, 4),
                                  {0, 1}, 1);
  for (const auto& [row, column] : {std::pair{3, 0}, {0, 4}, {-1, 1}, {-2, 0}, {0, -1}}) {
    problem.positions = {0, row, 0, column};
    CHECK(problem.check().code() == Code::kInvalidArgument);
  }
  CHECK(std::string(problem.check().message()) ==
        "positions[1]: row 0, column -1 (expected row below 3 and column below 4, or row -1 and "
        "column below 1 (extra tokens))");
}

}  // namespace
}  // namespace wf
