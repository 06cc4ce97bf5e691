#include "trainer/setup.h"

#include <cstdlib>

#include "model/checkpoint.h"
#include "trainer/fail.h"
#include "trainer/files.h"

namespace trainer {

wf::ModelConfig sizes_from(Arguments& arguments) {
  wf::ModelConfig config;
  config.vocab_size = arguments.integer("vocab-size");
  config.width = arguments.integer("hidden-size");
  config.num_layers = arguments.integer("layers");
  config.num_heads = arguments.integer("heads");
  config.num_kv_heads = arguments.integer("kv-heads");
  config.head_dim = arguments.integer("head-dim");
  config.intermediate = arguments.integer("intermediate-size");
  config.norm_epsilon = static_cast<float>(arguments.number("norm-epsilon"));
  config.is_causal = arguments.text("causal") == "true";
  if (arguments.has("initializer-range"))
    config.initializer_range = static_cast<float>(arguments.number("initializer-range"));
  return config;
}

void add_scheme(wf::ModelConfig& config, const std::string& id,
                const std::vector<std::string>& options) {
  wf::SchemeChoice& choice = config.layer_types[0].schemes[config.layer_types[0].scheme_count++];
  choice.entry = require(wf::find_scheme(id.c_str()));
  choice.options = wf::default_options(*choice.entry->description);
  for (const std::string& option : options) {
    const auto [key, value] = halves(option);
    const bool is_true = value == "true";
    require(wf::set_option(*choice.entry->description, choice.options, key.c_str(),
                           is_true ? 1 : std::atof(value.c_str()), value.c_str()));
  }
}

wf::ModelConfig config_from(Arguments& arguments) {
  wf::ModelConfig config = sizes_from(arguments);
  add_scheme(config, arguments.text("scheme"), arguments.all("scheme-option"));
  return config;
}

wf::TrainerConfig trainer_config_from(Arguments& arguments) {
  wf::TrainerConfig config;
  config.batch = arguments.integer("batch");
  config.length = arguments.integer("length");
  config.slices = arguments.integer("slices");
  config.schedule.peak = static_cast<float>(arguments.number("peak-rate"));
  config.schedule.floor = static_cast<float>(arguments.number("floor-rate"));
  config.schedule.warmup_steps = arguments.integer("warmup-steps");
  config.schedule.total_steps = arguments.integer("steps");
  config.beta1 = static_cast<float>(arguments.number("beta1"));
  config.beta2 = static_cast<float>(arguments.number("beta2"));
  config.weight_decay = static_cast<float>(arguments.number("weight-decay"));
  config.clip = static_cast<float>(arguments.number("clip"));
  config.seed = static_cast<std::uint64_t>(arguments.number("seed"));
  return config;
}

wf::Transformer model_from(Arguments& arguments) {
  wf::Transformer model = require(wf::Transformer::make(config_from(arguments), 0));
  const std::string weights = arguments.text("weights");
  std::vector<std::uint8_t> bytes;
  if (!read_file(weights, bytes)) fail("cannot read " + weights);
  require(wf::load_model(bytes, model));
  return model;
}

Lesson lesson_from(Arguments& arguments, const std::string& task, int vocab_size) {
  Lesson lesson;
  const std::vector<std::string> streams = arguments.all("stream");
  lesson.texts.reserve(streams.size());
  for (const std::string& stream : streams) {
    const auto [path, weight] = halves(stream);
    lesson.texts.push_back(read_ids(path));
    lesson.streams.push_back({lesson.texts.back(), static_cast<float>(std::atof(weight.c_str()))});
  }
  lesson.task = require(
      wf::make_task(task.c_str(), {vocab_size, {lesson.streams.data(), lesson.streams.size()}}));
  return lesson;
}

}  // namespace trainer
