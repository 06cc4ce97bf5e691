#include "schemes/registry.h"

#include <cstring>

#include "schemes/formula.h"
#include "schemes/name_list.h"

// The list: one line for each scheme, whose file defines `<id>_entry`.
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
  X(forget_gate)      \
  X(conditioned_bias) \
  X(query_scale)      \
  X(rope)             \
  X(xpos)             \
  X(pope)             \
  X(remapped_rope)    \
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
const SchemeEntry* const kEntries[] = {WF_SCHEMES(WF_ADDRESS) WF_ADDRESS(formula)};
#undef WF_ADDRESS

}  // namespace

std::span<const SchemeEntry* const> scheme_entries() {
  return std::span(kEntries).first(std::size(kEntries) - 1);
}
std::span<const SchemeEntry* const> all_scheme_entries() { return kEntries; }

Result<const SchemeEntry*> find_scheme(const char* id) {
  for (const SchemeEntry* entry : kEntries)
    if (std::strcmp(entry->description->id, id) == 0) return entry;
  NameList known;
  for (const SchemeEntry* entry : kEntries) known.add(entry->description->id);
  return WF_UNEXPECTED_AS(Code::kUnknownScheme, "scheme", "\"%.40s\"", "one of %s", id,
                          known.text());
}

Result<SchemeInstance> make_scheme(const SchemeEntry& entry, const SchemeShape& shape,
                                   const OptionValues& options) {
  WF_RETURN_IF_ERROR(shape.check());
  SchemeInstance instance;
  instance.entry = &entry;
  instance.options = options;
  WF_ASSIGN_OR_RETURN(instance.scheme, entry.make(shape, options));
  instance.hooks = entry.hooks & ~instance.scheme->idle_hooks();
  return instance;
}

}  // namespace wf
