// How exactly a model in 8 or 4 bits keeps the blocks of a GGUF file, which are converted to floats
// and quantised again.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/float16.h"
#include "kernels/quantised.h"
#include "model/gguf_blocks.h"
#include "tensor/random.h"

namespace wf {
namespace {

constexpr int kBlock = 32;

// A block's scale and levels, before the levels are packed.
struct Block {
  std::uint16_t scale;  // a half
  int levels[kBlock];
};

// Returns the numbers of a block of this type, read from its bytes.
std::vector<float> widened(Dtype dtype, const Block& block) {
  std::vector<std::uint8_t> bytes(2 + kBlock);
  std::memcpy(bytes.data(), &block.scale, sizeof(block.scale));
  for (int i = 0; i < kBlock; ++i) {
    if (dtype == Dtype::kQ8_0)
      bytes[2 + i] = static_cast<std::uint8_t>(block.levels[i]);
    else
      bytes[2 + i % 16] |= static_cast<std::uint8_t>((block.levels[i] + 8) << (i / 16 * 4));
  }
  std::vector<float> values(kBlock);
  widen_blocks(dtype, bytes.data(), kBlock, values.data());
  return values;
}

std::vector<float> quantised(const std::vector<float>& values, WeightType type) {
  const int columns = static_cast<int>(values.size());
  std::vector<std::uint8_t> bytes(quantised_bytes(type, 1, columns));
  const QuantisedMatrix matrix = {bytes.data(), type, 1, columns};
  REQUIRE(quantise_rows(values.data(), 0, 1, matrix, bytes.data()));
  std::vector<float> back(values.size());
  dequantise_rows(matrix, 0, 1, back.data());
  return back;
}

// Returns blocks with levels from `least` to `most`, including blocks that ggml itself would not
// write.
std::vector<Block> blocks_of(int least, int most) {
  std::vector<Block> blocks;
  const auto add = [&](auto&& level) {
    Block block = {};
    for (int i = 0; i < kBlock; ++i) block.levels[i] = level(i);
    blocks.push_back(block);
  };
  for (int level = least; level <= most; ++level) {
    add([&](int) { return level; });  // all equal, also all zero
    add([&](int i) { return i == 17 ? level : 0; });
    add([&](int i) { return i % 2 ? level : 1; });
    add([&](int i) { return i % 2 ? level : most; });
    add([&](int i) { return i == 31 ? level : least; });
    add([&](int i) { return i == 0 ? least : i == 1 ? most : level; });
  }
  Random random(5);
  for (int round = 0; round < 400; ++round) {
    // Levels from a random range, so that the largest of a block may be any, of either sign.
    const int from = least + static_cast<int>(random.uniform() * 0.99f * (most - least));
    const int width = 1 + static_cast<int>(random.uniform() * 0.99f * (most - from + 1));
    add([&](int) { return from + static_cast<int>(random.uniform() * 0.99f * width); });
  }
  return blocks;
}

// Halves of both signs: normal ones, the largest, the smallest, a subnormal with few bits, and
// zeros.
constexpr std::uint16_t kScales[] = {0x2101, 0xa3ff, 0x1e66, 0x7bff, 0xfbff, 0x0001,
                                     0x8001, 0x0203, 0x83ff, 0x0400, 0x0000, 0x8000};

void keeps_all_blocks(Dtype dtype, int least, int most, WeightType type) {
  int wrong = 0;
  std::vector<Block> blocks = blocks_of(least, most);
  for (const std::uint16_t scale : kScales)
    for (Block& block : blocks) {
      block.scale = scale;
      const std::vector<float> values = widened(dtype, block);
      wrong += quantised(values, type) != values;
    }
  CHECK(wrong == 0);
}

TEST_CASE("Q8_0 in 8 bits and Q4_0 in 4 are the file's numbers, whatever a block holds") {
  keeps_all_blocks(Dtype::kQ8_0, -128, 127, WeightType::kInt8);
  keeps_all_blocks(Dtype::kQ4_0, -8, 7, WeightType::kInt4);
}

TEST_CASE("Q4_0 in 8 bits is the file's numbers too") {
  keeps_all_blocks(Dtype::kQ4_0, -8, 7, WeightType::kInt8);
}

// Returns random numbers of a GGUF type, as floats.
std::vector<float> random_blocks(Dtype dtype, int count) {
  const DtypeInfo* info = nullptr;
  for (std::uint32_t number = 0; !info || info->dtype != dtype; ++number) info = gguf_dtype(number);
  const int blocks = count / info->block;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(blocks) * info->block_bytes);
  Random random(7);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.uniform() * 255.9f);
  const bool is_last = dtype == Dtype::kQ6_K;
  for (int b = 0; b < blocks; ++b) {
    std::uint8_t* block = bytes.data() + static_cast<std::ptrdiff_t>(b) * info->block_bytes;
    // Sets the scale, and Q4_1's minimum, so that there are levels on either side of zero.
    const std::uint16_t scale = half_from_float(0.01f), least = half_from_float(-0.075f);
    std::memcpy(is_last ? block + 208 : block, &scale, sizeof(scale));
    if (dtype == Dtype::kQ4_1) std::memcpy(block + 2, &least, sizeof(least));
  }
  std::vector<float> values(static_cast<std::size_t>(blocks) * info->block);
  widen_blocks(dtype, bytes.data(), values.size(), values.data());
  return values;
}

// Returns the root mean square of the error, relative to that of the numbers.
double lost(Dtype dtype, WeightType type) {
  const std::vector<float> values = random_blocks(dtype, 256 * 64);
  const std::vector<float> back = quantised(values, type);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    difference += std::pow(double(back[i]) - values[i], 2);
    size += std::pow(double(values[i]), 2);
  }
  return std::sqrt(difference / size);
}

TEST_CASE("Other types that have one scale for 32 numbers are the file's numbers in 8 bits") {
  for (const Dtype dtype : {Dtype::kQ5_0, Dtype::kIQ4_NL, Dtype::kMXFP4})
    CHECK(lost(dtype, WeightType::kInt8) == 0);
}

TEST_CASE("What has two scales or a least value in 32 numbers loses half a per cent in 8 bits") {
  for (const Dtype dtype : {Dtype::kQ4_1, Dtype::kQ6_K}) {
    CHECK(lost(dtype, WeightType::kInt8) > 0.003);
    CHECK(lost(dtype, WeightType::kInt8) < 0.005);
  }
}

TEST_CASE("All but Q4_0 loses seven per cent in 4 bits") {
  for (const Dtype dtype :
       {Dtype::kQ4_1, Dtype::kQ5_0, Dtype::kQ6_K, Dtype::kQ8_0, Dtype::kIQ4_NL}) {
    CHECK(lost(dtype, WeightType::kInt4) > 0.06);
    CHECK(lost(dtype, WeightType::kInt4) < 0.08);
  }
}

}  // namespace
}  // namespace wf
