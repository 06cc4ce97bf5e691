#include "calls/descriptions.h"

#include "boundary.h"
#include "words.h"

EMSCRIPTEN_BINDINGS(descriptions) {
  using namespace wf::calls;
  wf::binding::register_words<wf::OptionKind>("OptionKind");
  wf::binding::register_words<wf::CrossAttention>("CrossAttention");
  emscripten::enum_<wf::Hook>("Hook")
#define WF_HOOK(name, bit, word, member) .value(word, wf::name)
      WF_HOOKS(WF_HOOK);
#undef WF_HOOK
  emscripten::value_object<SchemeFacts>("SchemeFacts")
      .field("id", &SchemeFacts::id)
      .field("family", &SchemeFacts::family)
      .field("paper", &SchemeFacts::paper)
      .field("year", &SchemeFacts::year)
      .field("hooks", &SchemeFacts::hooks)
      .field("crossAttention", &SchemeFacts::cross_attention)
      .field("positionAxes", &SchemeFacts::position_axes)
      .field("shiftInvariant", &SchemeFacts::shift_invariant)
      .field("extrapolatesByConstruction", &SchemeFacts::extrapolates_by_construction)
      .field("bidirectional", &SchemeFacts::bidirectional)
      .field("decodes", &SchemeFacts::decodes)
      .field("optionCount", &SchemeFacts::option_count)
      .field("termCount", &SchemeFacts::term_count);
  emscripten::value_object<OptionFacts>("OptionFacts")
      .field("key", &OptionFacts::key)
      .field("configKey", &OptionFacts::config_key)
      .field("kind", &OptionFacts::kind)
      .field("defaultValue", &OptionFacts::default_value)
      .field("minimum", &OptionFacts::minimum)
      .field("maximum", &OptionFacts::maximum)
      .field("choiceCount", &OptionFacts::choice_count);
  emscripten::function("schemeCount()", &scheme_count);
  emscripten::function("schemeFacts(scheme)", &scheme_facts);
  emscripten::function("schemeTerm(scheme, term)", &scheme_term);
  emscripten::function("optionFacts(scheme, option)", &option_facts);
  emscripten::function("optionChoice(scheme, option, choice)", &option_choice);
  emscripten::value_object<FieldFacts>("FieldFacts")
      .field("name", &FieldFacts::name)
      .field("kind", &FieldFacts::kind)
      .field("absent", &FieldFacts::absent)
      .field("minimum", &FieldFacts::minimum)
      .field("maximum", &FieldFacts::maximum);
  emscripten::function("fieldFacts(table, field)", &field_facts);
  emscripten::function("fieldWord(table, field, word)", &field_word);
  emscripten::function("taskCount()", &task_count);
  emscripten::function("taskId(task)", &task_id);
}
