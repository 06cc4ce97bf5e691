#include "calls/descriptions.h"

#include "calls/session.h"
#include "calls/training.h"
#include "model/config.h"
#include "training/tasks/registry.h"

namespace wf::calls {
namespace {

// The element with this index, or null.
template <class List>
auto element(const List& list, int index) {
  return index >= 0 && index < static_cast<int>(std::size(list)) ? &list[index] : nullptr;
}

const SchemeDescription* description(int scheme) {
  const auto* entry = element(all_scheme_entries(), scheme);
  return entry ? (*entry)->description : nullptr;
}

const Option* option_of(int scheme, int option) {
  const SchemeDescription* from = description(scheme);
  return from ? element(from->options, option) : nullptr;
}

std::span<const Field> fields_of(const std::string& table) {
  if (table == "architecture") return Architecture::fields();
  if (table == "attention") return AttentionConfig::fields();
  if (table == "layerType") return LayerType::fields();
  if (table == "model") return ModelConfig::fields();
  if (table == "sampling") return SamplingSettings::fields();
  if (table == "training") return TrainingSettings::fields();
  return {};
}

std::string text(const char* words) { return words ? words : ""; }

}  // namespace

int scheme_count() { return static_cast<int>(all_scheme_entries().size()); }

SchemeFacts facts_of(const SchemeDescription& from, std::uint32_t hooks) {
  return {.id = text(from.id),
          .family = text(from.family),
          .paper = text(from.paper),
          .year = from.year,
          .hooks = static_cast<int>(hooks),
          .cross_attention = from.cross_attention,
          .position_axes = from.position_axes,
          .shift_invariant = from.claims.shift_invariant,
          .extrapolates_by_construction = from.claims.extrapolates_by_construction,
          .bidirectional = from.claims.bidirectional,
          .decodes = from.claims.decodes,
          .option_count = static_cast<int>(from.options.size()),
          .term_count = static_cast<int>(from.bias_terms.size()) + (from.transform_term ? 1 : 0)};
}

std::string term_of(const SchemeDescription& from, int term) {
  const int transforms = from.transform_term ? 1 : 0;
  if (transforms && term == 0) return from.transform_term;
  if (term < transforms) return {};
  const auto* name = element(from.bias_terms, term - transforms);
  return name ? text(*name) : "";
}

SchemeFacts scheme_facts(int scheme) {
  const auto* entry = element(all_scheme_entries(), scheme);
  return entry ? facts_of(*(*entry)->description, (*entry)->hooks) : SchemeFacts{};
}

std::string scheme_term(int scheme, int term) {
  const SchemeDescription* from = description(scheme);
  return from ? term_of(*from, term) : "";
}

OptionFacts option_facts(int scheme, int option) {
  const Option* from = option_of(scheme, option);
  if (!from) return {};
  return {.key = text(from->key),
          .config_key = text(from->config_key),
          .kind = from->kind,
          .default_value = from->default_value,
          .minimum = from->minimum,
          .maximum = from->maximum,
          .choice_count = static_cast<int>(from->choices.size())};
}

std::string option_choice(int scheme, int option, int choice) {
  const Option* from = option_of(scheme, option);
  const auto* word = from ? element(from->choices, choice) : nullptr;
  return word ? text(*word) : "";
}

FieldFacts field_facts(const std::string& table, int field) {
  const Field* from = element(fields_of(table), field);
  if (!from) return {};
  return {.name = from->name,
          .kind = from->kind,
          .absent = from->absent,
          .minimum = from->min,
          .maximum = from->max};
}

std::string field_word(const std::string& table, int field, int word) {
  const Field* from = element(fields_of(table), field);
  const auto* found = from ? element(from->words, word) : nullptr;
  return found ? text(*found) : "";
}

int task_count() { return static_cast<int>(task_entries().size()); }

std::string task_id(int task) {
  const auto* entry = element(task_entries(), task);
  return entry ? text((*entry)->id) : "";
}

}  // namespace wf::calls
