#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "contract/attention_case.h"
#include "contract/embedding_case.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

using reference::floats;

enum { kLayout, kBase, kNormalize, kCellCentres, kGridHeight, kGridWidth };
enum { kMae, kMaeRowsFirst, kDetr };

// Returns the encoding of a cell, computed channel by channel.
reference::Row encoding(const OptionValues& options, int width, const reference::Place& place) {
  reference::Row row(width, 0.0);
  if (place.axis[0] < 0 || place.axis[1] < 0) return row;
  const int half = width / 2, layout = static_cast<int>(options[kLayout]);
  for (int c = 0; c < width; ++c) {
    const bool second = c >= half;
    const int axis = layout == kMae ? !second : second, i = c % half;
    double at = place.axis[axis];
    if (layout == kDetr && options[kNormalize] != 0) {
      const double last = options[axis == 0 ? kGridHeight : kGridWidth];
      at = (at + (options[kCellCentres] != 0 ? 0.5 : 1)) / (last + 1e-6) * 2 *
           3.14159265358979323846;
    } else if (layout == kDetr) {
      at += 1;
    }
    const int t = layout == kDetr ? i / 2 : i % (half / 2);
    const bool is_cosine = layout == kDetr ? i % 2 == 1 : i >= half / 2;
    const double angle = at / std::pow(options[kBase], 2.0 * t / half);
    row[c] = is_cosine ? std::cos(angle) : std::sin(angle);
  }
  return row;
}

const reference::RegisteredTwin twin(
    "sinusoidal_2d",
    {
        .embed =
            [](const SchemeShape& shape, const OptionValues& options,
               const std::vector<reference::Row>&, reference::Place place, reference::Row& x) {
              const reference::Row row = encoding(options, shape.width, place);
              for (int c = 0; c < shape.width; ++c) x[c] += row[c];
            },
        .trained_transform =
            [](const SchemeShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, bool is_query, int head,
               reference::Place place, reference::Row& x) {
              if (static_cast<int>(options[kLayout]) != kDetr) return;
              const reference::Row row = encoding(options, shape.width, place),
                                   &weight = parameters[is_query ? 0 : 1];
              for (std::size_t c = 0; c < x.size(); ++c)
                for (int e = 0; e < shape.width; ++e)
                  x[c] += weight.at((head * x.size() + c) * shape.width + e) * row[e];
            },
    });

OptionValues options_of(int layout, int rows = 14, int columns = 14) {
  OptionValues options = default_options(*find_scheme("sinusoidal_2d").value()->description);
  options.values[kLayout] = layout;
  options.values[kGridHeight] = rows, options.values[kGridWidth] = columns;
  return options;
}

// Returns the encodings [N,width] that attention adds, before their projection.
std::vector<float> table_of(const OptionValues& options, int width,
                            const std::vector<std::int32_t>& cells) {
  const SchemeInstance instance =
      make_scheme(*find_scheme("sinusoidal_2d").value(),
                  {.num_heads = 1, .num_kv_heads = 1, .head_dim = width}, options)
          .take();
  const int count = static_cast<int>(cells.size()) / 2;
  std::vector<float> table(instance.scheme->position_table_floats(count));
  instance.scheme->fill_position_table({cells.data(), count, 2}, 1, nullptr, table.data());
  return table;
}

void check_equal(const std::vector<float>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - expected[i]) < 2e-7);
}

TEST_CASE("DETR's cell in the second column of a grid of 2 x 2 has the published numbers") {
  check_equal(table_of(options_of(kDetr, 2, 2), 8, {0, 1}),
              {1.570795542e-06, -1, .03141074338, .9995065609, -3.141591084e-06, 1, .06279048818,
               .9980267304});
}

TEST_CASE("MAE's first half is the column, whatever its name says") {
  check_equal(contract::embedded_positions("sinusoidal_2d", options_of(kMae), 8, {1, 3}, {}, 2),
              {.1411200081, .0299955002, -.9899924966, .9995500337, .8414709848, .009999833334,
               .5403023059, .9999500004});
}

TEST_CASE("tables of DETR and MAE come out the same, those of either version of transformers") {
  int checked = 0;
  for (const char* path : {"layers/grid_sinusoids.json", "layers/grid_sinusoids_v4.json"}) {
    const auto file = reference::golden(path);
    for (const auto& c : file["cases"]) {
      const std::string name = c["name"];
      CAPTURE(std::string(path) + " " + name);
      const int rows = c["rows"], columns = c["columns"], width = c["width"];
      const bool is_detr = name != "MAE",
                 is_old = std::string(path).find("v4") != std::string::npos;
      // Positions count valid cells only; padding has the position -1.
      std::vector<std::int32_t> cells(2 * rows * columns, -1);
      int tall = 0, wide = 0;
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
          if (is_detr && c["valid"]["data"][y * columns + x].get<int>() == 0) continue;
          cells[y * columns + x] = y, cells[(rows + y) * columns + x] = x;
          tall = std::max(tall, y + 1), wide = std::max(wide, x + 1);
        }
      OptionValues options = options_of(is_detr  ? kDetr
                                        : is_old ? kMae
                                                 : kMaeRowsFirst,
                                        tall, wide);
      options.values[kNormalize] = is_detr && c["normalize"].get<bool>();
      std::vector<float> got = table_of(options, width, cells), expected = floats(c["table"]);
      for (int i = 0; i < rows * columns; ++i)
        if (cells[i] < 0)
          for (int e = 0; e < width; ++e) {
            CHECK(got[i * width + e] == 0);
            expected[i * width + e] = 0;
          }
      reference::check_golden(path, "table", contract::largest_difference(got, expected));
      ++checked;
    }
  }
  CHECK(checked == 8);
}

TEST_CASE("DETR's positions need a layer to project them, and say so before they are used") {
  contract::AttentionCase problem(*find_scheme("sinusoidal_2d").value(), options_of(kDetr), {},
                                  false, 1);
  REQUIRE(problem.forward().ok());
  problem.projections.clear();
  const Status status = problem.forward();
  CHECK(status.code() == Code::kUnsupported);
  CHECK(std::string(status.message()).find("works in a model only") != std::string::npos);
}

TEST_CASE("a width that is no multiple of four is refused") {
  const auto made =
      make_scheme(*find_scheme("sinusoidal_2d").value(),
                  {.num_heads = 1, .num_kv_heads = 1, .head_dim = 6}, options_of(kMae));
  CHECK(std::string(made.status().message()) ==
        "hiddenSize: 6 (expected a multiple of 4, for sines and cosines of two axes)");
}

}  // namespace
}  // namespace wf
