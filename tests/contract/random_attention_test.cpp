// Compares attention with random combinations of all its options with the twin. A failure prints
// its seed; WF_SEED=seed runs that seed alone.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "contract/decoding.h"
#include "contract/random_problem.h"

namespace wf::contract {
namespace {

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Calls body(seed) for `count` seeds, or for a hundred times as many if WF_LONG is set.
template <class Body>
void for_each_seed(std::uint64_t count, Body body) {
  if (std::getenv("WF_SEED")) return body(number_of("WF_SEED", 0));
  count *= number_of("WF_LONG", 0) ? 100 : 1;
  for (std::uint64_t seed = 0; seed < count; ++seed) body(seed);
}

TEST_CASE("attention with every option at once equals the twin, output and what is recorded") {
  int compared = 0, refused = 0;
  double largest = 0;
  for_each_seed(1000, [&](std::uint64_t seed) {
    SeededChoices choices(seed);
    RandomProblem made = random_problem(choices);
    if (!made.problem) return;
    const Comparison result = compare_forward(made);
    if (!result.difference.empty())
      FAIL_CHECK("WF_SEED=" << seed << ": " << made.text << ": " << result.difference);
    (result.is_refused ? refused : compared) += 1;
    largest = std::max(largest, result.largest);
  });
  MESSAGE(compared << " problems compared, " << refused << " refused for their positions; largest "
                   << "difference " << largest << " of what is allowed");
  // Most problems must be accepted, or too little is compared.
  CHECK(compared > 4 * refused);
}

TEST_CASE("attention's gradients with every option at once are the slopes of the twin") {
  for_each_seed(500, [&](std::uint64_t seed) {
    SeededChoices choices(seed + 1'000'000);
    RandomProblem made = random_problem(choices);
    if (!made.problem) return;
    const Sizes& sizes = made.problem->sizes();
    // Each problem runs the twin eight times. CoPE's slope changes where a sum of gates is an
    // integer.
    if (sizes.heads * sizes.queries * sizes.keys > 600) return;
    if (std::string(made.problem->entry().description->id) == "cope") return;
    // A vector with a single channel has its sign as direction: the slope is 0, except for a step
    // at 0.
    if (sizes.head_dim == 1 && is_cosine(*made.problem)) return;
    const Comparison result = compare_backward(made, seed);
    if (!result.difference.empty())
      FAIL_CHECK("WF_SEED=" << seed << ": " << made.text << ": " << result.difference);
  });
}

// Returns steps of 1 and more that append `count` tokens in total; negative steps between them
// remove tokens, which are then appended again.
std::vector<int> random_steps(Choices& choices, int count) {
  std::vector<int> steps;
  for (int done = 0; done < count;) {
    if (done > 0 && choices.once_in(4)) {
      steps.push_back(-choices.from(1, done));
    } else {
      steps.push_back(std::min(choices.one_of({1, 1, 2, choices.from(1, 70)}), count - done));
    }
    done += steps.back();
  }
  return steps;
}

TEST_CASE("a cache that is cut back, copied and fed in any pieces attends as whole sequences do") {
  for_each_seed(100, [&](std::uint64_t seed) {
    SeededChoices choices(seed + 2'000'000);
    RandomProblem made = random_decoding(choices);
    if (!made.problem) return;
    const std::vector<int> steps = random_steps(choices, made.problem->sizes().keys);
    const Status asked = made.problem->forward();
    if (!asked.ok()) {
      CHECK(asked.code() == Code::kInvalidArgument);
      return;
    }
    const double difference = decode_differs(*made.problem, steps);
    const double allowed = 4e-5;
    if (!(difference < allowed))
      FAIL_CHECK("WF_SEED=" << seed << ": " << made.text << ": differs by " << difference);
  });
}

}  // namespace
}  // namespace wf::contract
