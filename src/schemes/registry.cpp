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
template <class Items, class Name>
void join(const Items& items, Name name, char* text, std::size_t size) {
  std::size_t used = 0;
  text[0] = '\0';
  for (const auto& item : items) {
    used += format_text(text + used, size - used, "%s%s", used ? ", " : "", name(item));
  }
}

Status out_of_range(const Option& option, double value) {
  return Status::error(Code::kInvalidArgument, "%s: %g is out of range; allowed is %s from %g to %g",
                       option.key, value,
                       option.kind == OptionKind::kInteger ? "an integer" : "a number",
                       option.minimum, option.maximum);
}

Result<double> checked_value(const Option& option, double value, const char* choice) {
  switch (option.kind) {
    case OptionKind::kBoolean:
      if (value != 0 && value != 1)
        return Status::error(Code::kInvalidArgument, "%s: %g is not a boolean; allowed is true or false",
                             option.key, value);
      return value;
    case OptionKind::kInteger:
      if (!(value >= option.minimum && value <= option.maximum) || value != std::floor(value))
        return out_of_range(option, value);
      return value;
    case OptionKind::kNumber:
      if (!(value >= option.minimum && value <= option.maximum)) return out_of_range(option, value);
      return value;
    case OptionKind::kChoice: {
      for (std::size_t i = 0; choice && i < option.choices.size(); ++i)
        if (std::strcmp(option.choices[i], choice) == 0) return static_cast<double>(i);
      char known[160];
      join(option.choices, [](const char* name) { return name; }, known, sizeof(known));
      return Status::error(Code::kInvalidArgument, "%s: \"%s\" is not a choice; allowed are %s",
                           option.key, choice ? choice : "", known);
    }
  }
  return Status::error(Code::kInternal, "%s: option of an unknown kind", option.key);
}

}  // namespace

Scheme::Scheme() {
  static std::atomic<std::uint64_t> made{0};
  serial_ = ++made;
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
  char known[200];
  join(kEntries, [](const SchemeEntry* entry) { return entry->description->id; }, known, sizeof(known));
  return Status::error(Code::kUnknownScheme, "scheme: \"%.40s\" is unknown; known are %s", id, known);
}

OptionValues default_options(const SchemeDescription& description) {
  OptionValues options;
  for (std::size_t i = 0; i < description.options.size(); ++i)
    options.values[i] = description.options[i].default_value;
  return options;
}

Status set_option(const SchemeDescription& description, OptionValues& options, const char* key,
                  double value, const char* choice) {
  for (std::size_t i = 0; i < description.options.size(); ++i) {
    if (std::strcmp(description.options[i].key, key) != 0) continue;
    const Result<double> checked = checked_value(description.options[i], value, choice);
    if (!checked.ok()) return checked.status();
    options.values[i] = checked.value();
    return {};
  }
  if (description.options.empty())
    return Status::error(Code::kUnknownOption, "%.40s: %s has no options", key, description.id);
  char known[200];
  join(description.options, [](const Option& option) { return option.key; }, known, sizeof(known));
  return Status::error(Code::kUnknownOption, "%.40s: %s has no such option; known are %s", key,
                       description.id, known);
}

Result<SchemeInstance> make_scheme(const SchemeEntry& entry, const SchemeShape& shape,
                                   const OptionValues& options) {
  if (shape.num_heads < 1 || shape.num_heads > 4096)
    return Status::error(Code::kInvalidArgument, "numHeads: %d; allowed is 1 to 4096", shape.num_heads);
  if (shape.head_dim < 1 || shape.head_dim > 4096)
    return Status::error(Code::kInvalidArgument, "headDim: %d; allowed is 1 to 4096", shape.head_dim);
  if (shape.num_kv_heads < 1 || shape.num_heads % shape.num_kv_heads != 0)
    return Status::error(Code::kInvalidArgument, "numKvHeads: %d; allowed is a divisor of numHeads %d",
                         shape.num_kv_heads, shape.num_heads);
  SchemeInstance instance;
  instance.entry = &entry;
  instance.options = options;
  WF_ASSIGN_OR_RETURN(instance.scheme, entry.make(shape, options));
  instance.hooks = entry.hooks & ~instance.scheme->idle_hooks();
  return instance;
}

}  // namespace wf
