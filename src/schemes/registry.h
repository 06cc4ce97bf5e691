// The list of schemes. Attention never includes this file: it is for code that builds models or
// describes schemes.
#pragma once

#include <span>

#include "schemes/entry.h"
#include "schemes/options.h"

namespace wf {

// A scheme object with its entry (hooks, description).
struct SchemeInstance {
  const SchemeEntry* entry = nullptr;
  OptionValues options;
  std::unique_ptr<Scheme> scheme;

  // The hooks of its class, without those that are idle with its options.
  std::uint32_t hooks = 0;

  bool has(Hook hook) const { return hooks & hook; }
  const SchemeDescription& description() const {
    const SchemeDescription* configured = scheme->configured_description();
    return configured ? *configured : *entry->description;
  }
};

// The schemes of this project.
std::span<const SchemeEntry* const> scheme_entries();
// Those, and the scheme that its user writes as formulas.
std::span<const SchemeEntry* const> all_scheme_entries();

// Errors: kUnknownScheme, whose message lists the ids.
Result<const SchemeEntry*> find_scheme(const char* id);

// Errors: kInvalidArgument for a shape or an option out of range.
Result<SchemeInstance> make_scheme(const SchemeEntry& entry, const SchemeShape& shape,
                                   const OptionValues& options);

}  // namespace wf
