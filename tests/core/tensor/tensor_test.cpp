#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "tensor/buffer.h"
#include "tensor/random.h"

namespace wf {
namespace {

TEST_CASE("a request that cannot be met is an error that names its size, and nothing is lost") {
  const std::size_t before = allocated_bytes();
  const auto impossible = Buffer<float>::make(static_cast<std::size_t>(-1) / 8);
  CHECK(impossible.status().code() == Code::kOutOfMemory);
  CHECK(allocated_bytes() == before);
  set_memory_limit(before + 1000);
  const auto refused = Buffer<float>::make(1000);
  set_memory_limit(static_cast<std::size_t>(-1));
  CHECK(refused.status().code() == Code::kOutOfMemory);
  CHECK(std::strstr(refused.status().message(), "4000 bytes") != nullptr);
  CHECK(allocated_bytes() == before);
}

TEST_CASE("buffers are zeroed, aligned, movable, and give back what they took") {
  const std::size_t before = allocated_bytes();
  {
    Buffer<float> a = Buffer<float>::make(100).take();
    CHECK(reinterpret_cast<std::uintptr_t>(a.data()) % 64 == 0);
    for (float x : a) CHECK(x == 0);
    Buffer<float> b = std::move(a);
    CHECK(b.size() == 100);
    REQUIRE(b.reserve(50).ok());
    CHECK(b.size() == 100);
    REQUIRE(b.reserve(300).ok());
    CHECK(b.size() == 300);
  }
  CHECK(allocated_bytes() == before);
  CHECK(Buffer<int>::make(0).value().size() == 0);
}

TEST_CASE("the generator's stream is fixed by its seed") {
  Random a(42), b(42), c(43);
  bool same = true, differs = false;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t x = a.next();
    same &= x == b.next();
    differs |= x != c.next();
  }
  CHECK(same);
  CHECK(differs);
  Random saved(1);
  saved.set_state(a.state());
  CHECK(saved.next() == a.next());
}

TEST_CASE("uniform, bounded and normal draws have the moments they should") {
  Random random(7);
  double sum = 0, squares = 0, uniform = 0;
  int low = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    uniform += random.uniform();
    low += random.below(10) < 3;
  }
  // Four standard errors.
  CHECK(std::abs(sum / kDraws) < 4 / std::sqrt(double(kDraws)));
  CHECK(std::abs(squares / kDraws - 1) < 4 * std::sqrt(2.0 / kDraws));
  CHECK(std::abs(uniform / kDraws - 0.5) < 4 * std::sqrt(1.0 / 12 / kDraws));
  CHECK(std::abs(low / double(kDraws) - 0.3) < 4 * std::sqrt(0.21 / kDraws));
}

}  // namespace
}  // namespace wf
