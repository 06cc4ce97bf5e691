// The operations of formulas: their names, values and derivatives, in double precision.
#pragma once

#include <cstdint>
#include <span>

namespace wf::formula {

enum class Operation : std::uint8_t {
  // Without operands.
  kConstant,
  kVariable,
  // An element of a parameter; operands are its indices.
  kParameter,
  // With a symbol.
  kNegate,
  kNot,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,  // a − b · floor(a / b), which has the sign of b
  kPower,
  kLess,
  kLessEqual,
  kEqual,
  kUnequal,
  kAnd,
  kOr,
  kSelect,  // a ? b : c
  // Functions.
  kAbs,
  kMin,
  kMax,
  kClip,  // min(max(a, b), c)
  kFloor,
  kCeil,
  kRound,  // half away from zero
  kExp,
  kLog,
  kLog1p,
  kSqrt,
  kSin,
  kCos,
  kTanh,
  kSigmoid,
  kSoftplus,
  // T5's bucket of the distance a, of b buckets, the last from distance c on; keys after the query
  // have the upper half of the buckets if d is not 0, otherwise bucket 0. Raffel et al. 2020, arXiv
  // 1910.10683, section 2.1.
  kBucket,
  // DeBERTa's signed bucket of the distance a: a distance up to b / 2 is its own bucket, later ones
  // are logarithmic, with bucket b − 1 at distance c − 1. He et al. 2021, arXiv 2111.09543,
  // make_log_bucket_position.
  kLogBucket,
  // Sum of the operand over the keys from this one to the last visible one.
  kSum,
};

struct Function {
  const char* name;
  Operation operation;
  int min_arguments, max_arguments;
};

// Functions that are called by name, "pow" and "mod" included.
std::span<const Function> functions();

// The sign between two operands, or null for another operation.
const char* sign_of(Operation operation);

// The operation's value for operands x[0…3]. Not for kConstant, kVariable, kParameter and kSum.
double value_of(Operation operation, const double* x);

// The derivatives by operands x[0…3] where the value is y; 0 for steps (floor, comparisons,
// buckets) and for conditions. At a corner (abs at 0, min of equal numbers) the derivative of one
// side. Not for the operations named above.
void derivatives_of(Operation operation, const double* x, double y, double* derivatives);

}  // namespace wf::formula
