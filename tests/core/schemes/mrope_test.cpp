#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "contract/attention_case.h"
#include "reference/deviations.h"
#include "reference/golden.h"
#include "reference/rope_twin.h"
#include "schemes/rope_scaling.h"
#include "schemes/vision_positions.h"

namespace wf {
namespace {

using nlohmann::json;

enum { kTheta, kInterleaved, kTime, kRow, kColumn, kScaling };
// After the options of scaling.
constexpr int kAxial = kScaling + static_cast<int>(std::size(kRopeScalingOptions));
constexpr int kNeighbours = kAxial + 1;

// Returns the axis of each pair, as transformers assigns it: sections in order; or, if interleaved,
// time for all pairs, then rows for every third pair from 1 on, and columns from 2 on.
std::vector<int> axes_of(const OptionValues& options, int pairs) {
  int sections[3] = {int(options[kTime]), int(options[kRow]), int(options[kColumn])};
  if (sections[0] + sections[1] + sections[2] == 0) {
    sections[0] = std::max(1, options[kInterleaved] != 0 ? pairs * 3 / 8 : pairs / 4);
    sections[2] = (pairs - sections[0]) / 2;
    sections[1] = pairs - sections[0] - sections[2];
  }
  std::vector<int> axes;
  if (options[kInterleaved] == 0) {
    for (int axis = 0; axis < 3; ++axis) axes.insert(axes.end(), sections[axis], axis);
    return axes;
  }
  axes.assign(pairs, 0);
  for (int axis = 1; axis < 3; ++axis)
    for (int t = axis; t < std::min(3 * sections[axis], pairs); t += 3) axes[t] = axis;
  return axes;
}

// As in Flux: each axis has a slice of the head, with frequencies as if it were a head.
void turn_slices(const OptionValues& options, reference::Place position, reference::Row& x) {
  const int pairs = static_cast<int>(x.size()) / 2;
  int sections[3] = {int(options[kTime]), int(options[kRow]), int(options[kColumn])};
  if (sections[0] + sections[1] + sections[2] == 0)
    for (int& section : sections) section = pairs / 3;
  for (int axis = 0, pair = 0; axis < 3; ++axis)
    for (int t = 0; t < sections[axis]; ++t, ++pair) {
      const double frequency = std::pow(options[kTheta], -double(t) / sections[axis]);
      double& a = x[options[kNeighbours] ? 2 * pair : pair];
      double& b = x[options[kNeighbours] ? 2 * pair + 1 : pair + pairs];
      reference::turn(a, b, position.axis[axis] * frequency);
    }
}

const reference::RegisteredTwin twin(
    "mrope", {
                 .transform =
                     [](const SchemeShape& shape, const OptionValues& options, bool, int,
                        reference::Place position, reference::Row& x) {
                       if (options[kAxial]) return turn_slices(options, position, x);
                       const int pairs = shape.head_dim / 2;
                       const std::vector<int> axes = axes_of(options, pairs);
                       const reference::RopeLadder ladder =
                           reference::rope_ladder(options, kScaling, shape.head_dim,
                                                  options[kTheta], position.sequence_length);
                       for (int t = 0; t < pairs; ++t) {
                         double& a = x[options[kNeighbours] ? 2 * t : t];
                         double& b = x[options[kNeighbours] ? 2 * t + 1 : t + pairs];
                         reference::turn(a, b, position.axis[axes[t]] * ladder.frequencies[t],
                                         ladder.factor);
                       }
                     },
                 .complete =
                     [](const SchemeShape& shape, OptionValues& options) {
                       // Turns and scalings are for one ladder.
                       if (options[kInterleaved] || options[kScaling + 1])
                         options.values[kAxial] = 0;
                       reference::complete_rope_scaling(options, kScaling, shape.head_dim / 2);
                     },
             });

OptionValues options_of(bool interleaved, int time, int row, int column, double theta = 1e4) {
  OptionValues options = default_options(*find_scheme("mrope").value()->description);
  options.values[kTheta] = theta;
  options.values[kInterleaved] = interleaved;
  options.values[kTime] = time, options.values[kRow] = row, options.values[kColumn] = column;
  return options;
}

Result<SchemeInstance> make_mrope(int head_dim, const OptionValues& options) {
  return make_scheme(*find_scheme("mrope").value(),
                     {.num_heads = 1, .num_kv_heads = 1, .head_dim = head_dim}, options);
}

// Returns the cosines and sines of one position.
std::vector<float> table_at(const SchemeInstance& instance,
                            const std::vector<std::int32_t>& position) {
  std::vector<float> table(instance.scheme->position_table_floats(1));
  instance.scheme->fill_position_table({position.data(), 1, static_cast<int>(position.size())}, 1,
                                       nullptr, table.data());
  return table;
}

TEST_CASE("sections turn by the published angles, in chunks and in turns") {
  const auto check = [](const OptionValues& options, const std::vector<double>& angles) {
    const std::vector<float> table = table_at(make_mrope(16, options).take(), {5, 2, 3});
    for (int t = 0; t < 8; ++t) {
      CAPTURE(t);
      CHECK(std::abs(table[t] - std::cos(angles[t])) < 1e-7);
      CHECK(std::abs(table[8 + t] - std::sin(angles[t])) < 1e-7);
    }
  };
  check(options_of(false, 2, 3, 3),
        {5, 1.58113883, .2, .0632455532, .02, .009486832981, .003, .0009486832981});
  check(options_of(true, 4, 2, 2),
        {5, .632455532, .3, .158113883, .02, .009486832981, .005, .00158113883});
}

TEST_CASE("without sections a head is cut as the released models cut theirs") {
  for (const bool interleaved : {false, true}) {
    const std::vector<float> own =
        table_at(make_mrope(128, options_of(interleaved, 0, 0, 0)).take(), {50, 21, 37});
    const OptionValues released =
        interleaved ? options_of(true, 24, 20, 20) : options_of(false, 16, 24, 24);
    CHECK(own == table_at(make_mrope(128, released).take(), {50, 21, 37}));
    CHECK(own !=
          table_at(make_mrope(128, options_of(interleaved, 22, 21, 21)).take(), {50, 21, 37}));
  }
}

TEST_CASE("released sections turn by the angles of transformers") {
  const json file = reference::golden("layers/mrope_angles.json");
  for (const json& c : file["cases"]) {
    CAPTURE(c["family"].get<std::string>());
    const json& rope = c["ropeParameters"];
    const json& section = rope["mrope_section"];
    const SchemeInstance instance =
        make_mrope(c["headDim"], options_of(rope.value("mrope_interleaved", false), section[0],
                                            section[1], section[2], rope["rope_theta"]))
            .take();
    const int count = reference::shape(c["positions"])[0], pairs = c["headDim"].get<int>() / 2;
    double most = 0;
    for (int t = 0; t < count; ++t) {
      std::vector<std::int32_t> place;
      for (int axis = 0; axis < 3; ++axis) place.push_back(c["positions"]["data"][3 * t + axis]);
      const std::vector<float> table = table_at(instance, place);
      for (int p = 0; p < pairs; ++p) {
        const double angle = c["angles"]["data"][t * pairs + p];
        most = std::max({most, std::abs(table[p] - std::cos(angle)),
                         std::abs(table[pairs + p] - std::sin(angle))});
      }
    }
    reference::check_golden("layers/mrope_angles.json", "angles", most);
  }
}

TEST_CASE(
    "on a text it is rotary embedding to the last bit, with one axis or three equal ones, scaled "
    "or not") {
  for (const char* type : {"default", "linear", "dynamic", "yarn"}) {
    CAPTURE(type);
    const auto scaled = [&](const char* id, OptionValues options) {
      REQUIRE(set_option(*find_scheme(id).value()->description, options, "ropeScaling.ropeType", 0,
                         type)
                  .ok());
      return contract::AttentionCase(*find_scheme(id).value(), options, {}, true, 1);
    };
    contract::AttentionCase text = scaled("mrope", options_of(false, 0, 0, 0));
    for (int t = 0; t < 9; ++t)
      for (int axis = 0; axis < 3; ++axis)
        text.query_positions[axis * 9 + t] = text.key_positions[axis * 9 + t] = t + 40;
    REQUIRE(text.forward().ok());
    contract::AttentionCase plain =
        scaled("rope", default_options(*find_scheme("rope").value()->description));
    plain.shift_positions(40);
    REQUIRE(plain.forward().ok());
    CHECK(text.output == plain.output);
    AttentionInput in = text.input();
    in.query_positions.axes = in.key_positions.axes = 1;
    std::vector<float> output(text.output.size());
    REQUIRE(attention_forward(text.config, text.schemes(), in,
                              heads_outermost(output.data(), 4, 9, 6), text.saved(), text.scratch())
                .ok());
    CHECK(output == plain.output);
  }
}

TEST_CASE("a text that goes on after a picture decodes as it reads") {
  contract::AttentionCase problem(*find_scheme("mrope").value(), options_of(false, 0, 0, 0), {},
                                  true, 2);
  const VisionBlock picture = {.first = 2, .rows = 2, .columns = 2};
  const Result<int> delta =
      vision_positions({&picture, 1}, 9, AfterBlock::kLargest, problem.query_positions.data());
  REQUIRE(delta.ok());
  problem.key_positions = problem.query_positions;
  REQUIRE(problem.forward().ok());
  // The picture and the tokens before it with three axes, then single tokens with one axis.
  auto cache = KvCache::make(problem.config, 9).take();
  const AttentionInput in = problem.input();
  std::vector<float> output(problem.output.size());
  for (int first = 0; first < 9; first = first ? first + 1 : 6) {
    const int count = first ? 1 : 6;
    const auto rows = [&](ConstHeads x) {
      x.data += first * x.row_stride, x.rows = count;
      return x;
    };
    std::vector<std::int32_t> places;
    for (int axis = 0; axis < 3; ++axis)
      places.insert(places.end(), in.query_positions.data + axis * 9,
                    in.query_positions.data + axis * 9 + 6);
    if (first) places = {first + delta.value()};
    const Positions at = {places.data(), count, first ? 1 : 3};
    REQUIRE(attention_decode(problem.config, problem.schemes(), cache, rows(in.q), rows(in.k),
                             rows(in.v), at,
                             {output.data() + std::ptrdiff_t{first} * 6, 4, count, 6, 9 * 6, 6},
                             problem.saved(), problem.scratch())
                .ok());
  }
  CHECK(contract::largest_difference(output, problem.output) < 3e-6);
  REQUIRE(cache.positions().axes == 3);
  for (int t = 0; t < 9; ++t)
    for (int axis = 0; axis < 3; ++axis)
      CHECK(cache.positions().at(t, axis) == in.query_positions.at(t, axis));
  REQUIRE(cache.truncate(5).ok());
  for (int t = 0; t < 5; ++t)
    for (int axis = 0; axis < 3; ++axis)
      CHECK(cache.positions().at(t, axis) == in.query_positions.at(t, axis));
}

TEST_CASE("each axis has a ladder of its own, and pairs after the sections do not turn") {
  OptionValues options = options_of(false, 1, 2, 2);
  options.values[kAxial] = 1;
  const std::vector<float> table = table_at(make_mrope(12, options).take(), {5, 2, 3});
  REQUIRE(table.size() == 12);
  const double angles[] = {5, 2, 0.02, 3, 0.03, 0};
  for (int t = 0; t < 6; ++t) {
    CHECK(std::abs(table[t] - std::cos(angles[t])) < 1e-6);
    CHECK(std::abs(table[6 + t] - std::sin(angles[t])) < 1e-6);
  }
  options.values[kInterleaved] = 1;
  CHECK(std::string(make_mrope(12, options).status().message()) ==
        "axial: true with sectionsInterleaved or ropeScaling (expected neither: they are for one "
        "series of frequencies)");
  options = options_of(false, 3, 2, 2);
  options.values[kAxial] = 1;
  CHECK(std::string(make_mrope(12, options).status().message()) ==
        "sectionTime, sectionRow, sectionColumn: 3, 2, 2 (expected a sum of at most 6, the pairs "
        "of headDim 12, or 0)");
}

TEST_CASE("sections that are not the head's pairs are refused, and an odd head") {
  CHECK(std::string(make_mrope(16, options_of(false, 2, 3, 4)).status().message()) ==
        "sectionTime, sectionRow, sectionColumn: 2, 3, 4 (expected a sum of 8, the pairs of "
        "headDim 16, or 0)");
  CHECK(make_mrope(7, options_of(false, 0, 0, 0)).status().code() == Code::kInvalidArgument);
}

// Returns the blocks of a golden text from the kinds of its tokens and its pictures' grids, which
// count patches before 2 x 2 of them are merged. Qwen3-VL treats each frame of a video as a
// picture.
std::vector<VisionBlock> blocks_of(const json& c, bool drops_seconds) {
  std::vector<VisionBlock> blocks;
  const std::vector<int> kinds = c["kinds"];
  std::size_t used[3] = {};
  int left = 0;  // frames of the current video that still follow as pictures
  for (int at = 0; at < int(kinds.size());) {
    const int kind = kinds[at];
    if (kind == 0) {
      ++at;
      continue;
    }
    const json& grid = c[kind == 1 ? "images" : "videos"][used[kind]];
    VisionBlock block = {at, grid[0], grid[1].get<int>() / 2, grid[2].get<int>() / 2};
    if (kind == 2 && c["family"] == "qwen3_vl") {
      if (left == 0) left = block.frames;
      used[kind] += --left == 0;
      block.frames = 1;
    } else {
      ++used[kind];
    }
    double seconds = c["secondsPerFrame"];
    if (drops_seconds) seconds = std::floor(seconds);
    if (kind == 2 && c["family"] == "qwen2_5_vl") block.time_step = 2 * seconds;
    blocks.push_back(block);
    at += static_cast<int>(block.cells());
  }
  return blocks;
}

TEST_CASE(
    "tokens of texts with pictures lie where transformers 4 and 5 put them, and so do those "
    "decoded after") {
  int checked = 0;
  for (const bool old : {true, false}) {
    const std::string path = old ? "layers/mrope_positions_v4.json" : "layers/mrope_positions.json";
    const json file = reference::golden(path);
    for (const json& c : file["cases"]) {
      const std::string name = c["family"].get<std::string>() + ", " + c["name"].get<std::string>();
      CAPTURE(name);
      CAPTURE(old);
      const int tokens = static_cast<int>(c["kinds"].size());
      std::vector<std::int32_t> positions(3 * tokens, -1);
      const std::vector<VisionBlock> blocks = blocks_of(c, old);
      const Result<int> delta =
          vision_positions(blocks, tokens, old ? AfterBlock::kLargest : AfterBlock::kRowsAndColumns,
                           positions.data());
      REQUIRE_MESSAGE(delta.ok(), delta.status().message());
      CHECK(delta.value() == c["delta"].get<int>());
      const std::vector<int> expected = c["positions"]["data"];
      int most = 0;
      for (int t = 0; t < tokens; ++t)
        for (int axis = 0; axis < 3; ++axis)
          most = std::max(most, std::abs(positions[axis * tokens + t] - expected[3 * t + axis]));
      reference::check_golden(path, "positions", most);
      ++checked;
    }
  }
  CHECK(checked > 40);
}

TEST_CASE("blocks that overlap, leave the text or have no cells are refused by number") {
  std::int32_t positions[30];
  const auto message = [&](std::vector<VisionBlock> blocks) {
    const Result<int> delta = vision_positions(blocks, 10, AfterBlock::kLargest, positions);
    CHECK(delta.status().code() == Code::kInvalidArgument);
    return std::string(delta.status().message());
  };
  CHECK(message({{0, 1, 2, 2}, {3, 1, 1, 1}}) ==
        "blocks[1]: 1 tokens from token 3 (expected tokens 4 to 9)");
  CHECK(message({{7, 1, 2, 2}}) == "blocks[0]: 4 tokens from token 7 (expected tokens 0 to 9)");
  CHECK(message({{0, 1, 0, 2}}).find("0 rows") != std::string::npos);
  CHECK(message({{0, 1 << 15, 1 << 15, 1 << 15}}).find("(expected tokens 0 to 9)") !=
        std::string::npos);
  CHECK(message({{0, 2, 1, 1, 1e12}}).find("positions up to 1") != std::string::npos);
}

}  // namespace
}  // namespace wf
