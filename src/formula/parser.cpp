#include "formula/parser.h"

#include <algorithm>
#include <cstring>

#include "format.h"
#include "formula/names.h"
#include "formula/token.h"

namespace wf::formula {
namespace {

struct Symbol {
  std::string_view text;
  Operation operation;
};

constexpr int kFailed = -1;

class Parser {
 public:
  Parser(std::string_view text, const Scope& scope, ProgramBuilder& builder, Fault& fault)
      : text_(text), scope_(scope), builder_(builder), fault_(fault) {
    advance();
  }

  // The node of the formula's value, or kFailed.
  int formula() {
    while (token_.kind == TokenKind::kName && word() == "let")
      if (!definition()) return kFailed;
    const int result = expression();
    if (result != kFailed && token_.kind != TokenKind::kEnd)
      return fail(FaultKind::kUnexpected, "an operator or the end");
    return result;
  }

 private:
  struct Definition {
    std::string_view name;
    int node;
  };

  // ---- Tokens

  std::string_view word() const { return token_.in(text_); }
  bool is(std::string_view symbol) const {
    return token_.kind == TokenKind::kSymbol && word() == symbol;
  }
  void advance() {
    previous_end_ = token_.end;
    token_ = next_token(text_, token_.end);
  }
  bool take(std::string_view symbol) {
    if (!is(symbol)) return false;
    advance();
    return true;
  }
  bool require(std::string_view symbol, const char* expected) {
    return take(symbol) || refuse(expected);
  }

  // ---- Faults: the first one counts.

  int fail_at(const Token& token, FaultKind kind, const char* expected,
              std::string_view suggestion = "") {
    if (fault_.kind != FaultKind::kNone) return kFailed;
    fault_.kind = kind;
    fault_.begin = token.begin;
    fault_.end = token.end;
    format_text(fault_.expected, sizeof(fault_.expected), "%s", expected);
    format_text(fault_.suggestion, sizeof(fault_.suggestion), "%.*s",
                static_cast<int>(suggestion.size()), suggestion.data());
    return kFailed;
  }
  int fail(FaultKind kind, const char* expected) { return fail_at(token_, kind, expected); }
  bool refuse(const char* expected) {
    fail(FaultKind::kUnexpected, expected);
    return false;
  }

  // The node, unless the program is full.
  int checked(int node, int begin) {
    if (node != ProgramBuilder::kFull) return node;
    return fail_at({.begin = begin, .end = previous_end_}, FaultKind::kTooLarge,
                   "fewer operations");
  }
  int operation(Operation operation, std::initializer_list<int> operands, int begin) {
    return checked(
        builder_.operation(operation, {operands.begin(), operands.size()}, begin, previous_end_),
        begin);
  }

  // ---- The grammar's rules, in the order of parser.h. Each returns a node or kFailed.

  bool definition() {
    advance();
    const Token name = token_;
    if (name.kind != TokenKind::kName) return refuse("a name");
    const std::string_view written = name.in(text_);
    if (is_reserved(written) || find_definition(written) || find_parameter(written) >= 0 ||
        written.find('.') != written.npos)
      return refuse("a name that is not in use");
    advance();
    if (!require("=", "\"=\"")) return false;
    const int node = expression();
    if (node == kFailed || !require(";", "an operator or \";\"")) return false;
    if (definition_count_ == kMaxDefinitions) {
      fail_at(name, FaultKind::kTooLarge, "fewer definitions");
      return false;
    }
    definitions_[definition_count_++] = {written, node};
    return true;
  }

  // Every recursion passes through here or through sign().
  int expression() {
    if (++depth_ > kMaxDepth) return fail(FaultKind::kTooDeep, "fewer nested parts");
    const int node = conditional();
    --depth_;
    return node;
  }

  int conditional() {
    const int begin = token_.begin, condition = disjunction();
    if (condition == kFailed || !take("?")) return condition;
    const int then = expression();
    if (then == kFailed || !require(":", "an operator or \":\"")) return kFailed;
    const int otherwise = expression();
    if (otherwise == kFailed) return kFailed;
    return operation(Operation::kSelect, {condition, then, otherwise}, begin);
  }

  // Operators of one rank, from left to right.
  template <class Operand>
  int chain(std::span<const Symbol> symbols, Operand operand) {
    const int begin = token_.begin;
    int left = operand();
    while (left != kFailed) {
      const auto symbol =
          std::ranges::find_if(symbols, [&](const Symbol& entry) { return is(entry.text); });
      if (symbol == symbols.end()) break;
      advance();
      const int right = operand();
      if (right == kFailed) return kFailed;
      left = operation(symbol->operation, {left, right}, begin);
    }
    return left;
  }

  int disjunction() {
    static constexpr Symbol kSymbols[] = {{"||", Operation::kOr}};
    return chain(kSymbols, [&] { return conjunction(); });
  }
  int conjunction() {
    static constexpr Symbol kSymbols[] = {{"&&", Operation::kAnd}};
    return chain(kSymbols, [&] { return comparison(); });
  }

  int comparison() {
    struct Comparison {
      std::string_view text;
      Operation operation;
      bool swaps;
    };
    static constexpr Comparison kComparisons[] = {
        {"<", Operation::kLess, false},   {"<=", Operation::kLessEqual, false},
        {">", Operation::kLess, true},    {">=", Operation::kLessEqual, true},
        {"==", Operation::kEqual, false}, {"!=", Operation::kUnequal, false},
    };
    const int begin = token_.begin, left = sum();
    if (left == kFailed) return kFailed;
    for (const auto& [text, comparison, swaps] : kComparisons) {
      if (!take(text)) continue;
      const int right = sum();
      if (right == kFailed) return kFailed;
      return swaps ? operation(comparison, {right, left}, begin)
                   : operation(comparison, {left, right}, begin);
    }
    return left;
  }

  int sum() {
    static constexpr Symbol kSymbols[] = {{"+", Operation::kAdd}, {"-", Operation::kSubtract}};
    return chain(kSymbols, [&] { return product(); });
  }
  int product() {
    static constexpr Symbol kSymbols[] = {
        {"*", Operation::kMultiply}, {"/", Operation::kDivide}, {"%", Operation::kModulo}};
    return chain(kSymbols, [&] { return sign(); });
  }

  int sign() {
    if (++depth_ > kMaxDepth) return fail(FaultKind::kTooDeep, "fewer nested parts");
    const int node = signed_power();
    --depth_;
    return node;
  }
  int signed_power() {
    const int begin = token_.begin;
    if (take("+")) return sign();
    const bool negates = is("-");
    if (!negates && !is("!")) return power();
    advance();
    const int operand = sign();
    if (operand == kFailed) return kFailed;
    return operation(negates ? Operation::kNegate : Operation::kNot, {operand}, begin);
  }

  int power() {
    const int begin = token_.begin, base = primary();
    if (base == kFailed || !take("^")) return base;
    const int exponent = sign();
    return exponent == kFailed ? kFailed : operation(Operation::kPower, {base, exponent}, begin);
  }

  int primary() {
    const Token first = token_;
    if (first.kind == TokenKind::kNumber) {
      advance();
      return checked(builder_.constant(first.number, first.begin, first.end), first.begin);
    }
    if (first.kind == TokenKind::kName) return named();
    if (!take("(")) return fail(FaultKind::kUnexpected, "a number, a name or \"(\"");
    const int node = expression();
    if (node == kFailed || !require(")", "an operator or \")\"")) return kFailed;
    return node;
  }

  // ---- Names

  int named() {
    const Token first = token_;
    const std::string_view name = word();
    advance();
    for (const Function& function : functions())
      if (function.name == name) return call(function, first);
    if (const Definition* definition = find_definition(name)) return definition->node;
    if (const int parameter = find_parameter(name); parameter >= 0)
      return element(parameter, first);
    for (const VariableName& entry : variable_names()) {
      if (entry.name != name) continue;
      if (!(scope_.variables & bit_of(entry.variable))) return unavailable(first);
      return checked(builder_.variable(entry.variable, first.begin, first.end), first.begin);
    }
    for (const SizeName& entry : size_names()) {
      if (entry.name != name) continue;
      const double size = scope_.sizes[static_cast<int>(entry.size)];
      if (size == 0) return unavailable(first);
      return checked(builder_.constant(size, first.begin, first.end), first.begin);
    }
    for (const ConstantName& entry : constant_names())
      if (entry.name == name)
        return checked(builder_.constant(entry.value, first.begin, first.end), first.begin);
    return unknown(first);
  }

  int unavailable(const Token& token) {
    return fail_at(token, FaultKind::kUnavailable, "a name that has a value here");
  }

  int unknown(const Token& token) {
    Suggestion suggestion(token.in(text_));
    each_available([&](std::string_view name) { suggestion.consider(name); });
    return fail_at(token, FaultKind::kUnknownName, is("(") ? "a function" : "a known name",
                   suggestion.best());
  }

  template <class Visit>
  void each_available(Visit visit) {
    for (const Parameter& parameter : scope_.parameters) visit(parameter.name);
    for (int d = 0; d < definition_count_; ++d) visit(definitions_[d].name);
    for (const VariableName& entry : variable_names())
      if (scope_.variables & bit_of(entry.variable)) visit(entry.name);
    for (const SizeName& entry : size_names())
      if (scope_.sizes[static_cast<int>(entry.size)] != 0) visit(entry.name);
    for (const ConstantName& entry : constant_names()) visit(entry.name);
    for (const Function& function : functions())
      if (function.operation != Operation::kSum || scope_.allows_sums) visit(function.name);
  }

  const Definition* find_definition(std::string_view name) const {
    for (int d = 0; d < definition_count_; ++d)
      if (definitions_[d].name == name) return &definitions_[d];
    return nullptr;
  }
  int find_parameter(std::string_view name) const {
    for (std::size_t p = 0; p < scope_.parameters.size(); ++p)
      if (scope_.parameters[p].name == name) return static_cast<int>(p);
    return -1;
  }

  // Expressions separated by commas up to `close`, written to nodes[kMaxOperands]. Returns their
  // number, of which only the first kMaxOperands are stored, or kFailed.
  int list(std::string_view close, int* nodes) {
    int count = 0;
    if (take(close)) return 0;
    do {
      const int node = expression();
      if (node == kFailed) return kFailed;
      if (count < kMaxOperands) nodes[count] = node;
      ++count;
    } while (take(","));
    return require(close,
                   close == ")" ? "an operator, \",\" or \")\"" : "an operator, \",\" or \"]\"")
               ? count
               : kFailed;
  }

  int call(const Function& function, const Token& name) {
    if (function.operation == Operation::kSum && !scope_.allows_sums) return unavailable(name);
    if (!require("(", "\"(\"")) return kFailed;
    int nodes[kMaxOperands];
    const int count = list(")", nodes);
    if (count == kFailed) return kFailed;
    if (count < function.min_arguments || count > function.max_arguments)
      return wrong_count(name, count, function.min_arguments, function.max_arguments, "argument",
                         "arguments");
    return checked(builder_.operation(function.operation, {nodes, static_cast<std::size_t>(count)},
                                      name.begin, previous_end_),
                   name.begin);
  }

  int element(int index, const Token& name) {
    const Parameter& parameter = scope_.parameters[index];
    int nodes[kMaxOperands];
    const int count = take("[") ? list("]", nodes) : 0;
    if (count == kFailed) return kFailed;
    if (count != parameter.rank)
      return wrong_count(name, count, parameter.rank, parameter.rank, "index", "indices");
    return checked(builder_.parameter(index, {nodes, static_cast<std::size_t>(count)}, name.begin,
                                      previous_end_),
                   name.begin);
  }

  int wrong_count(const Token& name, int count, int min, int max, const char* singular,
                  const char* plural) {
    const char* noun = max == 1 ? singular : plural;
    char expected[sizeof(Fault::expected)];
    if (min == max)
      format_text(expected, sizeof(expected), "%d %s, not %d", max, noun, count);
    else
      format_text(expected, sizeof(expected), "%d to %d %s, not %d", min, max, noun, count);
    return fail_at({.begin = name.begin, .end = previous_end_}, FaultKind::kArguments, expected);
  }

  std::string_view text_;
  const Scope& scope_;
  ProgramBuilder& builder_;
  Fault& fault_;
  Token token_;
  int previous_end_ = 0;
  int depth_ = 0;
  Definition definitions_[kMaxDefinitions];
  int definition_count_ = 0;
};

}  // namespace

Result<Program> compile(const char* slot, std::string_view text, const Scope& scope, Fault& fault) {
  fault = {};
  if (text.size() > kMaxLength) {
    fault.kind = FaultKind::kTooLong;
    return error_of(fault, slot, text);
  }
  ProgramBuilder builder;
  WF_RETURN_IF_ERROR(builder.begin());
  const int result = Parser(text, scope, builder, fault).formula();
  if (result == kFailed) return error_of(fault, slot, text);
  return builder.finish(result);
}

}  // namespace wf::formula
