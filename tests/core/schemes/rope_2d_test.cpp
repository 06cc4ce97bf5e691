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

enum { kLayout, kTheta, kRowScale, kColumnScale };
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

const reference::RegisteredTwin twin(
    "rope_2d",
    {
        .transform =
            [](const SchemeShape& shape, const OptionValues& options, bool, int,
               reference::Place position, reference::Row& x) {
              const int layout = static_cast<int>(options[kLayout]), pairs = shape.head_dim / 2;
              const bool neighbours = layout == kEva02 || layout == kLlama4;
              for (int t = 0; t < pairs; ++t) {
                const Turn turn = turn_of(layout, options[kTheta], shape.head_dim, t);
                const double scale = turn.axis == 0 ? options[kRowScale] : options[kColumnScale];
                const double angle = position.axis[turn.axis] * scale * turn.frequency;
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

TEST_CASE("a head whose channels do not pair up for two axes is refused") {
  const SchemeEntry& entry = *find_scheme("rope_2d").value();
  const auto made = make_scheme(entry, {.num_heads = 1, .num_kv_heads = 1, .head_dim = 6},
                                default_options(*entry.description));
  CHECK(std::string(made.status().message()) ==
        "headDim: 6 (expected a multiple of 4, for pairs of channels of two axes)");
}

}  // namespace
}  // namespace wf
