// Attention as plain loops in double precision: the oracle for the tiles.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "schemes/registry.h"

namespace wf::reference {

using Row = std::vector<double>;

// One token's position on every axis. On a text, whose formulas take an int, all axes are the same.
struct Place {
  std::int32_t axis[kMaxPositionAxes] = {};
  // One more than the largest position of all queries and keys, for transforms.
  int sequence_length = 1;

  Place(std::int32_t position = 0) : axis{position, position, position} {}
  Place(std::int32_t row, std::int32_t column) : axis{row, column, 0} {}
  Place(std::int32_t time, std::int32_t row, std::int32_t column) : axis{time, row, column} {}
  operator std::int32_t() const { return axis[0]; }
};
// From [axes, count].
std::vector<Place> places_of(const std::vector<std::int32_t>& positions, int axes);

// Sizes, and the factor of q·k in the attention at hand, by which some biases are multiplied too.
struct TwinShape : SchemeShape {
  double logit_scale = 1;
};

// What a scheme does, written a second time and as plainly as its formula. Each scheme's test file
// registers its own under its id.
struct SchemeTwin {
  // Changes a token vector [E] at `position`, in place, before the first layer.
  std::function<void(const SchemeShape&, const OptionValues&, const std::vector<Row>& parameters,
                     Place position, Row& x)>
      embed = {};
  // `parameters` everywhere: the scheme's own, then the layer's query and key projections where the
  // scheme shares them.
  // Changes a row of q or k of head `head` at `position`, in place.
  std::function<void(const TwinShape&, const OptionValues&, bool is_query, int head, Place position,
                     Row& x)>
      transform = {};
  // In place of `transform`, for schemes whose transform has parameters.
  std::function<void(const TwinShape&, const OptionValues&, const std::vector<Row>& parameters,
                     bool is_query, int head, Place position, Row& x)>
      trained_transform = {};
  // Added to scale · q·k, from the scheme's parameters, positions and transformed rows.
  std::function<double(const TwinShape&, const OptionValues&, const std::vector<Row>& parameters,
                       int head, Place query_position, Place key_position, const Row& q,
                       const Row& k)>
      bias = {};
  // In place of `bias`, for schemes that need a whole row: changes its logits [S]. mask is 0 or
  // -infinity.
  std::function<void(const TwinShape&, const OptionValues&, const std::vector<Row>& parameters,
                     int head, int query_position, const std::vector<std::int32_t>& key_positions,
                     const Row& mask, const Row& q, const std::vector<Row>& keys, Row& logits)>
      row_bias = {};
  // A vector that stands beside a key's value, for this query.
  std::function<Row(const TwinShape&, const OptionValues&, const std::vector<Row>& parameters,
                    int head, Place query_position, Place key_position)>
      value = {};
  // Replaces 1/√D where it is not 0.
  std::function<double(const SchemeShape&, const OptionValues&)> scale = {};
  // Brings along what options need of each other where the battery changed one alone (a list, say).
  std::function<void(const SchemeShape&, OptionValues&)> complete = {};
};

void register_twin(const std::string& id, SchemeTwin twin);
const SchemeTwin& twin_of(const std::string& id);

struct RegisteredTwin {
  RegisteredTwin(const std::string& id, SchemeTwin twin) { register_twin(id, std::move(twin)); }
};

struct TwinInput {
  SchemeShape shape;
  int value_dim = 0;
  std::string scheme = "nope";
  OptionValues options;
  std::vector<Row> parameters;
  std::vector<std::vector<Row>> q, k, v;  // [head][row][channel]
  std::vector<Place> query_positions, key_positions;
  // Whether query t may see key s, after causality, padding, segments and windows.
  std::function<bool(int head, int t, int s)> visible;
  std::function<double(int head, int t, int s)> additive_mask;  // or empty
  std::vector<double> sinks;  // or empty
  double scale = 0;  // 0: 1/√D
  double softcap = 0;
};

struct TwinResult {
  std::vector<std::vector<Row>> output, weights, logits, masked_logits;  // [H][T][...]
};

TwinResult attend(const TwinInput& input);

}  // namespace wf::reference
