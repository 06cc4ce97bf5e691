// Reads tests/golden: numbers computed with independent libraries.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wf::reference {

// Returns tests/golden/<name>; the running test fails if the file is missing or malformed.
nlohmann::json golden(const std::string& name);
// Returns the file, outside tests too; a discarded value if it is missing or malformed.
nlohmann::json read_golden(const std::string& name);
// Writes tests/golden/<name>; returns false on failure.
bool write_golden(const std::string& name, const nlohmann::json& content);
const nlohmann::json& golden_manifest();
// Returns the manifest's tolerance for one quantity of a file.
double golden_tolerance(const std::string& name, const std::string& quantity);
// Returns the names of the manifest's files that start with `prefix`.
std::vector<std::string> golden_names(const std::string& prefix);

// Returns the data of {"shape": […], "data": […]} as float32.
std::vector<float> floats(const nlohmann::json& tensor);
std::vector<int> shape(const nlohmann::json& tensor);

}  // namespace wf::reference
