#include "formula/evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "format.h"
#include "formula/waves.h"

namespace wf::formula {

Evaluation::Evaluation(const Program& program, std::span<const Parameter> parameters, int lanes,
                       double* memory, const NodeSet* only)
    : program_(program), parameters_(parameters), lanes_(lanes), memory_(memory), only_(only) {
  for (int node = 0; node < static_cast<int>(program.nodes().size()); ++node)
    values_[node] = memory_of(node);
}

int Evaluation::lanes_in(std::size_t doubles, const Program& program, bool has_backward) {
  const std::size_t fit = doubles / ((has_backward ? 2 : 1) * program.nodes().size());
  const int even = static_cast<int>(fit) & ~1;  // for vector instructions
  return std::clamp(even, kLocalLanes, kMaxLanes);
}

void Evaluation::find_copied() {
  copied_ = {};
  copied_.add(program_.result());
  for (const Node& node : program_.nodes())
    for (int o = 0; (node.reads & by_lane_) && o < node.arity; ++o) copied_.add(node.operands[o]);
}

bool Evaluation::is_unused(const Node& node) const {
  if (node.guard < 0 || (only_ && !only_->has(node.guard))) return false;
  const int condition = program_.nodes()[node.guard].operands[0];
  if (computed_lanes(condition) > 1) return false;
  return (values(condition)[0] != 0) == node.is_in_second;
}

int Evaluation::offset_of_element(const Node& node, int lane) const {
  const Parameter& parameter = parameters_[node.symbol];
  int offset = 0;
  for (int d = 0; d < node.arity; ++d) {
    const double index = value(node.operands[d], lane);
    if (!(index >= 0 && index < parameter.shape[d]) || index != std::floor(index)) return -1;
    offset = offset * parameter.shape[d] + static_cast<int>(index);
  }
  return offset;
}

void Evaluation::forward_parameter(int index, const Inputs& inputs) {
  const Node& node = program_.nodes()[index];
  for (int lane = 0; lane < computed_lanes(index); ++lane) {
    const int offset = offset_of_element(node, lane);
    memory_of(index)[lane] = offset < 0 ? std::numeric_limits<double>::quiet_NaN()
                                        : inputs.parameters[node.symbol][offset];
  }
}

// A hidden key adds nothing, whatever its value.
void Evaluation::forward_sum(int index, const Inputs& inputs) {
  const Node& node = program_.nodes()[index];
  double total = inputs.sums[node.symbol];
  for (int lane = count_ - 1; lane >= 0; --lane) {
    if (inputs.visible[lane] != 0) total += value(node.operands[0], lane);
    memory_of(index)[lane] = total;
  }
}

// The operations of most biases, in loops that the compiler turns into vector instructions.
bool Evaluation::forward_arithmetic(int index) {
  const Node& node = program_.nodes()[index];
  const double* __restrict a = values(node.operands[0]);
  const double* __restrict b = values(node.operands[1]);
  const double* __restrict c = values(node.operands[2]);
  double* __restrict y = memory_of(index);
  const auto each = [&](auto value) {
    for (int lane = 0; lane < padded_count(); ++lane) y[lane] = value(lane);
    return true;
  };
  switch (node.operation) {
    case Operation::kNegate:
      return each([&](int l) { return -a[l]; });
    case Operation::kAdd:
      return each([&](int l) { return a[l] + b[l]; });
    case Operation::kSubtract:
      return each([&](int l) { return a[l] - b[l]; });
    case Operation::kMultiply:
      return each([&](int l) { return a[l] * b[l]; });
    case Operation::kDivide:
      return each([&](int l) { return a[l] / b[l]; });
    case Operation::kLess:
      return each([&](int l) { return a[l] < b[l] ? 1.0 : 0.0; });
    case Operation::kLessEqual:
      return each([&](int l) { return a[l] <= b[l] ? 1.0 : 0.0; });
    case Operation::kSelect:
      return each([&](int l) { return a[l] != 0 ? b[l] : c[l]; });
    case Operation::kAbs:
      return each([&](int l) { return std::abs(a[l]); });
    case Operation::kMin:
      return each([&](int l) { return a[l] < b[l] ? a[l] : b[l]; });
    case Operation::kMax:
      return each([&](int l) { return a[l] < b[l] ? b[l] : a[l]; });
    case Operation::kSin:
      sines(a, count_, y);
      return true;
    case Operation::kCos:
      cosines(a, count_, y);
      return true;
    default:
      return false;
  }
}

void Evaluation::forward_operation(int index) {
  const int lanes = computed_lanes(index);
  if (lanes > 1 && forward_arithmetic(index)) return;
  const Node& node = program_.nodes()[index];
  double x[kMaxOperands] = {};
  for (int lane = 0; lane < lanes; ++lane) {
    for (int o = 0; o < node.arity; ++o) x[o] = value(node.operands[o], lane);
    memory_of(index)[lane] = value_of(node.operation, x);
  }
}

void Evaluation::forward_node(int index, const Inputs& inputs) {
  const Node& node = program_.nodes()[index];
  switch (node.operation) {
    case Operation::kConstant:
      memory_of(index)[0] = node.constant;
      break;
    case Operation::kVariable: {
      const int lanes = computed_lanes(index);
      const double* given = inputs.variables[node.symbol];
      // Vector instructions read an even number, which the caller's array may not have.
      const bool reads_given = lanes > 1 && lanes % 2 == 0;
      values_[index] = reads_given ? given : memory_of(index);
      if (!reads_given) std::copy_n(given, lanes, memory_of(index));
      break;
    }
    case Operation::kParameter:
      forward_parameter(index, inputs);
      break;
    case Operation::kSum:
      forward_sum(index, inputs);
      break;
    default:
      forward_operation(index);
  }
}

void Evaluation::forward(const Inputs& inputs, int count, std::uint32_t changed) {
  count_ = count;
  by_lane_ = inputs.by_lane | Program::kReadsSums;
  const std::span<const Node> nodes = program_.nodes();
  if (changed == kAll) find_copied();
  for (int index = 0; index < static_cast<int>(nodes.size()); ++index) {
    const Node& node = nodes[index];
    if (only_ && !only_->has(index)) continue;
    if (changed != kAll && (node.depends & (changed | Program::kReadsSums)) == 0) continue;
    if (is_unused(node)) continue;
    forward_node(index, inputs);
    if (computed_lanes(index) == 1 && copied_.has(index))
      std::fill_n(memory_of(index) + 1, padded_count() - 1, memory_of(index)[0]);
  }
}

void Evaluation::copy_sums(double* sums) const {
  const std::span<const Node> nodes = program_.nodes();
  for (std::size_t index = 0; index < nodes.size(); ++index)
    if (nodes[index].operation == Operation::kSum)
      sums[nodes[index].symbol] = values(static_cast<int>(index))[0];
}

int Evaluation::source_of_nan(int lane) const {
  if (!std::isnan(result(lane))) return -1;
  // A select ignores a NaN in the branch that is not taken, so the search starts at the result and
  // follows only operands that were used.
  int index = program_.result();
  for (bool found = true; found;) {
    found = false;
    const Node& node = program_.nodes()[index];
    const bool is_select = node.operation == Operation::kSelect;
    const int skipped = is_select && value(node.operands[0], lane) != 0 ? 2 : 1;
    for (int o = 0; o < node.arity && !found; ++o)
      if (!(is_select && o == skipped) && std::isnan(value(node.operands[o], lane))) {
        index = node.operands[o];
        found = true;
      }
  }
  return index;
}

int Evaluation::explain(int lane, char* text, std::size_t size) const {
  const int source = source_of_nan(lane), index = source < 0 ? program_.result() : source;
  const Node& node = program_.nodes()[index];
  const auto operand = [&](int o) { return value(node.operands[o], lane); };
  std::size_t used = 0;
  const auto write = [&](const char* form, auto... parts) {
    used += format_text(text + used, size - used, form, parts...);
  };
  if (const char* sign = sign_of(node.operation); sign && node.arity == 2) {
    write("%g %s %g", operand(0), sign, operand(1));
    return node.begin + 1;
  }
  const bool is_element = node.operation == Operation::kParameter;
  const char* name = "";
  for (const Function& function : functions())
    if (function.operation == node.operation) name = function.name;
  if (is_element) name = parameters_[node.symbol].name.data();
  if (!*name) {
    write("%g", value(index, lane));
    return node.begin + 1;
  }
  write("%s", name);
  for (int o = 0; o < node.arity; ++o) write("%s%g", o ? ", " : is_element ? "[" : "(", operand(o));
  if (node.arity) write("%s", is_element ? "]" : ")");
  return node.begin + 1;
}

// The sum at key j has the keys t ≥ j, so key t receives the gradients of the sums at keys j ≤ t.
void Evaluation::backward_sum(int index, const Inputs& inputs, double* d_sums) {
  const Node& node = program_.nodes()[index];
  double& total = d_sums[node.symbol];
  double* d_operand = gradients_of(node.operands[0]);
  for (int lane = 0; lane < count_; ++lane) {
    total += gradients_of(index)[lane];
    if (inputs.visible[lane] != 0) d_operand[lane] += total;
  }
}

void Evaluation::backward_operation(int index) {
  const Node& node = program_.nodes()[index];
  double x[kMaxOperands] = {};
  for (int lane = 0; lane < computed_lanes(index); ++lane) {
    const double d = gradients_of(index)[lane];
    // Lanes without a gradient are skipped: 0 · ∞ would give NaN.
    if (d == 0) continue;
    double derivatives[kMaxOperands] = {};
    for (int o = 0; o < node.arity; ++o) x[o] = value(node.operands[o], lane);
    derivatives_of(node.operation, x, values(index)[lane], derivatives);
    for (int o = 0; o < node.arity; ++o)
      if (derivatives[o] != 0) gradients_of(node.operands[o])[lane] += d * derivatives[o];
  }
}

void Evaluation::backward(const Inputs& inputs, int count, const double* d_result,
                          float* const* gradients, double* d_logit, double* d_sums) {
  const std::span<const Node> nodes = program_.nodes();
  std::fill_n(gradients_of(0), doubles(program_, lanes_), 0.0);
  const int result = program_.result();
  for (int lane = 0; lane < count; ++lane) gradients_of(result)[lane] += d_result[lane];
  for (int index = static_cast<int>(nodes.size()) - 1; index >= 0; --index) {
    const Node& node = nodes[index];
    double* d = gradients_of(index);
    if (computed_lanes(index) == 1) d[0] = std::accumulate(d, d + count_, 0.0);
    switch (node.operation) {
      case Operation::kConstant:
        break;
      case Operation::kVariable:
        if (d_logit && node.symbol == static_cast<int>(Variable::kLogit))
          for (int lane = 0; lane < count; ++lane) d_logit[lane] += d[lane];
        break;
      case Operation::kParameter:
        if (!gradients[node.symbol]) break;
        for (int lane = 0; lane < computed_lanes(index); ++lane) {
          const int offset = offset_of_element(node, lane);
          if (offset >= 0) gradients[node.symbol][offset] += static_cast<float>(d[lane]);
        }
        break;
      case Operation::kSum:
        backward_sum(index, inputs, d_sums);
        break;
      default:
        backward_operation(index);
    }
  }
}

}  // namespace wf::formula
