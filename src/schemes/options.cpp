#include "schemes/options.h"

#include <cmath>
#include <cstring>

#include "schemes/name_list.h"

namespace wf {
namespace {

// Length of the "group." prefix of a key, or 0.
std::size_t group_length(const char* key) {
  return std::strchr(key, '.') ? std::strchr(key, '.') - key + 1 : 0;
}

Status unknown_option(const SchemeDescription& description, const char* key) {
  if (description.options.empty())
    return WF_UNEXPECTED_AS(Code::kUnknownOption, "%.40s", "unknown option", "no options for %s",
                            key, description.id);
  NameList known;
  const std::size_t asked = group_length(key);
  const char* last = "";
  for (const Option& option : description.options) {
    const std::size_t group = group_length(option.key);
    if (asked && (group != asked || std::strncmp(option.key, key, asked) != 0)) continue;
    if (asked || !group)
      known.add(option.key + group);
    else if (std::strncmp(last, option.key, group) != 0)  // options of a group are adjacent
      known.add(option.key, group - 1);
    last = option.key;
  }
  return WF_UNEXPECTED_AS(Code::kUnknownOption, "%.40s", "unknown option of %s", "one of %s", key,
                          description.id, known.text());
}

Status out_of_range(const Option& option, double value) {
  const char* kind = option.kind == OptionKind::kInteger ? "an integer" : "a number";
  return WF_UNEXPECTED("%s", "%g", "%s from %g to %g", option.key, value, kind, option.minimum,
                       option.maximum);
}

Status check_value(const Option& option, double value) {
  switch (option.kind) {
    case OptionKind::kBoolean:
      if (value == 0 || value == 1) return {};
      return WF_UNEXPECTED("%s", "%g", "true or false", option.key, value);
    case OptionKind::kInteger:
      if (value != std::floor(value)) return out_of_range(option, value);
      [[fallthrough]];
    case OptionKind::kNumber:
    case OptionKind::kList:
    case OptionKind::kText:
      if (!(value >= option.minimum && value <= option.maximum)) return out_of_range(option, value);
      return {};
    case OptionKind::kChoice:
      if (value >= 0 && value < static_cast<double>(option.choices.size())) return {};
      break;
  }
  return WF_UNEXPECTED("%s", "choice %g", "an index below %zu", option.key, value,
                       option.choices.size());
}

Result<double> find_choice(const Option& option, const char* choice) {
  for (std::size_t i = 0; choice && i < option.choices.size(); ++i)
    if (std::strcmp(option.choices[i], choice) == 0) return static_cast<double>(i);
  NameList known;
  for (const char* name : option.choices) known.add(name);
  return WF_UNEXPECTED("%s", "\"%.40s\"", "one of %s", option.key, choice ? choice : "",
                       known.text());
}

// Index of the option with this key, or the number of options.
std::size_t find_option(const SchemeDescription& description, const char* key) {
  std::size_t i = 0;
  while (i < description.options.size() && std::strcmp(description.options[i].key, key) != 0) ++i;
  return i;
}

}  // namespace

OptionValues default_options(const SchemeDescription& description) {
  OptionValues options;
  for (std::size_t i = 0; i < description.options.size(); ++i)
    options.values[i] = description.options[i].default_value;
  return options;
}

Status set_option(const SchemeDescription& description, OptionValues& options, int index,
                  std::span<const double> numbers) {
  const Option& option = description.options[index];
  const bool takes_list = is_list(option.kind);
  if (option.kind == OptionKind::kText && numbers.size() > option.max_count)
    return WF_UNEXPECTED("%s", "%zu bytes", "at most %zu", option.key, numbers.size(),
                         option.max_count);
  if (takes_list ? numbers.size() > option.max_count : numbers.size() != 1)
    return WF_UNEXPECTED("%s", "a list of %zu numbers", "%s", option.key, numbers.size(),
                         takes_list ? "a shorter one" : "one value");
  for (double x : numbers) WF_RETURN_IF_ERROR(check_value(option, x));
  if (!takes_list) {
    options.values[index] = numbers[0];
    return {};
  }
  int slot = 0;
  for (int k = 0; k < index; ++k) slot += is_list(description.options[k].kind);
  WF_ASSIGN_OR_RETURN(options.lists[slot], NumberList::make(numbers));
  options.values[index] = numbers.empty() ? 0 : slot + 1;
  return {};
}

Status set_option(const SchemeDescription& description, OptionValues& options, const char* key,
                  double value, const char* choice) {
  const std::size_t i = find_option(description, key);
  if (i == description.options.size()) return unknown_option(description, key);
  const Option& option = description.options[i];
  if (is_list(option.kind))
    return WF_UNEXPECTED("%s", "%g", "a list of at most %zu numbers from %g to %g", option.key,
                         value, option.max_count, option.minimum, option.maximum);
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

}  // namespace wf
