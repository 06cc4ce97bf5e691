// Reads tests/golden: numbers made with independent libraries.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wf::reference {

// tests/golden/<name>; fails the running test when it is missing or malformed.
nlohmann::json golden(const std::string& name);
// Of use outside a test: discarded where it is missing or malformed.
nlohmann::json read_golden(const std::string& name);
// Writes tests/golden/<name>; false where it could not.
bool write_golden(const std::string& name, const nlohmann::json& content);
const nlohmann::json& golden_manifest();
// The tolerance that the manifest states for one quantity of a file.
double golden_tolerance(const std::string& name, const std::string& quantity);
// Names of the manifest's files that start with this.
std::vector<std::string> golden_names(const std::string& prefix);

// data of {"shape": […], "data": […]} as float32.
std::vector<float> floats(const nlohmann::json& tensor);
std::vector<int> shape(const nlohmann::json& tensor);

}  // namespace wf::reference
