// Parts of a formula whose values are the same for many pairs of a query and a key: those that
// depend on the distance alone, and those that depend on the key alone. They are computed once for
// a tile of logits, and the rest for each logit.
#pragma once

#include "formula/program.h"

namespace wf::formula {

// The variables on which a part may depend whose values are the same for a whole call.
constexpr std::uint32_t kReadsCall =
    bit_of(Variable::kHead) | bit_of(Variable::kLayer) | Program::kReadsParameters;

class SharedParts {
 public:
  static constexpr int kMax = 16;

  // Nodes of one kind: those that the rest reads, and all from which they are computed.
  struct Kind {
    std::uint8_t nodes[kMax] = {};
    int count = 0;
    NodeSet computed;
  };

  SharedParts() = default;
  explicit SharedParts(const Program& program);

  const Kind& by_distance() const { return by_distance_; }
  const Kind& by_key() const { return by_key_; }
  // The nodes to compute for each logit, and the names that they read: bits of variables,
  // Program::kReadsSums.
  const NodeSet& rest() const { return rest_; }
  std::uint32_t rest_reads() const { return rest_reads_; }

 private:
  Kind by_distance_, by_key_;
  NodeSet rest_;
  std::uint32_t rest_reads_ = 0;
};

}  // namespace wf::formula
