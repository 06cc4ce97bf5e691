#include "deviations.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "golden.h"

namespace wf::reference {
namespace {

using nlohmann::json;

const char* const kRecord = "deviations.json";
// Measured deviations may differ by this factor between processors and builds …
constexpr double kFactor = 10;
// … and deviations below this fraction of the tolerance are noise.
constexpr double kNoise = 1e-3;

struct Measurement {
  double deviation = 0, tolerance = 0;
};
std::map<std::string, std::map<std::string, Measurement>> measured;

bool writes() { return std::getenv("WF_WRITE_DEVIATIONS") != nullptr; }

const json& record() {
  static const json file = writes() ? json::object() : read_golden(kRecord);
  return file;
}

bool close(double one, double other, double tolerance) {
  const double noise = kNoise * tolerance;
  return std::max(one, noise) <= kFactor * std::max(other, noise);
}

// Rounds up to two significant digits.
double rounded(double x) {
  if (x == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 1);
  char text[32];
  std::snprintf(text, sizeof(text), "%.1e", std::ceil(x / unit - 1e-9) * unit);
  return std::strtod(text, nullptr);
}

bool write_record(bool whole_run) {
  json file = whole_run ? json::object() : read_golden(kRecord);
  if (!file.is_object()) file = json::object();
  for (const auto& [name, quantities] : measured) {
    if (whole_run || !file.contains(name)) file[name] = json::object();
    for (const auto& [quantity, m] : quantities) file[name][quantity] = rounded(m.deviation);
  }
  const bool written = write_golden(kRecord, file);
  std::printf("deviations: %zu files, %s\n", file.size(),
              written ? "written" : "could not be written");
  return written;
}

}  // namespace

void check_golden(const std::string& name, const std::string& quantity, double deviation,
                  double allowed) {
  CAPTURE(name);
  CAPTURE(quantity);
  const double tolerance = golden_tolerance(name, quantity);
  CHECK(deviation <= (allowed > 0 ? allowed : tolerance));
  if (allowed > 0) deviation *= tolerance / allowed;
  Measurement& most = measured[name][quantity];
  most.tolerance = tolerance;
  most.deviation = std::max(most.deviation, deviation);
  if (writes()) return;
  const bool has_row = record().contains(name) && record()[name].contains(quantity);
  CHECK_MESSAGE(has_row, "no row in deviations.json: run with WF_WRITE_DEVIATIONS=1");
  if (has_row) CHECK(close(deviation, record()[name][quantity].get<double>(), tolerance));
}

bool finish_deviations(bool whole_run) {
  if (writes()) return write_record(whole_run);
  if (!whole_run) return true;
  bool fine = true;
  const auto fault = [&](const std::string& name, const std::string& what) {
    std::printf("deviations: %s: %s\n", name.c_str(), what.c_str());
    fine = false;
  };
  for (const std::string& name : golden_names(""))
    if (!measured.count(name)) fault(name, "no test compares with it");
  for (const auto& [name, row] : record().items())
    for (const auto& [quantity, recorded] : row.items()) {
      const auto file = measured.find(name);
      if (file == measured.end() || !file->second.count(quantity)) {
        fault(name, quantity + " is recorded, and no test measures it");
        continue;
      }
      const Measurement& m = file->second.at(quantity);
      if (!close(recorded.get<double>(), m.deviation, m.tolerance))
        fault(name, quantity + " is recorded ten times larger than it is");
    }
  return fine;
}

}  // namespace wf::reference
