// Attention as plain loops in double precision, with which the engine's tiles are compared.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "schemes/registry.h"

namespace wf::reference {

using Row = std::vector<double>;

// Position of one token on every axis. In text all axes are equal, and formulas read a Place as an
// int.
struct Place {
  std::int32_t axis[kMaxPositionAxes] = {};
  // Largest position of all queries and keys, plus one; for transforms.
  int sequence_length = 1;

  Place(std::int32_t position = 0) : axis{position, position, position} {}
  Place(std::int32_t row, std::int32_t column) : axis{row, column, 0} {}
  Place(std::int32_t time, std::int32_t row, std::int32_t column) : axis{time, row, column} {}
  operator std::int32_t() const { return axis[0]; }
};
// Converts positions [axes, count].
std::vector<Place> places_of(const std::vector<std::int32_t>& positions, int axes);

// Sizes, and the factor of q·k in this attention call, which also multiplies some biases.
struct TwinShape : SchemeShape {
  double logit_scale = 1;
  int query_index = 0;  // of the row whose logits are computed
};

// A second implementation of a scheme, as close to its formula as possible. Each scheme's test file
// registers its twin under the scheme's id. In all functions `parameters` are those of the scheme,
// followed by the layer's query and key projections if the scheme shares them, and by the states if
// it has features.
struct SchemeTwin {
  // Changes a token vector [E] at `position`, in place, before the first layer.
  std::function<void(const SchemeShape&, const OptionValues&, const std::vector<Row>& parameters,
                     Place position, Row& x)>
      embed = {};
  // Changes a row of q or k of head `head` at `position`, in place.
  std::function<void(const TwinShape&, const OptionValues&, bool is_query, int head, Place position,
                     Row& x)>
      transform = {};
  // Used instead of `transform` by schemes whose transform has parameters.
  std::function<void(const TwinShape&, const OptionValues&, const std::vector<Row>& parameters,
                     bool is_query, int head, Place position, Row& x)>
      trained_transform = {};
  // Returns the number added to scale · q·k; q and k are transformed rows.
  std::function<double(const TwinShape&, const OptionValues&, const std::vector<Row>& parameters,
                       int head, Place query_position, Place key_position, const Row& q,
                       const Row& k)>
      bias = {};
  // Used instead of `bias` by schemes that need a whole row: changes its logits [S]. mask is 0 or
  // -infinity.
  std::function<void(const TwinShape&, const OptionValues&, const std::vector<Row>& parameters,
                     int head, int query_position, const std::vector<std::int32_t>& key_positions,
                     const Row& mask, const Row& q, const std::vector<Row>& keys, Row& logits)>
      row_bias = {};
  // Returns a vector that is added to a key's value for this query.
  std::function<Row(const TwinShape&, const OptionValues&, const std::vector<Row>& parameters,
                    int head, Place query_position, Place key_position)>
      value = {};
  // Changes the value of a key, in place, as this query receives it.
  std::function<void(const TwinShape&, const OptionValues&, const std::vector<Row>& parameters,
                     Place query_position, Place key_position, Row& value)>
      carry_value = {};
  // Returns whether a key is hidden from a query, by their indices.
  std::function<bool(const OptionValues&, int query, int key)> hides = {};
  // Returns the scale that replaces 1/√D, or 0 to keep it.
  std::function<double(const SchemeShape&, const OptionValues&)> scale = {};
  // Sets the options that others require after a test has changed a single one (a list, for
  // example).
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
  // Whether key s is visible to query t, after causality, padding, segments and windows.
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
