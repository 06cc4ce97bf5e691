// A seeded generator that gives the same sequence natively and in wasm.
#pragma once

#include <cstdint>

namespace wf {

// xoshiro256** (Blackman & Vigna 2018, arXiv 1805.01407), seeded through splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t next();
  // Uniform in [0, 1), 24 bits.
  float uniform();
  // Uniform integer in [0, bound), bound > 0.
  std::uint32_t below(std::uint32_t bound);
  // Standard normal (Box-Muller, one value for each call, so that the sequence does not depend on
  // grouping).
  float normal();

  // The generator's 256 bits; saved to resume training exactly.
  const std::uint64_t* state() const { return state_; }
  void set_state(const std::uint64_t state[4]);

 private:
  std::uint64_t state_[4];
};

}  // namespace wf
