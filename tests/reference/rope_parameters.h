// Options of the rotary scheme as config.json and our golden files say them.
#pragma once

#include <nlohmann/json.hpp>

#include "schemes/registry.h"

namespace wf::reference {

// False where the axes of a grid share the frequencies, which "rope" does not do.
bool has_rope_type(const nlohmann::json& rope_parameters);

// `rope_parameters` with rope_theta, rope_type and what that needs; fails the running test where
// the scheme lacks one of them.
OptionValues rope_options(const nlohmann::json& rope_parameters, double max_position_embeddings,
                          bool interleaved);

}  // namespace wf::reference
