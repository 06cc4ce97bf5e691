#include "schemes/registry.h"

#include <atomic>
#include <cmath>
#include <cstring>

#include "format.h"

// The list. One line for each scheme; its file defines `<id>_entry`.
#define WF_SCHEMES(X) \
  X(nope)             \
  X(integer)          \
  X(one_hot)          \
  X(sinusoidal)       \
  X(learned)          \
  X(shaw)             \
  X(transformer_xl)   \
  X(t5)               \
  X(deberta)          \
  X(alibi)            \
  X(kerple)           \
  X(fire)             \
  X(sandwich)         \
  X(cope)             \
  X(rope)             \
  X(xpos)             \
  X(mla)              \
  X(sinusoidal_2d)    \
  X(learned_2d)       \
  X(rope_2d)          \
  X(mrope)            \
  X(swin)

namespace wf {

#define WF_DECLARE(id) extern const SchemeEntry id##_entry;
WF_SCHEMES(WF_DECLARE)
#undef WF_DECLARE

namespace {

#define WF_ADDRESS(id) &id##_entry,
const SchemeEntry* const kEntries[] = {WF_SCHEMES(WF_ADDRESS)};
#undef WF_ADDRESS

// "a, b, c" for error messages; cut when it does not fit.
class Names {
 public:
  void add(const char* name, std::size_t length) {
    used_ += format_text(text_ + used_, sizeof(text_) - used_, "%s%.*s", used_ ? ", " : "",
                         static_cast<int>(length), name);
  }
  void add(const char* name) { add(name, std::strlen(name)); }
  const char* text() const { return text_; }

 private:
  char text_[220] = "";
  std::size_t used_ = 0;
};

// Length of the "group." that a key begins with, or 0.
std::size_t group_length(const char* key) {
  return std::strchr(key, '.') ? std::strchr(key, '.') - key + 1 : 0;
}

Status unknown_option(const SchemeDescription& description, const char* key) {
  if (description.options.empty())
    return Status::error(Code::kUnknownOption, "%.40s: %s has no options", key, description.id);
  Names known;
  const std::size_t asked = group_length(key);
  const char* last = "";
  for (const Option& option : description.options) {
    const std::size_t group = group_length(option.key);
    if (asked && (group != asked || std::strncmp(option.key, key, asked) != 0)) continue;
    if (asked || !group)
      known.add(option.key + group);
    else if (std::strncmp(last, option.key, group) != 0)  // options of a group stand together
      known.add(option.key, group - 1);
    last = option.key;
  }
  return Status::error(Code::kUnknownOption, "%.40s: %s has no such option; known are %s", key,
                       description.id, known.text());
}

Status out_of_range(const Option& option, double value) {
  const char* kind = option.kind == OptionKind::kInteger ? "an integer" : "a number";
  return Status::error(Code::kInvalidArgument,
                       "%s: %g is out of range; allowed is %s from %g to %g", option.key, value,
                       kind, option.minimum, option.maximum);
}

Status check_value(const Option& option, double value) {
  switch (option.kind) {
    case OptionKind::kBoolean:
      if (value == 0 || value == 1) return {};
      return Status::error(Code::kInvalidArgument,
                           "%s: %g is not a boolean; allowed is true or false", option.key, value);
    case OptionKind::kInteger:
      if (value != std::floor(value)) return out_of_range(option, value);
      [[fallthrough]];
    case OptionKind::kNumber:
    case OptionKind::kList:
      if (!(value >= option.minimum && value <= option.maximum)) return out_of_range(option, value);
      return {};
    case OptionKind::kChoice:
      if (value >= 0 && value < static_cast<double>(option.choices.size())) return {};
      break;
  }
  return Status::error(Code::kInvalidArgument, "%s: choice %g of %zu", option.key, value,
                       option.choices.size());
}

Result<double> find_choice(const Option& option, const char* choice) {
  for (std::size_t i = 0; choice && i < option.choices.size(); ++i)
    if (std::strcmp(option.choices[i], choice) == 0) return static_cast<double>(i);
  Names known;
  for (const char* name : option.choices) known.add(name);
  return Status::error(Code::kInvalidArgument, "%s: \"%.40s\" is not a choice; allowed are %s",
                       option.key, choice ? choice : "", known.text());
}

// Index of the option of this key, or the number of options.
std::size_t find_option(const SchemeDescription& description, const char* key) {
  std::size_t i = 0;
  while (i < description.options.size() && std::strcmp(description.options[i].key, key) != 0) ++i;
  return i;
}

}  // namespace

Scheme::Scheme() {
  static std::atomic<std::uint64_t> made{0};
  serial_ = ++made;
}

Status check_table_positions(const Positions& positions, int lowest, int max_positions) {
  for (int i = 0; i < positions.count; ++i) {
    if (positions.at(i) >= lowest && positions.at(i) < max_positions) continue;
    return Status::error(Code::kInvalidArgument,
                         "positions[%d] is %d; allowed: %d to %d (maxPositions %d)", i,
                         positions.at(i), lowest, max_positions - 1, max_positions);
  }
  return {};
}

Status check_axes(const SchemeDescription& description, const char* argument,
                  const Positions& positions) {
  const int wanted = description.position_axes;
  if (wanted == 0 || positions.axes == wanted || (wanted == 3 && positions.axes == 1)) return {};
  static constexpr const char* kForms[] = {"[T]", "[2,T], rows then columns",
                                           "[T] or [3,T], times then rows then columns"};
  return Status::error(Code::kInvalidArgument, "%s: %d axes; allowed for %s is %s", argument,
                       positions.axes, description.id, kForms[wanted - 1]);
}

std::span<const SchemeEntry* const> scheme_entries() { return kEntries; }

Result<const SchemeEntry*> find_scheme(const char* id) {
  for (const SchemeEntry* entry : kEntries)
    if (std::strcmp(entry->description->id, id) == 0) return entry;
  Names known;
  for (const SchemeEntry* entry : kEntries) known.add(entry->description->id);
  return Status::error(Code::kUnknownScheme, "scheme: \"%.40s\" is unknown; known are %s", id,
                       known.text());
}

OptionValues default_options(const SchemeDescription& description) {
  OptionValues options;
  for (std::size_t i = 0; i < description.options.size(); ++i)
    options.values[i] = description.options[i].default_value;
  return options;
}

Status set_option(const SchemeDescription& description, OptionValues& options, int index,
                  std::span<const double> numbers) {
  const Option& option = description.options[index];
  const bool is_list = option.kind == OptionKind::kList;
  if (is_list ? numbers.size() > kMostListNumbers : numbers.size() != 1)
    return Status::error(Code::kInvalidArgument, "%s: a list of %zu numbers; allowed is %s",
                         option.key, numbers.size(), is_list ? "a shorter one" : "one value");
  for (double x : numbers) WF_RETURN_IF_ERROR(check_value(option, x));
  if (!is_list) {
    options.values[index] = numbers[0];
    return {};
  }
  int slot = 0;
  for (int k = 0; k < index; ++k) slot += description.options[k].kind == OptionKind::kList;
  WF_ASSIGN_OR_RETURN(options.lists[slot], NumberList::make(numbers));
  options.values[index] = numbers.empty() ? 0 : slot + 1;
  return {};
}

Status set_option(const SchemeDescription& description, OptionValues& options, const char* key,
                  double value, const char* choice) {
  const std::size_t i = find_option(description, key);
  if (i == description.options.size()) return unknown_option(description, key);
  const Option& option = description.options[i];
  if (option.kind == OptionKind::kList)
    return Status::error(Code::kInvalidArgument,
                         "%s: %g is no list; allowed is a list of up to %zu numbers from %g to %g",
                         option.key, value, kMostListNumbers, option.minimum, option.maximum);
  if (option.kind == OptionKind::kChoice) {
    WF_ASSIGN_OR_RETURN(value, find_choice(option, choice));
  }
  return set_option(description, options, static_cast<int>(i), {&value, 1});
}

Status set_option(const SchemeDescription& description, OptionValues& options, const char* key,
                  std::span<const double> list) {
  const std::size_t i = find_option(description, key);
  if (i == description.options.size()) return unknown_option(description, key);
  return set_option(description, options, static_cast<int>(i), list);
}

Result<SchemeInstance> make_scheme(const SchemeEntry& entry, const SchemeShape& shape,
                                   const OptionValues& options) {
  if (shape.num_heads < 1 || shape.num_heads > 4096)
    return Status::error(Code::kInvalidArgument, "numHeads: %d; allowed is 1 to 4096",
                         shape.num_heads);
  if (shape.head_dim < 1 || shape.head_dim > 4096)
    return Status::error(Code::kInvalidArgument, "headDim: %d; allowed is 1 to 4096",
                         shape.head_dim);
  if (shape.num_kv_heads < 1 || shape.num_heads % shape.num_kv_heads != 0)
    return Status::error(Code::kInvalidArgument,
                         "numKvHeads: %d; allowed is a divisor of numHeads %d", shape.num_kv_heads,
                         shape.num_heads);
  SchemeInstance instance;
  instance.entry = &entry;
  instance.options = options;
  WF_ASSIGN_OR_RETURN(instance.scheme, entry.make(shape, options));
  instance.hooks = entry.hooks & ~instance.scheme->idle_hooks();
  return instance;
}

}  // namespace wf
