// Computes formulas, and their gradients by reverse mode, for many values of a variable at once.
#pragma once

#include "formula/program.h"

namespace wf::formula {

// Values that are computed at once, one in each lane: few if their memory is on the stack, more if
// a caller has scratch memory.
constexpr int kLocalLanes = 8;
constexpr int kMaxLanes = 128;

// The values of a formula's names.
struct Inputs {
  // The values of each variable: one number, or a number for each lane if its bit is in `by_lane`.
  // An evaluation reads them until the next call of forward().
  const double* variables[kVariables] = {};
  std::uint32_t by_lane = 0;
  // The parameters' numbers, in the order of Scope::parameters.
  const float* const* parameters = nullptr;
  // For sums, whose lanes are neighbouring keys: 1 for a visible key and 0 for a hidden one, and
  // the sums over the keys after the last lane. Null without sums.
  const double* visible = nullptr;
  const double* sums = nullptr;  // [sums]
};

// A program with memory for its values, for use by one thread.
class Evaluation {
 public:
  static constexpr std::uint32_t kAll = ~0u;

  // Lanes of a program in this many doubles.
  static int lanes_in(std::size_t doubles, const Program& program, bool has_backward);
  // The memory in doubles for so many lanes; for a backward pass twice as much.
  static std::size_t doubles(const Program& program, int lanes) {
    return program.nodes().size() * lanes;
  }

  // `lanes` is even and at most kMaxLanes. Computes only the nodes of `only`, unless it is null;
  // their other operands are given by use().
  Evaluation(const Program& program, std::span<const Parameter> parameters, int lanes,
             double* memory, const NodeSet* only = nullptr);

  // Values of a node that forward() does not compute, for each lane, with one more number if the
  // count of lanes is odd.
  void use(int node, const double* values) { values_[node] = values; }

  // Computes `count` lanes, at most as many as there are. An index outside of a parameter gives
  // NaN. After a first call of at least so many, only values that depend on `changed` variables or
  // on sums are computed again.
  void forward(const Inputs& inputs, int count, std::uint32_t changed = kAll);

  // After forward: the results. A result may be infinite; NaN is an error.
  const double* results() const { return values(program_.result()); }
  double result(int lane) const { return results()[lane]; }
  // Copies the sums with the keys of these lanes added, [sums].
  void copy_sums(double* sums) const;

  // The node at which NaN arises in a lane: its own operands are numbers. -1 if there is none.
  int source_of_nan(int lane) const;
  double value(int node, int lane) const {
    return values(node)[computed_lanes(node) == 1 ? 0 : lane];
  }
  const double* values(int node) const { return values_[node]; }

  // After forward: the operation that gives no number in a lane, with its operands' values, for
  // example "log(-4)", and its first character in the formula, from 1. An infinite result is its
  // own source.
  int explain(int lane, char* text, std::size_t size) const;

  // After forward with the same inputs: adds to gradients[p] those of parameters (a null pointer is
  // skipped) and to d_logit[lane] that of the content logit s (if not null), given the gradient of
  // the result. d_sums [sums], in and out: the sum over the keys before the first lane of the
  // gradients of each cumsum, with those of these lanes added. Null without sums.
  void backward(const Inputs& inputs, int count, const double* d_result, float* const* gradients,
                double* d_logit, double* d_sums);

 private:
  // A node with the same value in all lanes is computed once, and its value copied to all.
  int computed_lanes(int node) const {
    return (program_.nodes()[node].reads & by_lane_) != 0 ? count_ : 1;
  }
  // Whether the branches that use a node are known not to be taken.
  bool is_unused(const Node& node) const;
  // An even number, for vector instructions.
  int padded_count() const { return (count_ + 1) & ~1; }
  // Memory for a node's values; elsewhere are those of a variable, and given ones.
  double* memory_of(int node) const { return memory_ + std::ptrdiff_t{node} * lanes_; }
  double* gradients_of(int node) const { return memory_of(node) + doubles(program_, lanes_); }
  // Offset of an element of a parameter in a lane, or -1 outside of it.
  int offset_of_element(const Node& node, int lane) const;

  void find_copied();
  void forward_node(int index, const Inputs& inputs);
  void forward_parameter(int index, const Inputs& inputs);
  void forward_sum(int index, const Inputs& inputs);
  void forward_operation(int index);
  bool forward_arithmetic(int index);
  void backward_sum(int index, const Inputs& inputs, double* d_sums);
  void backward_operation(int index);

  const Program& program_;
  std::span<const Parameter> parameters_;
  int lanes_;
  double* memory_;
  const NodeSet* only_;
  const double* values_[kMaxNodes];
  std::uint32_t by_lane_ = 0;
  int count_ = 0;
  NodeSet copied_;  // nodes with one value that is read in each lane
};

}  // namespace wf::formula
