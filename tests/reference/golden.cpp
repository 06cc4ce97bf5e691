#include "golden.h"

#include <doctest/doctest.h>

#include <cstdio>

namespace wf::reference {

nlohmann::json golden(const std::string& name) {
  const std::string path = std::string(WF_SOURCE_DIR) + "/tests/golden/" + name;
  CAPTURE(path);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::string text;
  char block[65536];
  for (std::size_t n; (n = std::fread(block, 1, sizeof(block), file)) > 0;) text.append(block, n);
  std::fclose(file);
  nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
  REQUIRE(!parsed.is_discarded());
  return parsed;
}

double golden_tolerance(const std::string& name, const std::string& quantity) {
  const nlohmann::json manifest = golden("manifest.json");
  REQUIRE(manifest.contains(name));
  REQUIRE(manifest[name]["tolerance"].contains(quantity));
  return manifest[name]["tolerance"][quantity].get<double>();
}

std::vector<std::string> golden_names(const std::string& prefix) {
  std::vector<std::string> names;
  const nlohmann::json manifest = golden("manifest.json");
  for (const auto& [name, row] : manifest.items())
    if (name.rfind(prefix, 0) == 0) names.push_back(name);
  return names;
}

std::vector<float> floats(const nlohmann::json& tensor) {
  std::vector<float> values;
  for (const auto& x : tensor["data"]) values.push_back(static_cast<float>(x.get<double>()));
  return values;
}

std::vector<int> shape(const nlohmann::json& tensor) { return tensor["shape"].get<std::vector<int>>(); }

}  // namespace wf::reference
