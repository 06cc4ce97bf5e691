// Tests that every scheme that adds to token vectors must pass, according to its claims.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "attention_case.h"
#include "each_scheme.h"
#include "embedding_case.h"

namespace wf::contract {
namespace {

template <class Body>
void for_each_embedding_variant(Body body) {
  int variants = 0;
  for_each_scheme([&](const SchemeEntry& entry) {
    if (!(entry.hooks & kHookEmbeddings)) return;
    int variant = 0;
    for (const OptionValues& options : option_variants(*entry.description)) {
      CAPTURE(variant);
      ++variant;
      if (!(EmbeddingCase(entry, options, {0}, 0).hooks() & kHookEmbeddings)) continue;
      body(entry, options);
      ++variants;
    }
  });
  CHECK(variants > 0);
}

double largest_difference(const EmbeddingCase& problem) {
  return contract::largest_difference(problem.output,
                                      std::vector<std::vector<reference::Row>>{problem.twin()});
}

const std::vector<std::int32_t> kScattered = {5, 6, 0, 0, 1, 100, 41};

TEST_CASE("what is added to token vectors equals the plain double-precision twin") {
  for_each_embedding_variant([](const SchemeEntry& entry, const OptionValues& options) {
    EmbeddingCase problem(entry, options, kScattered, 1);
    REQUIRE(problem.check().ok());
    problem.forward();
    CHECK(largest_difference(problem) < 1e-6);
  });
}

TEST_CASE("gradients of token vectors and of what is added to them equal finite differences") {
  for_each_embedding_variant([](const SchemeEntry& entry, const OptionValues& options) {
    // Position 3 appears twice: the gradients of both rows are added to the same parameters.
    EmbeddingCase problem(entry, options, {3, 0, 3, 7}, 2);
    const std::vector<float> probe = random_values(4 * EmbeddingCase::kWidth, 3);
    problem.forward();
    problem.backward(probe);
    const auto check = [&](const char* name, std::vector<float>& values,
                           const std::vector<float>& gradient) {
      CAPTURE(std::string(name));
      double most = 0;
      // A table may have thousands of entries. Tests every entry that has a gradient, and every
      // seventh of the others: 7 divides neither the rows nor the columns of the tables.
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (gradient[i] == 0 && i % 7 != 0) continue;
        const float kept = values[i];
        values[i] = kept + 0x1p-12f;
        const double up_at = values[i], up = problem.twin_loss(probe);
        values[i] = kept - 0x1p-12f;
        const double down_at = values[i], down = problem.twin_loss(probe);
        values[i] = kept;
        const double difference = std::abs((up - down) / (up_at - down_at) - gradient[i]);
        most = difference <= most ? most : difference;
      }
      CHECK(most < 2e-6);
    };
    check("x", problem.x, problem.d_x);
    for (std::size_t p = 0; p < problem.parameters.size(); ++p)
      check(problem.scheme().parameters()[p].name, problem.parameters[p], problem.d_parameters[p]);
  });
}

TEST_CASE("two positions are told apart, and a common shift changes what is added") {
  for_each_embedding_variant([](const SchemeEntry& entry, const OptionValues& options) {
    // A pattern that is added before attention depends on absolute positions.
    CHECK(!entry.description->claims.shift_invariant);
    EmbeddingCase problem(entry, options, {4, 11, 12}, 4);
    for (std::size_t i = EmbeddingCase::kWidth; i < problem.x.size(); ++i)
      problem.x[i] = problem.x[i % EmbeddingCase::kWidth];
    problem.forward();
    const std::vector<float> before = problem.output;
    const auto distance = [](const std::vector<float>& a, int row, const std::vector<float>& b,
                             int other) {
      double most = 0;
      for (int c = 0; c < EmbeddingCase::kWidth; ++c)
        most = std::max(most, std::abs(double(a[row * EmbeddingCase::kWidth + c]) -
                                       b[other * EmbeddingCase::kWidth + c]));
      return most;
    };
    CHECK(distance(before, 0, before, 1) > 1e-3);
    CHECK(distance(before, 1, before, 2) > 1e-3);
    for (auto& p : problem.positions) p += problem.axes() == 1 ? 100 : 1;
    problem.forward();
    for (int row = 0; row < 3; ++row) CHECK(distance(before, row, problem.output, row) > 1e-3);
  });
}

TEST_CASE("every position is either embedded as the twin does or refused with the expected range") {
  for_each_embedding_variant([](const SchemeEntry& entry, const OptionValues& options) {
    bool refused = false;
    for (const std::int32_t position :
         {-1, -2, 255, 256, 511, 512, 513, 1 << 20, std::numeric_limits<std::int32_t>::max(),
          std::numeric_limits<std::int32_t>::min()}) {
      CAPTURE(position);
      EmbeddingCase problem(entry, options, {0, 0}, 5);
      problem.positions[1] = position;  // on a grid, a row
      const Status status = problem.check();
      if (status.ok()) {
        problem.forward();
        // If the signal grows with the position, its float32 rounding does too.
        CHECK(largest_difference(problem) < 1e-6 + 1e-9 * std::abs(double(position)));
        for (float value : problem.output) CHECK(std::isfinite(value));
        continue;
      }
      refused = true;
      CHECK(status.code() == Code::kInvalidArgument);
      CHECK(std::strstr(status.message(), "positions[1]: ") != nullptr);
      CHECK(std::strstr(status.message(), "(expected ") != nullptr);
    }
    if (entry.description->claims.extrapolates_by_construction) CHECK(!refused);
  });
}

}  // namespace
}  // namespace wf::contract
