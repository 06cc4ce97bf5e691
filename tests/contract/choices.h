// Source of the choices that make a random problem: a seeded generator, or the bytes of a fuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "tensor/random.h"

namespace wf::contract {

class Choices {
 public:
  virtual ~Choices() = default;
  // Returns a number from 0, the simplest choice, to bound - 1.
  virtual std::uint32_t below(std::uint32_t bound) = 0;

  // Returns an integer from `least` to `most`.
  int from(int least, int most) { return least + static_cast<int>(below(most - least + 1u)); }
  // Returns true once in `times` calls on average.
  bool once_in(int times) { return times == 1 || below(times) == times - 1u; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<std::uint32_t>(list.size()))];
  }
  // Returns a number between `least` and `most`, in 256 steps.
  double between(double least, double most) { return least + (most - least) * below(257) / 256; }
};

class SeededChoices final : public Choices {
 public:
  explicit SeededChoices(std::uint64_t seed) : random_(seed) {}
  std::uint32_t below(std::uint32_t bound) override { return random_.below(bound); }

 private:
  Random random_;
};

}  // namespace wf::contract
