// The command line: --name value pairs, in order; a name may repeat.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace trainer {

class Arguments {
 public:
  // Parses the words after the verb.
  Arguments(int count, char** words);

  std::vector<std::string> all(const char* name);
  bool has(const char* name) const;
  std::string text(const char* name);
  double number(const char* name);
  int integer(const char* name) { return static_cast<int>(number(name)); }

  // Stops the program if an option was given that no code has read.
  void finish() const;

 private:
  struct Pair {
    std::string name, value;
    bool used;
  };
  std::vector<Pair> pairs_;
};

// "left:right" at the last colon.
std::pair<std::string, std::string> halves(const std::string& text);

}  // namespace trainer
