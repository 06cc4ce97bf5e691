#include "formula/names.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace wf::formula {
namespace {

using enum Variable;
using enum Size;

constexpr VariableName kVariableNames[] = {
    {"i", kQueryPosition}, {"j", kKeyPosition},
    {"r", kDistance},      {"n", kLength},
    {"h", kHead},          {"k", kPair},
    {"c", kChannel},       {"layer", kLayer},
    {"s", kLogit},         {"i.x", kQueryColumn},
    {"i.y", kQueryRow},    {"j.x", kKeyColumn},
    {"j.y", kKeyRow},      {"r.x", kDistanceColumn},
    {"r.y", kDistanceRow},
};
constexpr SizeName kSizeNames[] = {{"H", kHeads}, {"D", kHeadDim}, {"E", kWidth}, {"L", kLayers}};
constexpr ConstantName kConstantNames[] = {{"pi", std::numbers::pi},
                                           {"inf", std::numeric_limits<double>::infinity()},
                                           {"true", 1},
                                           {"false", 0}};

constexpr int kMaxCompared = 24;

// Insertions, deletions, substitutions and exchanges of neighbours between two short names.
int edit_distance(std::string_view a, std::string_view b) {
  int rows[3][kMaxCompared + 1];
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const int *above = rows[(i - 1) % 3], *second = rows[(i + 1) % 3];
    int* row = rows[i % 3];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], second[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

template <class List>
bool has(const List& list, std::string_view name) {
  return std::ranges::any_of(list, [&](const auto& entry) { return entry.name == name; });
}

}  // namespace

std::span<const VariableName> variable_names() { return kVariableNames; }
std::span<const SizeName> size_names() { return kSizeNames; }
std::span<const ConstantName> constant_names() { return kConstantNames; }

bool is_reserved(std::string_view name) {
  return name == "let" || has(kVariableNames, name) || has(kSizeNames, name) ||
         has(kConstantNames, name) || has(functions(), name);
}

void Suggestion::consider(std::string_view name) {
  if (std::max(name.size(), written_.size()) > kMaxCompared) return;
  const int distance = edit_distance(written_, name);
  // Of a short name hardly anything would be left.
  if (distance >= distance_ ||
      2 * distance > static_cast<int>(std::max(name.size(), written_.size())))
    return;
  best_ = name;
  distance_ = distance;
}

}  // namespace wf::formula
