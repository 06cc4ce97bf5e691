#include "trainer/arguments.h"

#include <cstring>

#include "trainer/fail.h"

namespace trainer {

Arguments::Arguments(int count, char** words) {
  for (int i = 2; i < count; i += 2) {
    if (std::strncmp(words[i], "--", 2) != 0 || i + 1 == count)
      fail(std::string("expected --name value, found ") + words[i]);
    pairs_.push_back({words[i] + 2, words[i + 1], false});
  }
}

std::vector<std::string> Arguments::all(const char* name) {
  std::vector<std::string> values;
  for (Pair& pair : pairs_) {
    if (pair.name != name) continue;
    pair.used = true;
    values.push_back(pair.value);
  }
  return values;
}

bool Arguments::has(const char* name) const {
  for (const Pair& pair : pairs_)
    if (pair.name == name) return true;
  return false;
}

std::string Arguments::text(const char* name) {
  const std::vector<std::string> values = all(name);
  if (values.size() != 1) fail(std::string("--") + name + " is needed once");
  return values[0];
}

double Arguments::number(const char* name) {
  const std::string value = text(name);
  char* end = nullptr;
  const double parsed = std::strtod(value.c_str(), &end);
  if (value.empty() || *end) fail(std::string("--") + name + " is " + value + ", no number");
  return parsed;
}

void Arguments::finish() const {
  for (const Pair& pair : pairs_)
    if (!pair.used) fail("unknown option --" + pair.name);
}

std::pair<std::string, std::string> halves(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) fail("no colon in " + text);
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace trainer
