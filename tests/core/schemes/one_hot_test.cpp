#include <doctest/doctest.h>

#include "contract/attention_case.h"
#include "contract/embedding_case.h"

namespace wf {
namespace {

enum { kMaxPositions };

// The product with the one-hot vector as a plain sum.
const reference::RegisteredTwin twin(
    "one_hot",
    {
        .embed =
            [](const SchemeShape&, const OptionValues& options,
               const std::vector<reference::Row>& parameters, int position, reference::Row& x) {
              const int length = static_cast<int>(options[kMaxPositions]);
              for (std::size_t c = 0; c < x.size(); ++c) {
                double sum = 0;
                for (int p = 0; p < length; ++p)
                  sum += parameters[0][c * length + p] * (p == position);
                x[c] += sum;
              }
            },
    });

constexpr int kLength = 24, kWidth = contract::EmbeddingCase::kWidth;

// Makes the scheme with kLength positions.
contract::EmbeddingCase with_length(const char* id, const std::vector<std::int32_t>& positions) {
  const SchemeEntry& entry = *find_scheme(id).value();
  OptionValues options = default_options(*entry.description);
  REQUIRE(set_option(*entry.description, options, "maxPositions", kLength).ok());
  return {entry, options, positions, 9};
}

TEST_CASE(
    "a one-hot code through a projection is the learned table with it transposed, bit for bit") {
  const std::vector<std::int32_t> positions = {0, 23, 7, 7, 1};
  contract::EmbeddingCase one_hot = with_length("one_hot", positions);
  contract::EmbeddingCase learned = with_length("learned", positions);
  REQUIRE(one_hot.parameters[0].size() == std::size_t(kLength) * kWidth);
  REQUIRE(learned.parameters[0].size() == one_hot.parameters[0].size());
  for (int p = 0; p < kLength; ++p)
    for (int c = 0; c < kWidth; ++c)
      learned.parameters[0][p * kWidth + c] = one_hot.parameters[0][c * kLength + p];
  REQUIRE(learned.x == one_hot.x);
  one_hot.forward();
  learned.forward();
  CHECK(one_hot.output == learned.output);
  CHECK(one_hot.output != one_hot.x);

  const std::vector<float> probe = contract::random_values(positions.size() * kWidth, 10);
  one_hot.backward(probe);
  learned.backward(probe);
  for (int p = 0; p < kLength; ++p)
    for (int c = 0; c < kWidth; ++c)
      CHECK(learned.d_parameters[0][p * kWidth + c] == one_hot.d_parameters[0][c * kLength + p]);
}

TEST_CASE("a position past the code is refused and never wraps") {
  for (const std::int32_t position : {-1, kLength, 2 * kLength}) {
    const Status status = with_length("one_hot", {0, position}).check();
    CHECK(status.code() == Code::kInvalidArgument);
    CHECK(std::string(status.message()) == "positions[1]: " + std::to_string(position) +
                                               " (expected 0 to 23, since maxPositions is 24)");
  }
  CHECK(with_length("one_hot", {0, kLength - 1}).check().ok());
}

}  // namespace
}  // namespace wf
