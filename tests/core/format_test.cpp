#include "format.h"

#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "tensor/random.h"

namespace wf {
namespace {

template <class... Arguments>
void agrees(const char* format, Arguments... arguments) {
  char ours[400], libc[400];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const std::size_t length = format_text(ours, sizeof(ours), format, arguments...);
  std::snprintf(libc, sizeof(libc), format, arguments...);
#pragma GCC diagnostic pop
  CHECK(std::string(ours) == libc);
  CHECK(length == std::string(libc).size());
}

TEST_CASE("format: words, whole and cut, are printf's") {
  agrees("%s: %s, %.40s and %.3s.", "a", "", "short", "longer");
  agrees("tensor %.*s has %.*s", 3, "abcdef", 0, "gone");
  const char unended[] = {'a', 'b'};
  agrees("%.*s", 2, unended);
  agrees("100%% of %d", 3);
}

TEST_CASE("format: whole numbers are printf's to the ends of their range") {
  agrees("%d %d %d %d", 0, -7, INT32_MAX, INT32_MIN);
  agrees("%lld %lld", static_cast<long long>(INT64_MAX), static_cast<long long>(INT64_MIN));
  agrees("%zu %llu %u", std::size_t{12}, static_cast<unsigned long long>(UINT64_MAX), 4000000000u);
}

TEST_CASE("format: %g is printf's for what messages name") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double x :
       {0.0,           -0.0,      1.0,       10.0,     100000.0,     999999.0, 999999.5,
        1e6,           1234567.0, 10000.0,   0.1,      0.5,          0.25,     0.0001,
        0.00012345678, 0.00001,   1e-5,      1e9,      2147483648.0, 1e300,    DBL_MAX,
        DBL_MIN,       0.999999,  0.9999995, 0.95,     3.14159265,   1e-300,   infinity,
        500000.0,      0.02,      1.5e-7,    123456.5, 12.5}) {
    agrees("%g", x);
    agrees("%g", -x);
    agrees("%g", static_cast<double>(static_cast<float>(x)));
  }
  agrees("%g", std::fabs(std::nan("")));
  Random random(1);
  for (int i = 0; i < 20000; ++i)
    agrees("%g", std::exp(20.0 * static_cast<double>(random.normal())));
}

TEST_CASE("format: %.0f is printf's below 2 to the 64, and short beyond") {
  for (const double x : {0.0, 0.5, 1.5, 2.5, -3.7, 34359738368.0, 9007199254740993.0, 0x1p63})
    agrees("%.0f", x);
  char text[40];
  format_text(text, sizeof(text), "%.0f %.0f", 1e30, -0x1p64);
  CHECK(std::string(text) == "1e+30 -1.84467e+19");
}

TEST_CASE("format: what does not fit is cut, and the text still ends") {
  char text[8] = "xxxxxxx";
  CHECK(format_text(text, 5, "%s", "abcdefgh") == 4);
  CHECK(std::string(text) == "abcd");
  CHECK(text[5] == 'x');
  CHECK(format_text(text, 0, "%d", 7) == 0);
}

}  // namespace
}  // namespace wf
