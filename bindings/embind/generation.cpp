#include "calls/generation.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::Generation;
using calls::GenerationSettings;
using calls::Memory;
using calls::Model;
using calls::NextToken;

Generation* make(const Model& model, Address prompt, int prompt_length,
                 const GenerationSettings& settings, const Memory* memory) {
  return handed_over(
      Generation::make(workspace(), model, {prompt, prompt_length}, settings, memory));
}

NextToken next(Generation& generation) { return answer(generation.next()); }

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(generation) {
  using namespace wf::binding;
  emscripten::value_object<GenerationSettings>("GenerationSettings")
      .field("maxTokens", &GenerationSettings::max_tokens)
      .field("temperature", &GenerationSettings::temperature)
      .field("topK", &GenerationSettings::top_k)
      .field("topP", &GenerationSettings::top_p)
      .field("seed", &GenerationSettings::seed)
      .field("isExact", &GenerationSettings::is_exact);
  emscripten::value_object<NextToken>("NextToken")
      .field("code", &NextToken::code)
      .field("id", &NextToken::id);
  emscripten::class_<Generation>("Generation")
      .class_function("make(model, prompt, promptLength, settings, memory)", &make,
                      emscripten::allow_raw_pointers())
      .function("next()", &next);
}
