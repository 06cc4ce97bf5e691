// Small models with latent projections in their layers.
#pragma once

#include "core/model/tiny_model.h"

namespace wf::testing {

inline ModelConfig latent_config(const Settings& settings = {}) {
  ModelConfig config = tiny_config("mla");
  config.layer_types[0].schemes[0] = choice_of("mla", settings);
  return config;
}

}  // namespace wf::testing
