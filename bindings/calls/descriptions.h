// Descriptions of the engine's schemes and tasks, so that they are written only once. For an index
// out of range the description is empty.
#pragma once

#include <string>

#include "schemes/registry.h"

namespace wf::calls {

struct SchemeFacts {
  std::string id, family, paper;
  int year = 0;
  int hooks = 0;            // bits of Hook
  CrossAttention cross_attention = CrossAttention::kNone;
  int position_axes = 0;
  bool shift_invariant = false, extrapolates_by_construction = false, bidirectional = false,
       decodes = false;
  int option_count = 0;
  int term_count = 0;  // number of names: of its transform's term, if any, then of its biases
};

struct OptionFacts {
  std::string key, config_key;
  OptionKind kind = OptionKind::kBoolean;
  double default_value = 0, minimum = 0, maximum = 0;
  int choice_count = 0;
};

// Of a scheme of the registry, by its index, or with the options of an instance.
SchemeFacts facts_of(const SchemeDescription& description, std::uint32_t hooks);
std::string term_of(const SchemeDescription& description, int term);

int scheme_count();
SchemeFacts scheme_facts(int scheme);
std::string scheme_term(int scheme, int term);
OptionFacts option_facts(int scheme, int option);
std::string option_choice(int scheme, int option, int choice);

// The fields of "architecture", "attention", "layerType" and "model" (fields.h).
struct FieldFacts {
  std::string name;
  OptionKind kind = OptionKind::kBoolean;
  double absent = 0, minimum = 0, maximum = 0;
};

FieldFacts field_facts(const std::string& table, int field);
std::string field_word(const std::string& table, int field, int word);

int task_count();
std::string task_id(int task);

}  // namespace wf::calls
