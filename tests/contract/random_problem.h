// A random attention problem: any rule of visibility, any shape of mask, sizes from 0 on, and a
// scheme with options. The engine's results are compared with the twin's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contract/attention_case.h"
#include "contract/choices.h"

namespace wf::contract {

struct RandomProblem {
  std::unique_ptr<AttentionCase> problem;  // null if the scheme refuses the sizes or options
  std::vector<float> additive;
  std::vector<std::uint8_t> allowed;
  Region region;  // of the recorder
  std::vector<std::int32_t> heads, rows, columns;
  std::string text;  // describes the choices in a failure message
};

RandomProblem random_problem(Choices& choices);
// Makes a problem that fits a KV cache: causal, as many queries as keys, no mask except window and
// chunk.
RandomProblem random_decoding(Choices& choices);

// Returns whether the scheme is Swin v2, whose logits are products of normalised vectors.
bool is_cosine(const AttentionCase& problem);

// Result of a comparison. `difference` describes the first difference between engine and twin, or
// an unexpected refusal; it is empty if there is none.
struct Comparison {
  std::string difference;
  bool is_refused = false;  // by a typed error about positions
  double largest = 0;  // largest difference, as a multiple of the tolerance
};

// Compares output, logits, masked logits, weights and terms.
Comparison compare_forward(RandomProblem& made);
// Compares gradients along one direction of queries, keys, values and sinks with the slope of the
// twin.
Comparison compare_backward(RandomProblem& made, std::uint64_t seed);

}  // namespace wf::contract
