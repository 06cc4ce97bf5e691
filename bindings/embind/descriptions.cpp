// What the engine says of its schemes and tasks, so that nobody writes it down a second time.
#include "call.h"
#include "schemes/registry.h"
#include "training/tasks/registry.h"

namespace wf::binding {
namespace {

void add_texts(std::span<const char* const> texts, Answer& answer) {
  answer.add(static_cast<double>(texts.size()));
  for (const char* text : texts) answer.add(text);
}

void add_option(const Option& option, Answer& answer) {
  answer.add(option.key);
  answer.add(option.config_key);
  for (const double number :
       {static_cast<double>(option.kind), option.default_value, option.minimum, option.maximum})
    answer.add(number);
  add_texts(option.choices, answer);
}

void add_scheme(const SchemeEntry& entry, Answer& answer) {
  const SchemeDescription& from = *entry.description;
  for (const char* text : {from.id, from.family, from.paper, from.selects}) answer.add(text);
  for (const int number :
       {from.year, static_cast<int>(entry.hooks), static_cast<int>(from.cross_attention),
        from.position_axes, int{from.claims.shift_invariant},
        int{from.claims.extrapolates_by_construction}, int{from.claims.bidirectional},
        int{from.claims.decodes}})
    answer.add(number);
  add_texts({&from.transform_term, from.transform_term ? 1u : 0u}, answer);
  add_texts(from.bias_terms, answer);
  answer.add(static_cast<double>(from.options.size()));
  for (const Option& option : from.options) add_option(option, answer);
}

Status describe_schemes(Arguments&, Answer& answer) {
  answer.add(static_cast<double>(scheme_entries().size()));
  for (const SchemeEntry* entry : scheme_entries()) add_scheme(*entry, answer);
  return {};
}

Status task_ids(Arguments&, Answer& answer) {
  answer.add(static_cast<double>(task_entries().size()));
  for (const TaskEntry* entry : task_entries()) answer.add(entry->id);
  return {};
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(descriptions) {
  using namespace wf::binding;
  bind<&describe_schemes>("describeSchemes");
  bind<&task_ids>("taskIds");
}
