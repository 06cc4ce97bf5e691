// The parameters of formulas: their names, shapes and initial values.
//
//   declarations = declaration { ";" declaration } [ ";" ]
//   declaration  = { "positive" | "frozen" } name [ "[" size { "," size } "]" ] [ "=" initial ]
//   initial      = expression | "[" expression { "," expression } "]" | "given" "(" count ")"
//
// for example "positive slope[H] = 2^(-8*(h+1)/H); table[H, 32]; frozen base = 10000". A size is an
// expression without variables. An initial expression may name the indices of the element: h if a
// size is H, k if it is D/2, c if it is D or E. A list has a number for each element; longer lists
// are given beside the text, one after the other.
#pragma once

#include "formula/fault.h"
#include "formula/program.h"

namespace wf::formula {

constexpr int kMaxParameters = 16;
constexpr int kMaxParameterSize = 1 << 20;

class Declarations {
 public:
  // Errors: kInvalidArgument, as compile(); kOutOfMemory.
  static Result<Declarations> parse(std::string_view text, const double (&sizes)[kSizes],
                                    std::span<const double> given, Fault& fault);

  // Their names end with a zero byte.
  std::span<const Parameter> parameters() const {
    return {parameters_, static_cast<std::size_t>(count_)};
  }
  bool is_positive(int parameter) const { return flags_[parameter].positive; }
  bool is_frozen(int parameter) const { return flags_[parameter].frozen; }

  // Writes the initial values of a parameter.
  void initialise(int parameter, float* values) const;

 private:
  friend class DeclarationParser;
  struct Flags {
    bool positive = false, frozen = false;
  };
  // The name of a parameter's index in its initial expression.
  struct IndexNames {
    Variable of[3] = {};
    int count = 0;
  };

  Parameter parameters_[kMaxParameters];
  Flags flags_[kMaxParameters];
  IndexNames index_names_[kMaxParameters];
  Program initial_[kMaxParameters];  // without nodes: zero, or a list
  Buffer<float> lists_[kMaxParameters];  // [size], if a list is given
  Buffer<char> names_;
  int count_ = 0;
};

}  // namespace wf::formula
