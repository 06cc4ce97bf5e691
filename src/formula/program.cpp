#include "formula/program.h"

#include <algorithm>
#include <bit>

namespace wf::formula {

bool Node::has_same_value_as(const Node& other) const {
  return operation == other.operation && symbol == other.symbol && arity == other.arity &&
         std::equal(operands, operands + arity, other.operands) &&
         std::bit_cast<std::uint64_t>(constant) == std::bit_cast<std::uint64_t>(other.constant);
}

std::uint32_t Program::parameters() const {
  std::uint32_t bits = 0;
  for (const Node& node : nodes())
    if (node.operation == Operation::kParameter) bits |= 1u << node.symbol;
  return bits;
}

int ProgramBuilder::add(Node node) {
  for (int i = 0; i < node.arity; ++i) node.reads |= program_.nodes_[node.operands[i]].reads;
  for (int i = 0; i < program_.count_; ++i)
    if (program_.nodes_[i].has_same_value_as(node)) return i;
  if (program_.count_ == kMaxNodes) return kFull;
  program_.nodes_[program_.count_] = node;
  return program_.count_++;
}

int ProgramBuilder::constant(double value, int begin, int end) {
  return add({.constant = value,
              .begin = static_cast<std::uint16_t>(begin),
              .end = static_cast<std::uint16_t>(end)});
}

int ProgramBuilder::variable(Variable variable, int begin, int end) {
  return add({.operation = Operation::kVariable,
              .symbol = static_cast<std::uint8_t>(variable),
              .reads = bit_of(variable),
              .begin = static_cast<std::uint16_t>(begin),
              .end = static_cast<std::uint16_t>(end)});
}

int ProgramBuilder::parameter(int index, std::span<const int> indices, int begin, int end) {
  Node node{.operation = Operation::kParameter,
            .symbol = static_cast<std::uint8_t>(index),
            .arity = static_cast<std::uint8_t>(indices.size()),
            .reads = Program::kReadsParameters,
            .begin = static_cast<std::uint16_t>(begin),
            .end = static_cast<std::uint16_t>(end)};
  std::copy(indices.begin(), indices.end(), node.operands);
  return add(node);
}

bool ProgramBuilder::is_variable(int index, Variable variable) const {
  const Node& node = program_.nodes_[index];
  return node.operation == Operation::kVariable && node.symbol == static_cast<int>(variable);
}

int ProgramBuilder::operation(Operation operation, std::span<const int> operands, int begin,
                              int end) {
  using enum Variable;
  constexpr Variable kDifferences[][3] = {{kKeyPosition, kQueryPosition, kDistance},
                                          {kKeyRow, kQueryRow, kDistanceRow},
                                          {kKeyColumn, kQueryColumn, kDistanceColumn}};
  if (operation == Operation::kSubtract)
    for (const auto& [key, query, distance] : kDifferences) {
      if (is_variable(operands[0], key) && is_variable(operands[1], query))
        return variable(distance, begin, end);
      if (is_variable(operands[0], query) && is_variable(operands[1], key)) {
        const int r = variable(distance, begin, end);
        return r == kFull ? kFull : this->operation(Operation::kNegate, {&r, 1}, begin, end);
      }
    }
  double values[kMaxOperands] = {};
  bool is_constant = operation != Operation::kSum;
  Node node{.operation = operation,
            .arity = static_cast<std::uint8_t>(operands.size()),
            .begin = static_cast<std::uint16_t>(begin),
            .end = static_cast<std::uint16_t>(end)};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Node& operand = program_.nodes_[operands[i]];
    node.operands[i] = static_cast<std::int16_t>(operands[i]);
    is_constant = is_constant && operand.operation == Operation::kConstant;
    values[i] = operand.constant;
  }
  if (is_constant) return constant(value_of(operation, values), begin, end);
  if (operation != Operation::kSum) return add(node);
  node.reads = Program::kReadsSums;
  const int before = program_.count_;
  node.symbol = 0;
  for (int i = 0; i < before; ++i)
    if (program_.nodes_[i].operation == Operation::kSum &&
        program_.nodes_[i].operands[0] == node.operands[0])
      return i;
  if (program_.sums_ == kMaxSums) return kFull;
  node.symbol = static_cast<std::uint8_t>(program_.sums_);
  const int added = add(node);
  if (added != kFull) ++program_.sums_;
  return added;
}

void ProgramBuilder::find_guards(int result) {
  constexpr std::int16_t kUnused = -2, kNeeded = -1;
  Node* nodes = program_.nodes_.data();
  for (int i = 0; i < program_.count_; ++i) nodes[i].guard = i == result ? kNeeded : kUnused;
  // Each node is after its operands, so all uses of a node are known when it is reached.
  for (int i = program_.count_ - 1; i >= 0; --i) {
    const Node& user = nodes[i];
    const bool is_select = user.operation == Operation::kSelect;
    for (int o = 0; o < user.arity && user.guard != kUnused; ++o) {
      Node& operand = nodes[user.operands[o]];
      const bool is_branch = is_select && o > 0;
      std::int16_t guard = is_branch ? static_cast<std::int16_t>(i) : user.guard;
      const bool in_second = is_branch ? o == 2 : user.is_in_second;
      // Sums run over all keys.
      if (user.operation == Operation::kSum || operand.operation == Operation::kSum)
        guard = kNeeded;
      // A condition is known only after its own operands.
      if (guard >= 0 && nodes[guard].operands[0] >= user.operands[o]) guard = kNeeded;
      const bool is_first = operand.guard == kUnused;
      if (!is_first && (operand.guard != guard || operand.is_in_second != in_second))
        guard = kNeeded;
      operand.guard = guard;
      operand.is_in_second = in_second;
    }
  }
  for (int i = 0; i < program_.count_; ++i) {
    Node& node = nodes[i];
    node.depends = node.reads;
    if (node.guard >= 0) node.depends |= nodes[nodes[node.guard].operands[0]].depends;
  }
}

Program ProgramBuilder::finish(int result) {
  program_.result_ = result;
  find_guards(result);
  return std::move(program_);
}

}  // namespace wf::formula
