// A formula as a list of operations, each after its operands.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "formula/limits.h"
#include "formula/operation.h"
#include "tensor/buffer.h"

namespace wf::formula {

// Names whose values change within one call or from call to call.
enum class Variable : std::uint8_t {
  kQueryPosition,  // i
  kKeyPosition,    // j
  kDistance,       // r = j − i
  kLength,         // n, the largest position of queries and keys + 1
  kHead,           // h, from 0
  kPair,           // k, from 0
  kChannel,        // c, from 0
  kLayer,          // layer, from 0
  kLogit,          // s, scale · q·k
  kQueryRow,       // i.y: the axes of a grid, row before column
  kQueryColumn,    // i.x
  kKeyRow,         // j.y
  kKeyColumn,      // j.x
  kDistanceRow,    // r.y
  kDistanceColumn  // r.x
};
constexpr int kVariables = 15;

// Names whose values are fixed when a formula is compiled.
enum class Size : std::uint8_t { kHeads, kHeadDim, kWidth, kLayers };  // H, D, E, L
constexpr int kSizes = 4;

constexpr std::uint32_t bit_of(Variable variable) { return 1u << static_cast<int>(variable); }

// A tensor that a formula reads by name, of `rank` dimensions (0 for one number).
struct Parameter {
  std::string_view name;
  int rank = 0;
  int shape[3] = {1, 1, 1};

  int size() const { return shape[0] * shape[1] * shape[2]; }
};

// The names that a formula may use.
struct Scope {
  std::uint32_t variables = 0;  // bits of the variables that have a value
  bool allows_sums = false;     // whether cumsum(…) has a meaning
  double sizes[kSizes] = {};    // 0 for a size that is not known
  std::span<const Parameter> parameters = {};
};

struct Node {
  Operation operation = Operation::kConstant;
  std::uint8_t symbol = 0;  // variable or parameter; of a sum, its number
  std::uint8_t arity = 0;
  std::int16_t operands[kMaxOperands] = {};
  double constant = 0;
  std::uint32_t reads = 0;  // of the node and all that it is computed from; see Program::reads
  std::uint16_t begin = 0, end = 0;  // bytes of the text
  // The only ?: that uses the value, in one of its branches; -1 if the value is needed anyway.
  std::int16_t guard = -1;
  bool is_in_second = false;   // a : branch
  // `reads`, and those of the conditions of its guards: the value may be needed if one changes.
  std::uint32_t depends = 0;

  bool has_same_value_as(const Node& other) const;
};

// Some of a program's nodes.
class NodeSet {
 public:
  void add(int node) { bits_[node / 64] |= std::uint64_t{1} << (node % 64); }
  bool has(int node) const { return bits_[node / 64] >> (node % 64) & 1; }

 private:
  std::uint64_t bits_[(kMaxNodes + 63) / 64] = {};
};

class Program {
 public:
  // Bits of `reads` beside those of variables.
  static constexpr std::uint32_t kReadsParameters = 1u << 30, kReadsSums = 1u << 31;

  std::span<const Node> nodes() const { return {nodes_.data(), static_cast<std::size_t>(count_)}; }
  int result() const { return result_; }
  int sums() const { return sums_; }

  // The names on which the result depends: bits of variables, kReadsParameters, kReadsSums.
  std::uint32_t reads() const { return nodes_[result_].reads; }
  // Bits of the parameters, by their index.
  std::uint32_t parameters() const;

 private:
  friend class ProgramBuilder;
  Buffer<Node> nodes_;
  int count_ = 0, result_ = 0, sums_ = 0;
};

// Adds nodes to a program. Operations on constants are computed at once, equal nodes are merged,
// and j − i becomes r. Each function returns the node's index, or kFull.
class ProgramBuilder {
 public:
  static constexpr int kFull = -1;

  // Errors: kOutOfMemory.
  Status begin() { return program_.nodes_.reserve(kMaxNodes); }

  int constant(double value, int begin, int end);
  int variable(Variable variable, int begin, int end);
  int parameter(int index, std::span<const int> indices, int begin, int end);
  int operation(Operation operation, std::span<const int> operands, int begin, int end);

  Program finish(int result);

 private:
  int add(Node node);
  void find_guards(int result);
  bool is_variable(int index, Variable variable) const;

  Program program_;
};

}  // namespace wf::formula
