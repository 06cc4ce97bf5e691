#include "formula/declarations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "format.h"
#include "formula/evaluation.h"
#include "formula/names.h"
#include "formula/parser.h"
#include "formula/token.h"

namespace wf::formula {
namespace {

constexpr char kSlot[] = "parameters";
constexpr std::uint32_t kNoVariables = 0;

}  // namespace

class DeclarationParser {
 public:
  DeclarationParser(std::string_view text, const double (&sizes)[kSizes],
                    std::span<const double> given, Fault& fault, Declarations& out)
      : text_(text), given_(given), fault_(fault), out_(out) {
    std::copy_n(sizes, kSizes, scope_.sizes);
    advance();
  }

  Status parse() {
    WF_RETURN_IF_ERROR(out_.names_.reserve(text_.size() + kMaxParameters));
    while (token_.kind != TokenKind::kEnd) {
      WF_RETURN_IF_ERROR(declaration());
      if (token_.kind != TokenKind::kEnd && !take(";")) return fail(token_, "\";\" or the end");
    }
    if (!given_.empty())
      return WF_UNEXPECTED("values", "%zu more than parameters take", "as many as they name",
                           given_.size());
    return {};
  }

 private:
  // ---- Tokens and faults, as in the parser of formulas

  bool is(std::string_view symbol) const {
    return token_.kind == TokenKind::kSymbol && token_.in(text_) == symbol;
  }
  void advance() { token_ = next_token(text_, token_.end); }
  bool take(std::string_view symbol) {
    if (!is(symbol)) return false;
    advance();
    return true;
  }
  Status fail(const Token& token, const char* expected) {
    fault_.kind = FaultKind::kUnexpected;
    fault_.begin = token.begin;
    fault_.end = token.end;
    format_text(fault_.expected, sizeof(fault_.expected), "%s", expected);
    return error_of(fault_, kSlot, text_);
  }

  // The text from this token to the next symbol of `ends` outside of parentheses and brackets.
  std::string_view slice(std::string_view ends) {
    const int begin = token_.begin;
    int depth = 0, end = begin;
    for (; token_.kind != TokenKind::kEnd; advance()) {
      const std::string_view word = token_.in(text_);
      if (depth == 0 && token_.kind == TokenKind::kSymbol && ends.find(word) != ends.npos) break;
      if (word == "(" || word == "[") ++depth;
      if (word == ")" || word == "]") --depth;
      end = token_.end;
    }
    return text_.substr(begin, end - begin);
  }

  // Messages count the characters of this part: "parameters.slope.initial, character 3".
  Result<Program> compiled(const char* which, std::string_view part, std::uint32_t variables) {
    scope_.variables = variables;
    char slot[80];
    format_text(slot, sizeof(slot), "%s.%.40s.%s", kSlot, out_.parameters_[out_.count_].name.data(),
                which);
    const int offset = static_cast<int>(part.data() - text_.data());
    Result<Program> program = compile(slot, part, scope_, fault_);
    fault_.begin += offset;
    fault_.end += offset;
    return program;
  }
  Result<double> number(const char* which, std::string_view part) {
    WF_ASSIGN_OR_RETURN(const Program program, compiled(which, part, kNoVariables));
    return program.nodes()[program.result()].constant;
  }

  // ---- Declarations

  Status declaration() {
    Declarations::Flags flags;
    for (;; advance()) {
      if (token_.in(text_) == "positive")
        flags.positive = true;
      else if (token_.in(text_) == "frozen")
        flags.frozen = true;
      else
        break;
    }
    const Token name = token_;
    const std::string_view written = name.in(text_);
    if (name.kind != TokenKind::kName || written.find('.') != written.npos)
      return fail(name, "a name");
    if (is_reserved(written) || is_declared(written))
      return fail(name, "a name that is not in use");
    if (out_.count_ == kMaxParameters) return fail(name, "at most 16 parameters");
    advance();
    const int index = out_.count_;
    out_.flags_[index] = flags;
    Parameter& parameter = out_.parameters_[index];
    parameter.name = kept(written);
    if (take("[")) WF_RETURN_IF_ERROR(shape(name, parameter, out_.index_names_[index]));
    if (take("=")) WF_RETURN_IF_ERROR(initial(index));
    ++out_.count_;
    return {};
  }

  bool is_declared(std::string_view name) const {
    return std::ranges::any_of(out_.parameters(),
                               [&](const Parameter& other) { return other.name == name; });
  }

  std::string_view kept(std::string_view name) {
    char* copy = out_.names_.data() + used_;
    std::copy(name.begin(), name.end(), copy);
    used_ += name.size() + 1;
    return {copy, name.size()};
  }

  Status shape(const Token& name, Parameter& parameter, Declarations::IndexNames& names) {
    do {
      const Token first = token_;
      if (parameter.rank == 3) return fail(first, "at most 3 sizes");
      const std::string_view part = slice(",];");
      WF_ASSIGN_OR_RETURN(const double size, number("shape", part));
      const std::int64_t others = parameter.size();
      if (!(size >= 1 && size <= static_cast<double>(kMaxParameterSize / others)) ||
          size != std::floor(size))
        return fail({.begin = first.begin, .end = first.begin + static_cast<int>(part.size())},
                    "a whole number from 1, and at most 2^20 elements");
      parameter.shape[parameter.rank++] = static_cast<int>(size);
      names.of[names.count++] = index_name(part);
    } while (take(","));
    if (!take("]")) return fail(token_.kind == TokenKind::kEnd ? token_ : name, "\"]\"");
    return {};
  }

  // kDistance, which no initial expression may name, for a size without a name for its index.
  static Variable index_name(std::string_view size) {
    if (size == "H") return Variable::kHead;
    if (size == "D/2" || size == "D / 2") return Variable::kPair;
    if (size == "D" || size == "E") return Variable::kChannel;
    return Variable::kDistance;
  }

  Status initial(int index) {
    if (is("[")) return list(index);
    if (token_.kind == TokenKind::kName && token_.in(text_) == "given") return given_list(index);
    std::uint32_t variables = 0;
    const Declarations::IndexNames& names = out_.index_names_[index];
    for (int d = 0; d < names.count; ++d)
      if (names.of[d] != Variable::kDistance) variables |= bit_of(names.of[d]);
    WF_ASSIGN_OR_RETURN(out_.initial_[index], compiled("initial", slice(";"), variables));
    return {};
  }

  Status list(int index) {
    const Token begin = token_;
    advance();
    const int size = out_.parameters_[index].size();
    Buffer<float>& list = out_.lists_[index];
    WF_RETURN_IF_ERROR(list.reserve(size));
    int count = 0;
    do {
      WF_ASSIGN_OR_RETURN(const double value, number("initial", slice(",];")));
      if (count < size) list[count] = static_cast<float>(value);
      ++count;
    } while (take(","));
    const Token end = token_;
    if (!take("]")) return fail(end, "\",\" or \"]\"");
    if (count == size) return {};
    char expected[sizeof(Fault::expected)];
    format_text(expected, sizeof(expected), "%d numbers, not %d", size, count);
    return fail({.begin = begin.begin, .end = end.end}, expected);
  }

  Status given_list(int index) {
    const Token begin = token_;
    advance();
    if (!take("(")) return fail(token_, "\"(\"");
    const Token written = token_;
    WF_ASSIGN_OR_RETURN(const double count, number("initial", slice(")")));
    if (!take(")")) return fail(token_, "\")\"");
    const Parameter& parameter = out_.parameters_[index];
    const std::size_t size = parameter.size();
    if (count != static_cast<double>(size)) {
      char expected[sizeof(Fault::expected)];
      format_text(expected, sizeof(expected), "%zu, a number for each element", size);
      return fail(written, expected);
    }
    if (given_.size() < size) return fail(begin, "as many numbers in values");
    Buffer<float>& list = out_.lists_[index];
    WF_RETURN_IF_ERROR(list.reserve(size));
    std::transform(given_.begin(), given_.begin() + size, list.data(), rounded);
    given_ = given_.subspan(size);
    return {};
  }

  // A number that float32 cannot hold is infinite: JSON has no infinity.
  static float rounded(double number) {
    constexpr double kMax = std::numeric_limits<float>::max();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return number > kMax ? kInfinity : number < -kMax ? -kInfinity : static_cast<float>(number);
  }

  std::string_view text_;
  std::span<const double> given_;  // those that no parameter has taken yet
  Scope scope_;
  Fault& fault_;
  Declarations& out_;
  Token token_;
  std::size_t used_ = 0;
};

Result<Declarations> Declarations::parse(std::string_view text, const double (&sizes)[kSizes],
                                         std::span<const double> given, Fault& fault) {
  fault = {};
  if (text.size() > kMaxLength) {
    fault.kind = FaultKind::kTooLong;
    return error_of(fault, kSlot, text);
  }
  Declarations declarations;
  WF_RETURN_IF_ERROR(DeclarationParser(text, sizes, given, fault, declarations).parse());
  return declarations;
}

void Declarations::initialise(int parameter, float* values) const {
  const Parameter& shaped = parameters_[parameter];
  if (lists_[parameter].size()) {
    std::copy_n(lists_[parameter].data(), shaped.size(), values);
    return;
  }
  const Program& program = initial_[parameter];
  if (program.nodes().empty()) {
    std::fill_n(values, shaped.size(), 0.0f);
    return;
  }
  double memory[kMaxNodes * kLocalLanes];
  Evaluation evaluation(program, {}, kLocalLanes, memory);
  const IndexNames& names = index_names_[parameter];
  Inputs inputs;
  double numbers[kVariables] = {};
  for (int v = 0; v < kVariables; ++v) inputs.variables[v] = numbers + v;
  for (int i = 0; i < shaped.size(); ++i) {
    for (int d = names.count - 1, rest = i; d >= 0; rest /= shaped.shape[d], --d)
      numbers[static_cast<int>(names.of[d])] = rest % shaped.shape[d];
    evaluation.forward(inputs, 1);
    values[i] = static_cast<float>(evaluation.result(0));
  }
}

}  // namespace wf::formula
