// Options of the rotary schemes, read from config.json and the project's golden files.
#pragma once

#include <nlohmann/json.hpp>

#include "schemes/registry.h"

namespace wf::reference {

// Returns the rotary scheme for these `rope_parameters`: that of a grid, of a video or of text.
const SchemeEntry& rotary_scheme(const nlohmann::json& rope_parameters);

// Converts `rope_parameters` with rope_theta, rope_type and the parameters of that type. The
// running test fails if the scheme lacks an option for one of them.
OptionValues rope_options(const nlohmann::json& rope_parameters, double max_position_embeddings,
                          bool interleaved);

}  // namespace wf::reference
