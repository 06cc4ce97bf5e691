// Compares quantised blocks with ggml's Python package (tests/golden/make_gguf_blocks.py).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "model/gguf_blocks.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

std::vector<std::uint8_t> from_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> count));
  }
  return bytes;
}

}  // namespace

TEST_CASE("Blocks of every type are the numbers that ggml's package reads in them") {
  const std::string name = "gguf_blocks.json";
  const nlohmann::json cases = reference::golden(name)["cases"];
  REQUIRE(cases.size() == 13);
  for (const auto& [type, one] : cases.items()) {
    CAPTURE(type);
    const DtypeInfo* info = gguf_dtype(one["number"].get<std::uint32_t>());
    REQUIRE(info);
    CHECK(info->text == type);
    CHECK(info->block == one["block"].get<int>());
    CHECK(info->block_bytes == one["blockBytes"].get<int>());
    const std::vector<std::uint8_t> bytes = from_base64(one["bytes"].get<std::string>());
    const auto expected = one["values"].get<std::vector<float>>();
    REQUIRE(bytes.size() / info->block_bytes * info->block == expected.size());
    std::vector<float> values(expected.size());
    widen_blocks(info->dtype, bytes.data(), values.size(), values.data());
    double farthest = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      farthest = std::max(farthest, std::abs(static_cast<double>(values[i]) - expected[i]));
    reference::check_golden(name, type, farthest);
  }
}

TEST_CASE("Every type of ggml's that is not read has a size, or is not known at all") {
  int unread = 0;
  for (std::uint32_t number = 0; number < 64; ++number) {
    const DtypeInfo* info = gguf_dtype(number);
    if (!info) continue;
    CHECK(info->block_bytes > 0);
    unread += info->dtype == Dtype::kOther;
  }
  CHECK(unread == 21);
  CHECK(!gguf_dtype(4));
  CHECK(!gguf_dtype(~0u));
}

}  // namespace wf
