// A problem of attention made of choices: every rule of what is seen, every shape of mask, sizes
// from none on, a scheme with options that it accepts. Run both ways and compared.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contract/attention_case.h"
#include "contract/choices.h"

namespace wf::contract {

struct RandomProblem {
  std::unique_ptr<AttentionCase> problem;  // null where the scheme refuses the sizes or options
  std::vector<float> additive;
  std::vector<std::uint8_t> allowed;
  Region region;  // of the recorder
  std::vector<std::int32_t> heads, rows, columns;
  std::string text;  // what was chosen, for a report
};

RandomProblem random_problem(Choices& choices);
// One that a KV cache can work on: causal, as many queries as keys, no mask but window and chunk.
RandomProblem random_decoding(Choices& choices);

// Swin v2: products of directions.
bool is_cosine(const AttentionCase& problem);

// What a run came to. `difference` says where the two ways differ, or what was refused in a way
// that it should not be; empty where all is well.
struct Comparison {
  std::string difference;
  bool is_refused = false;  // by a typed error that names the positions
  double largest = 0;  // difference in units of what is allowed
};

// Output, logits, masked logits, weights, terms.
Comparison compare_forward(RandomProblem& made);
// Gradients along one direction of queries, keys, values and sinks against the slope of the twin.
Comparison compare_backward(RandomProblem& made, std::uint64_t seed);

}  // namespace wf::contract
