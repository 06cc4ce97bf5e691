#include "rope_parameters.h"

#include <doctest/doctest.h>

#include <string>

namespace wf::reference {

bool has_rope_type(const nlohmann::json& rope_parameters) {
  return rope_parameters["rope_type"] == "default" && !rope_parameters.contains("mrope_section");
}

OptionValues rope_options(const nlohmann::json& rope_parameters, double, bool interleaved) {
  const SchemeDescription& description = *find_scheme("rope").value()->description;
  OptionValues options = default_options(description);
  const auto set = [&](const std::string& config_key, double value) {
    CAPTURE(config_key);
    std::size_t i = 0;
    while (i < description.options.size() && config_key != description.options[i].config_key) ++i;
    REQUIRE(i < description.options.size());
    options.values[i] = value;
  };
  set("rope_interleave", interleaved);
  for (const auto& [key, value] : rope_parameters.items())
    if (key != "rope_type" && !value.is_null()) set(key, value.get<double>());
  return options;
}

}  // namespace wf::reference
