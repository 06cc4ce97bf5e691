#include "calls/descriptions.h"

#include "boundary.h"

EMSCRIPTEN_BINDINGS(descriptions) {
  using namespace wf::calls;
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
  emscripten::function("taskCount()", &task_count);
  emscripten::function("taskId(task)", &task_id);
}
