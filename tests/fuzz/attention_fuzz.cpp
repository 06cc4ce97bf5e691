// Attention with options and a mask chosen by the bytes: its output and recorded values must equal
// those of the double-precision twin (tests/contract/random_problem.h).
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "contract/random_problem.h"
#include "fuzz/bytes.h"

namespace {

class ByteChoices final : public wf::contract::Choices {
 public:
  ByteChoices(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}
  std::uint32_t below(std::uint32_t bound) override {
    if (bound <= 1) return 0;
    const std::uint32_t number =
        bound <= 256 ? bytes_.take<std::uint8_t>() : bytes_.take<std::uint32_t>();
    return number % bound;
  }

 private:
  wf::fuzz::Bytes bytes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A failed check within the case must end the run, too.
  static doctest::Context context;
  static const bool ready = [] {
    context.setAsDefaultForAssertsOutOfTestCases();
    context.setAssertHandler([](const doctest::AssertData& assertion) {
      std::fprintf(stderr, "%s:%d: %s\n", assertion.m_file, assertion.m_line, assertion.m_expr);
      std::abort();
    });
    return true;
  }();
  (void)ready;
  ByteChoices choices(data, size);
  wf::contract::RandomProblem made = wf::contract::random_problem(choices);
  if (!made.problem) return 0;
  const wf::contract::Comparison result = wf::contract::compare_forward(made);
  if (result.difference.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", made.text.c_str(), result.difference.c_str());
  std::abort();
}
