#include "golden.h"

#include <doctest/doctest.h>

#include <cstdio>

namespace wf::reference {

nlohmann::json read_golden(const std::string& name) {
  const std::string path = std::string(WF_SOURCE_DIR) + "/tests/golden/" + name;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return nlohmann::json(nlohmann::json::value_t::discarded);
  std::string text;
  char block[65536];
  for (std::size_t n; (n = std::fread(block, 1, sizeof(block), file)) > 0;) text.append(block, n);
  std::fclose(file);
  return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::json golden(const std::string& name) {
  CAPTURE(name);
  nlohmann::json parsed = read_golden(name);
  REQUIRE(!parsed.is_discarded());
  return parsed;
}

bool write_golden(const std::string& name, const nlohmann::json& content) {
  std::FILE* file =
      std::fopen((std::string(WF_SOURCE_DIR) + "/tests/golden/" + name).c_str(), "wb");
  if (!file) return false;
  const std::string text = content.dump(2) + "\n";
  const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return (std::fclose(file) == 0) && whole;
}

const nlohmann::json& golden_manifest() {
  static const nlohmann::json manifest = read_golden("manifest.json");
  return manifest;
}

double golden_tolerance(const std::string& name, const std::string& quantity) {
  const nlohmann::json& manifest = golden_manifest();
  if (!manifest.contains(name) || !manifest[name]["tolerance"].contains(quantity)) {
    FAIL_CHECK("manifest.json has no tolerance for " << quantity << " of " << name);
    return 0;
  }
  return manifest[name]["tolerance"][quantity].get<double>();
}

std::vector<std::string> golden_names(const std::string& prefix) {
  std::vector<std::string> names;
  const nlohmann::json& manifest = golden_manifest();
  for (const auto& [name, row] : manifest.items())
    if (name.rfind(prefix, 0) == 0) names.push_back(name);
  return names;
}

std::vector<float> floats(const nlohmann::json& tensor) {
  std::vector<float> values;
  for (const auto& x : tensor["data"]) values.push_back(static_cast<float>(x.get<double>()));
  return values;
}

std::vector<int> shape(const nlohmann::json& tensor) {
  return tensor["shape"].get<std::vector<int>>();
}

}  // namespace wf::reference
