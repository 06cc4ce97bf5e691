// Compares frequencies and attention factors of rotary schemes with transformers' functions
// (tests/golden/rope_frequencies.json).
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "reference/deviations.h"
#include "reference/golden.h"
#include "reference/rope_parameters.h"

namespace wf {
namespace {

using nlohmann::json;

const std::string kPath = "rope_frequencies.json";

SchemeInstance rope_of(const json& c) {
  const OptionValues options =
      reference::rope_options(c["ropeParameters"], c["maxPositionEmbeddings"].get<double>(), false);
  auto made =
      make_scheme(*find_scheme("rope").value(), {.head_dim = c["headDim"].get<int>()}, options);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

TEST_CASE("rotary frequencies and attention factors are those of transformers") {
  const json file = reference::golden(kPath);
  int checked = 0;
  for (const json& c : file["cases"]) {
    const std::string name = c["family"].get<std::string>() + " " + c["name"].get<std::string>();
    CAPTURE(name);
    const SchemeInstance rope = rope_of(c);
    const int length = c["sequenceLength"].is_null() ? 1 : c["sequenceLength"].get<int>();
    std::vector<double> frequencies(c["headDim"].get<int>() / 2);
    double factor = 0;
    const int pairs = rope.scheme->frequencies(length, frequencies.data(), &factor);
    const std::vector<double> expected = c["inverseFrequencies"]["data"];
    REQUIRE(pairs == static_cast<int>(expected.size()));
    for (int t = 0; t < pairs; ++t) {
      CAPTURE(t);
      // Relative difference, or the absolute one if the frequency is 0.
      const double difference = std::abs(frequencies[t] - expected[t]);
      reference::check_golden(kPath, "inverseFrequencies",
                              expected[t] == 0 ? difference : difference / expected[t]);
    }
    reference::check_golden(kPath, "attentionFactor",
                            std::abs(factor / c["attentionFactor"].get<double>() - 1));
    ++checked;
  }
  CHECK(checked >= 60);
}

}  // namespace
}  // namespace wf
