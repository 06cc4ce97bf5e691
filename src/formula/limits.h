// Bounds on a formula's size, so that hostile text costs little time and memory.
#pragma once

namespace wf::formula {

constexpr int kMaxLength = 2048;     // bytes of text; an option of a scheme holds no more
constexpr int kMaxDepth = 64;         // nested parentheses, calls, conditions and signs
constexpr int kMaxNodes = 192;        // operations after equal ones are merged
constexpr int kMaxDefinitions = 24;   // names defined by `let`
constexpr int kMaxSums = 4;           // cumsum(…), each of which needs a number carried by a row
constexpr int kMaxOperands = 4;

}  // namespace wf::formula
