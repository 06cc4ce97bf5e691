// The one list of schemes. Attention never includes this file: it is for those who build models and
// for those who describe schemes to people.
#pragma once

#include <span>

#include "schemes/scheme.h"

namespace wf {

// A scheme that was made, with its entry (hooks, description).
struct SchemeInstance {
  const SchemeEntry* entry = nullptr;
  OptionValues options;
  std::unique_ptr<Scheme> scheme;

  // Those of its class, less those that its options leave idle.
  std::uint32_t hooks = 0;

  bool has(Hook hook) const { return hooks & hook; }
};

std::span<const SchemeEntry* const> scheme_entries();

// Errors: kUnknownScheme, whose message lists the ids.
Result<const SchemeEntry*> find_scheme(const char* id);

OptionValues default_options(const SchemeDescription& description);

// Sets one option by its camelCase key, "group.key" where it is nested. Errors: kUnknownOption,
// which lists the known ones of that group; kInvalidArgument, which names the allowed range.
// `choice` is read for kChoice options only.
Status set_option(const SchemeDescription& description, OptionValues& options, const char* key,
                  double value, const char* choice = nullptr);
// The same by the option's index, where a choice is the index of its word and any other option but
// a list is one number.
Status set_option(const SchemeDescription& description, OptionValues& options, int index,
                  std::span<const double> numbers);
// The same by key for options that are lists.
Status set_option(const SchemeDescription& description, OptionValues& options, const char* key,
                  std::span<const double> list);

// Errors: kInvalidArgument for a shape or an option out of range.
Result<SchemeInstance> make_scheme(const SchemeEntry& entry, const SchemeShape& shape,
                                   const OptionValues& options);

}  // namespace wf
