#include "formula/waves.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tensor/random.h"

namespace wf::formula {
namespace {

struct Waves {
  std::vector<double> sine, cosine;
};

Waves waves_of(const std::vector<double>& x) {
  Waves waves{std::vector<double>(x.size()), std::vector<double>(x.size())};
  sines(x.data(), static_cast<int>(x.size()), waves.sine.data());
  cosines(x.data(), static_cast<int>(x.size()), waves.cosine.data());
  return waves;
}

TEST_CASE("sines and cosines of many numbers are those of libm, to the last places") {
  Random random(3);
  std::vector<double> x = {0, -0.0, 1e-300, 1, -1, M_PI / 4, M_PI / 2, M_PI, 4 * M_PI, 999999.9};
  for (int quarter = -200; quarter <= 200; ++quarter) x.push_back(quarter * M_PI / 4);
  for (int i = 0; i < 20000; ++i) x.push_back(random.normal() * std::pow(10, random.below(6)));
  for (int i = 0; i < 2048; ++i) x.push_back(i);
  std::erase_if(x, [](double number) { return std::abs(number) >= 1e6; });
  const Waves waves = waves_of(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(x[i]);
    const double sine = std::sin(x[i]), cosine = std::cos(x[i]);
    CHECK(std::abs(waves.sine[i] - sine) <= 4.5e-16 * std::abs(sine) + 1e-20);
    CHECK(std::abs(waves.cosine[i] - cosine) <= 4.5e-16 * std::abs(cosine) + 1e-20);
  }
}

TEST_CASE("large numbers, and no numbers, have the values of libm") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double x : {1e6, -1e9, 1e22, kInfinity, std::nan("")}) {
    const Waves waves = waves_of({1, x, 2});
    CHECK(waves.sine[0] == std::sin(1.0));
    CHECK((waves.sine[1] == std::sin(x) || std::isnan(std::sin(x))));
    CHECK((waves.cosine[1] == std::cos(x) || std::isnan(std::cos(x))));
    CHECK(std::isnan(waves.sine[1]) == std::isnan(std::sin(x)));
  }
}

}  // namespace
}  // namespace wf::formula
