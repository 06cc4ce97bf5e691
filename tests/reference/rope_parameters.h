// Options of the rotary scheme as config.json and our golden files say them.
#pragma once

#include <nlohmann/json.hpp>

#include "schemes/registry.h"

namespace wf::reference {

// The scheme that turns as these `rope_parameters` say: by a grid's axes, a video's, or a text's.
const SchemeEntry& rotary_scheme(const nlohmann::json& rope_parameters);

// `rope_parameters` with rope_theta, rope_type and what that needs; fails the running test where
// the scheme lacks one of them.
OptionValues rope_options(const nlohmann::json& rope_parameters, double max_position_embeddings,
                          bool interleaved);

}  // namespace wf::reference
