#include <doctest/doctest.h>

#include <cmath>

#include "contract/embedding_case.h"

namespace wf {
namespace {

enum { kScale, kChannels };

const reference::RegisteredTwin twin("integer",
                                     {
                                         .embed =
                                             [](const SchemeShape&, const OptionValues& options,
                                                const std::vector<reference::Row>&, int position,
                                                reference::Row& x) {
                                               for (std::size_t c = 0; c < x.size(); ++c)
                                                 if (c == 0 || options[kChannels] == 0)
                                                   x[c] += options[kScale] * position;
                                             },
                                     });

std::vector<float> embedded(double scale, int channels,
                            const std::vector<std::int32_t>& positions) {
  OptionValues options;
  options.values[kScale] = scale;
  options.values[kChannels] = channels;
  return contract::embedded_positions("integer", options, 3, positions);
}

TEST_CASE("a position is added as a number, to every channel or to the first") {
  CHECK(embedded(0.5, 0, {0, 1, 6}) == std::vector<float>{0, 0, 0, .5, .5, .5, 3, 3, 3});
  CHECK(embedded(-2, 1, {3, 4}) == std::vector<float>{-6, 0, 0, -8, 0, 0});
}

// The content that is left after root-mean-square normalisation, the next step, at a large
// position.
TEST_CASE("the signal grows without bound, and normalisation then drowns the content") {
  const std::vector<float> far = embedded(1, 0, {1000000});
  CHECK(far == std::vector<float>{1e6f, 1e6f, 1e6f});
  const double content[3] = {0.3, -0.7, 0.2};
  double squares = 0;
  for (int c = 0; c < 3; ++c) squares += (far[c] + content[c]) * (far[c] + content[c]);
  for (int c = 0; c < 3; ++c)
    CHECK(std::abs((far[c] + content[c]) / std::sqrt(squares / 3) - 1) < 1e-6);
}

}  // namespace
}  // namespace wf
