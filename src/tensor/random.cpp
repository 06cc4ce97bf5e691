#include "tensor/random.h"

#include <cmath>

namespace wf {
namespace {

std::uint64_t splitmix64(std::uint64_t& seed) {
  std::uint64_t z = (seed += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t rotated_left(std::uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

}  // namespace

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix64(seed);
}

void Random::set_state(const std::uint64_t state[4]) {
  for (int i = 0; i < 4; ++i) state_[i] = state[i];
}

std::uint64_t Random::next() {
  const std::uint64_t result = rotated_left(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = rotated_left(state_[3], 45);
  return result;
}

float Random::uniform() { return static_cast<float>(next() >> 40) * 0x1p-24f; }

std::uint32_t Random::below(std::uint32_t bound) {
  return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
}

float Random::normal() {
  // Double precision with a rounded result makes native and wasm maths libraries agree.
  const double u = 1.0 - static_cast<double>(next() >> 11) * 0x1p-53;
  const double v = static_cast<double>(next() >> 11) * 0x1p-53;
  return static_cast<float>(std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v));
}

}  // namespace wf
