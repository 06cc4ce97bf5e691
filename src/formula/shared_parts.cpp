#include "formula/shared_parts.h"

namespace wf::formula {
namespace {

constexpr std::uint32_t kKeyNames =
    bit_of(Variable::kKeyPosition) | bit_of(Variable::kKeyRow) | bit_of(Variable::kKeyColumn);

bool reads_only(const Node& node, std::uint32_t names) {
  return (node.reads & names) != 0 && (node.reads & ~(names | kReadsCall)) == 0;
}

void find_computed(const Program& program, SharedParts::Kind& kind) {
  for (int i = 0; i < kind.count; ++i) kind.computed.add(kind.nodes[i]);
  const std::span<const Node> nodes = program.nodes();
  for (int index = static_cast<int>(nodes.size()) - 1; index >= 0; --index)
    for (int o = 0; kind.computed.has(index) && o < nodes[index].arity; ++o)
      kind.computed.add(nodes[index].operands[o]);
}

}  // namespace

SharedParts::SharedParts(const Program& program) {
  const std::span<const Node> nodes = program.nodes();
  NodeSet needed;
  needed.add(program.result());
  // Each node is after its operands.
  for (int index = program.result(); index >= 0; --index) {
    if (!needed.has(index)) continue;
    const Node& node = nodes[index];
    const bool is_by_distance = reads_only(node, bit_of(Variable::kDistance));
    Kind& kind = is_by_distance ? by_distance_ : by_key_;
    if ((is_by_distance || reads_only(node, kKeyNames)) && kind.count < kMax) {
      kind.nodes[kind.count++] = static_cast<std::uint8_t>(index);
      continue;
    }
    rest_.add(index);
    if (node.operation == Operation::kVariable) rest_reads_ |= node.reads;
    if (node.operation == Operation::kSum) rest_reads_ |= Program::kReadsSums;
    for (int o = 0; o < node.arity; ++o) needed.add(node.operands[o]);
  }
  find_computed(program, by_distance_);
  find_computed(program, by_key_);
}

}  // namespace wf::formula
