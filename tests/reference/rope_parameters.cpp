#include "rope_parameters.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace wf::reference {

bool has_rope_type(const nlohmann::json& rope_parameters) {
  return !rope_parameters.contains("mrope_section");
}

OptionValues rope_options(const nlohmann::json& rope_parameters, double max_position_embeddings,
                          bool interleaved) {
  const SchemeDescription& description = *find_scheme("rope").value()->description;
  OptionValues options = default_options(description);
  nlohmann::json all = rope_parameters;
  all["max_position_embeddings"] = max_position_embeddings;
  all["rope_interleave"] = interleaved;
  for (const auto& item : all.items()) {
    const std::string config_key = item.key();
    const nlohmann::json& value = item.value();
    CAPTURE(config_key);
    if (value.is_null()) continue;
    std::size_t i = 0;
    const auto is_named = [&](const std::string& name) {
      return name == config_key || name == "rope_scaling." + config_key;
    };
    while (i < description.options.size() && !is_named(description.options[i].config_key)) ++i;
    REQUIRE(i < description.options.size());
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
