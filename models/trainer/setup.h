// Reads options: a model, its training, and its data.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trainer/arguments.h"
#include "training/tasks/registry.h"
#include "training/trainer.h"

namespace trainer {

// Sizes without a scheme; a scheme with its options key:value…; both.
wf::ModelConfig sizes_from(Arguments& arguments);
void add_scheme(wf::ModelConfig& config, const std::string& id,
                const std::vector<std::string>& options);
wf::ModelConfig config_from(Arguments& arguments);
wf::TrainerConfig trainer_config_from(Arguments& arguments);

// Returns a model with the weights of --weights.
wf::Transformer model_from(Arguments& arguments);

// A task with its texts, from --stream file:weight…
struct Lesson {
  std::vector<std::vector<std::int32_t>> texts;
  std::vector<wf::TokenStream> streams;
  std::unique_ptr<wf::Task> task;
};
Lesson lesson_from(Arguments& arguments, const std::string& task, int vocab_size);

}  // namespace trainer
