#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "contract/attention_case.h"
#include "reference/deviations.h"
#include "reference/golden.h"
#include "reference/rope_twin.h"

namespace wf {
namespace {

using reference::floats;
using reference::shape;

enum { kLayout, kTheta, kRowScale, kColumnScale, kRows, kColumns, kLearned };
enum { kEva02, kPixtral, kQwenVision, kLlama4 };

struct Turn {
  int axis;
  double frequency;
};

// Follows the four models' code, layout by layout.
Turn turn_of(int layout, double theta, int width, int pair) {
  const int half = width / 4;
  const bool second = pair >= half;
  const int t = pair % half;
  if (layout == kPixtral) return {second, std::pow(theta, -2.0 * (2 * t + second) / width)};
  const double frequency = std::pow(theta, -4.0 * t / width);
  return {layout == kLlama4 ? !second : second, frequency};
}

// Radians of a step along an axis at frequency 1.
double unit_of(const OptionValues& options, int axis) {
  const double side = options[kRows + axis], scale = options[kRowScale + axis];
  return side > 0 ? 2 * std::acos(-1.0) * scale / side : scale;
}

// The trained frequencies [2, key heads, pairs]: of columns, then of rows.
double mixed_angle(const reference::TwinShape& shape, const OptionValues& options,
                   const reference::Row& mixtures, bool is_query, int head,
                   reference::Place position, int pair) {
  const int pairs = shape.head_dim / 2;
  const int key_head = is_query ? head * shape.num_kv_heads / shape.num_heads : head;
  const int at = key_head * pairs + pair;
  return position.axis[1] * unit_of(options, 1) * mixtures[at] +
         position.axis[0] * unit_of(options, 0) * mixtures[shape.num_kv_heads * pairs + at];
}

const reference::RegisteredTwin twin(
    "rope_2d",
    {
        .trained_transform =
            [](const reference::TwinShape& shape, const OptionValues& options,
               const std::vector<reference::Row>& parameters, bool is_query, int head,
               reference::Place position, reference::Row& x) {
              const int layout = static_cast<int>(options[kLayout]), pairs = shape.head_dim / 2;
              const bool neighbours = layout == kEva02 || layout == kLlama4;
              for (int t = 0; t < pairs; ++t) {
                const Turn turn = turn_of(layout, options[kTheta], shape.head_dim, t);
                const double angle =
                    options[kLearned]
                        ? mixed_angle(shape, options, parameters[0], is_query, head, position, t)
                        : position.axis[turn.axis] * unit_of(options, turn.axis) * turn.frequency;
                double& a = x[neighbours ? 2 * t : t];
                double& b = x[neighbours ? 2 * t + 1 : t + pairs];
                reference::turn(a, b, angle);
              }
            },
    });

SchemeInstance make_layout(int layout, int head_dim, double row_scale = 1,
                           double column_scale = 1) {
  const SchemeEntry& entry = *find_scheme("rope_2d").value();
  OptionValues options = default_options(*entry.description);
  options.values[kLayout] = layout;
  options.values[kRowScale] = row_scale;
  options.values[kColumnScale] = column_scale;
  return make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = head_dim}, options)
      .take();
}

// Returns the cosines and sines [N, pairs] of cells.
std::vector<float> table_of(const SchemeInstance& instance,
                            const std::vector<std::int32_t>& cells) {
  const int count = static_cast<int>(cells.size()) / 2;
  std::vector<float> table(instance.scheme->position_table_floats(count));
  instance.scheme->fill_position_table({cells.data(), count, 2}, 1, nullptr, table.data());
  return table;
}

TEST_CASE("each layout turns its pairs by the published angles") {
  const auto check = [](int layout, const std::vector<double>& angles) {
    CAPTURE(layout);
    const std::vector<float> table = table_of(make_layout(layout, 8), {2, 3});
    REQUIRE(table.size() == 8);
    for (int t = 0; t < 4; ++t) {
      CHECK(std::abs(table[t] - std::cos(angles[t])) < 1e-7);
      CHECK(std::abs(table[4 + t] - std::sin(angles[t])) < 1e-7);
    }
  };
  check(kPixtral, {2, .02, .3, .003});
  check(kEva02, {2, .02, 3, .03});
  check(kQwenVision, {2, .02, 3, .03});
  check(kLlama4, {3, .03, 2, .02});
}

TEST_CASE("vectors turn as in the vision towers of Pixtral, Qwen2-VL, EVA-02 and Llama 4") {
  const auto file = reference::golden("layers/rope_2d.json");
  int checked = 0;
  for (const auto& c : file["cases"]) {
    const std::string family = c["family"];
    CAPTURE(family);
    const int layout = family == "Pixtral"    ? kPixtral
                       : family == "Qwen2-VL" ? kQwenVision
                       : family == "EVA-02"   ? kEva02
                                              : kLlama4;
    const std::vector<double> places = c["positions"]["data"];
    const int count = shape(c["positions"])[0], width = c["headDim"];
    // EVA-02's positions are integer cells times a scale; Llama 4 counts from 1.
    double scale[2] = {1, 1};
    if (layout == kEva02)
      scale[0] = places[2 * (count - 1)] / 2, scale[1] = places[2 * (count - 1) + 1] / 3;
    std::vector<std::int32_t> cells(2 * count);
    for (int i = 0; i < count; ++i)
      for (int axis = 0; axis < 2; ++axis)
        cells[axis * count + i] =
            static_cast<std::int32_t>(std::lround(places[2 * i + axis] / scale[axis])) +
            (layout == kLlama4);
    const SchemeInstance instance = make_layout(layout, width, scale[0], scale[1]);
    const std::vector<float> table = table_of(instance, cells);
    std::vector<float> x = floats(c["x"]);
    for (int h = 0; h < 2; ++h)
      instance.scheme->transform_projections(
          {}, Projection::kQuery, h, {{cells.data(), count, 2}, table.data()},
          {x.data() + std::ptrdiff_t{h} * count * width, count, width, width});
    reference::check_golden("layers/rope_2d.json", "rotated",
                            contract::largest_difference(x, floats(c["rotated"])));
    ++checked;
  }
  CHECK(checked == 10);
}

TEST_CASE("positions that count half rows and columns from the middle reach 2 pi at the edges") {
  const SchemeEntry& entry = *find_scheme("rope_2d").value();
  OptionValues options = default_options(*entry.description);
  options.values[kRows] = 4, options.values[kColumns] = 3, options.values[kTheta] = 100;
  const SchemeInstance instance =
      make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = 8}, options).take();
  // A class token, which does not turn, and the cell in row 3 of 4 and column 0 of 3.
  const std::vector<float> table = table_of(instance, {0, 2 * 3 + 1 - 4, 0, 2 * 0 + 1 - 3});
  const double circle = 2 * std::acos(-1.0);
  const double angles[] = {circle * 3 / 4, circle * 3 / 40, -circle * 2 / 3, -circle * 2 / 30};
  for (int t = 0; t < 4; ++t) {
    CHECK(table[t] == 1);
    CHECK(table[8 + t] == 0);
    CHECK(std::abs(table[4 + t] - std::cos(angles[t])) < 1e-6);
    CHECK(std::abs(table[12 + t] - std::sin(angles[t])) < 1e-6);
  }
}

TEST_CASE("trained frequencies equal the twin's on a grid with sides, with shared key heads") {
  const SchemeEntry& entry = *find_scheme("rope_2d").value();
  for (const int layout : {kEva02, kPixtral, kQwenVision, kLlama4}) {
    CAPTURE(layout);
    OptionValues options = default_options(*entry.description);
    options.values[kLayout] = layout, options.values[kLearned] = 1;
    options.values[kRows] = 5, options.values[kColumnScale] = 0.5;
    contract::AttentionCase problem(entry, options, {.heads = 4, .kv_heads = 2}, false, 7);
    REQUIRE(problem.parameters.size() == 1);
    REQUIRE(problem.parameters[0].size() == 2 * 2 * 4);
    problem.parameters[0] = contract::random_values(16, 8);
    REQUIRE(problem.forward().ok());
    CHECK(contract::largest_difference(problem.output, problem.twin().output) < 2e-6);
  }
}

TEST_CASE("before training, the first head's mixtures are the axial rotation") {
  const SchemeEntry& entry = *find_scheme("rope_2d").value();
  OptionValues options = default_options(*entry.description);
  options.values[kLearned] = 1;
  const SchemeInstance instance =
      make_scheme(entry, {.num_heads = 2, .num_kv_heads = 2, .head_dim = 8}, options).take();
  const ParameterSpec spec = instance.scheme->parameters()[0];
  REQUIRE(spec.initialiser == Initialiser::kGiven);
  const float half = std::sqrt(0.5f), low = 0.01f;
  const std::vector<float> expected = {
      // Columns: the first head's pairs of rows, of columns; the second's, at half a right angle.
      0, 0, 1, low, -half, -half * low, half, half * low,
      // Rows.
      1, low, 0, 0, half, half * low, half, half * low};
  CHECK(contract::largest_difference({spec.given, spec.given + spec.size()}, expected) < 1e-7);
  CHECK(instance.scheme->frequencies(1, nullptr, nullptr) == 0);
}

TEST_CASE("a head whose channels do not pair up for two axes is refused") {
  const SchemeEntry& entry = *find_scheme("rope_2d").value();
  const auto made = make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = 6},
                                default_options(*entry.description));
  CHECK(std::string(made.status().message()) ==
        "headDim: 6 (expected a multiple of 4, for pairs of channels of two axes)");
}

}  // namespace
}  // namespace wf
