#include "rope_parameters.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace wf::reference {

namespace {

// Returns the index of the option with this key in config.json, or with this option key (used by
// golden files); -1 if there is none.
int index_of(const SchemeDescription& description, const std::string& key) {
  for (std::size_t i = 0; i < description.options.size(); ++i) {
    const Option& option = description.options[i];
    for (const std::string& name : {key, "rope_scaling." + key})
      if (name == option.config_key || name == option.key) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

const SchemeEntry& rotary_scheme(const nlohmann::json& rope_parameters) {
  const char* id = "rope";
  if (rope_parameters.contains("mrope_section")) id = "mrope";
  if (rope_parameters.contains("layout")) id = "rope_2d";
  return *find_scheme(id).value();
}

OptionValues rope_options(const nlohmann::json& rope_parameters, double max_position_embeddings,
                          bool interleaved) {
  const SchemeDescription& description = *rotary_scheme(rope_parameters).description;
  OptionValues options = default_options(description);
  nlohmann::json all = rope_parameters;
  if (index_of(description, "max_position_embeddings") >= 0)
    all["max_position_embeddings"] = max_position_embeddings;
  if (index_of(description, "rope_interleave") >= 0) all["rope_interleave"] = interleaved;
  if (all.contains("mrope_section"))
    for (int axis = 0; axis < 3; ++axis)
      all["mrope_section." + std::to_string(axis)] = rope_parameters["mrope_section"][axis];
  all.erase("mrope_section");
  for (const auto& item : all.items()) {
    const std::string config_key = item.key();
    const nlohmann::json& value = item.value();
    CAPTURE(config_key);
    if (value.is_null()) continue;
    const int i = index_of(description, config_key);
    REQUIRE(i >= 0);
    const char* key = description.options[i].key;
    Status status;
    if (value.is_array())
      status = set_option(description, options, key, value.get<std::vector<double>>());
    else if (value.is_string())
      status = set_option(description, options, key, 0, value.get<std::string>().c_str());
    else
      status = set_option(description, options, key,
                          value.is_boolean() ? value.get<bool>() : value.get<double>());
    REQUIRE_MESSAGE(status.ok(), status.message());
  }
  return options;
}

}  // namespace wf::reference
