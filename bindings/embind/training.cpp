#include "calls/training.h"

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::Bytes;
using calls::Model;
using calls::ModelLayout;
using calls::TaskEvaluation;
using calls::TrainedStep;
using calls::Training;
using calls::TrainingSettings;

Training* make(const ModelLayout& layout, const TrainingSettings& settings, Address ids,
               int ids_length) {
  return handed_over(Training::make(workspace(), layout, settings, {ids, ids_length}));
}

TrainedStep step(Training& training) { return answer(training.step()); }

TaskEvaluation evaluate(Training& training, int length, int sequences, double seed) {
  return answer(training.evaluate(length, sequences, seed));
}

Model* copy_model(const Training& training) { return handed_over(training.copy_model()); }

Bytes* save(const Training& training) { return handed_over(training.save()); }

Code restore(Training& training, Address bytes, int length) {
  return report(training.restore(workspace(), {bytes, length}));
}

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(training) {
  using namespace wf::binding;
  emscripten::value_object<TrainingSettings>("TrainingSettings")
      .field("task", &TrainingSettings::task)
      .field("modelSeed", &TrainingSettings::model_seed)
      .field("seed", &TrainingSettings::seed)
#define WF_FIELD(type, name, public_name, ...) .field(#public_name, &TrainingSettings::name)
#include "calls/training_fields.def"
      ;
  emscripten::value_object<TrainedStep>("TrainedStep")
      .field("code", &TrainedStep::code)
      .field("loss", &TrainedStep::loss);
  emscripten::value_object<TaskEvaluation>("TaskEvaluation")
      .field("code", &TaskEvaluation::code)
      .field("loss", &TaskEvaluation::loss)
      .field("accuracy", &TaskEvaluation::accuracy);
  emscripten::class_<Training>("Trainer")
      .class_function("make(layout, settings, ids, idsLength)", &make,
                      emscripten::allow_raw_pointers())
      .function("stepsDone()", &Training::steps_done)
      .function("memoryBytes()", &Training::memory_bytes)
      .function("step()", &step)
      .function("evaluate(length, sequences, seed)", &evaluate)
      .function("copyModel()", &copy_model, emscripten::allow_raw_pointers())
      .function("save()", &save, emscripten::allow_raw_pointers())
      .function("restore(bytes, bytesLength)", &restore);
}
