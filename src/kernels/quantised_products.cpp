#include <algorithm>
#include <bit>
#include <type_traits>

#include "kernels/quantised_layout.h"

namespace wf {
namespace {

using simd::Quad;

// 32 activations: scale · the integers.
struct QuickBlock {
  float scale;
  std::int32_t
      eightfold;  // 8 · the sum of the integers, which compensates for int4's zero point, 8
  simd::Activations integers;
};

void quantise_block(const float* x, QuickBlock& block) {
  static constexpr float kNone[kQuantisedBlock] = {};
  const std::uint32_t max = simd::largest_bits(x);
  const float largest = std::bit_cast<float>(max);
  // For a smaller value the inverse would be infinite.
  const bool is_none = largest < 1e-35f, is_finite = max < 0x7f800000u;
  const float inverse = is_none || !is_finite ? 0 : 127 / largest;
  block.scale = !is_finite ? std::bit_cast<float>(0x7fc00000u) : is_none ? 0 : largest / 127;
  block.eightfold = 8 * simd::round_block(is_finite ? x : kNone, inverse, block.integers);
}

// Writes the results for four rows of W.
WF_INLINE void write_four(Quad sums, float alpha, int count, bool accumulate, float* y) {
  const Quad scaled = simd::mul4(sums, simd::splat4(alpha));
  if (count >= kQuantisedRows)
    return simd::store4(y, accumulate ? simd::add4(simd::load4(y), scaled) : scaled);
  float four[4];
  simd::store4(four, scaled);
  for (int r = 0; r < count; ++r) y[r] = accumulate ? y[r] + four[r] : four[r];
}

template <WeightType kType>
using SumsOf = std::conditional_t<kType == WeightType::kInt4, simd::NibbleSums, simd::RowSums>;

// Number of tokens that share the loaded weights, and of groups of W that share the loaded
// activations. As compiled by browsers, four tokens are faster than two (docs/quantisation.md); V8
// of Node 20 loads the activations of all four first and spills sums to memory.
constexpr int kTokensTogether = 4;
constexpr int kGroups = 2;

// Number of tokens whose activations fit in the first-level cache, for widths up to a few thousand.
constexpr int kTokensInCache = 8;

// Multiplies the weights in 16 bytes of each group by kTokens blocks of activations, `apart` from
// each other.
template <class Sums, int kTokens>
WF_INLINE void add_word(const std::uint8_t* words, std::size_t group_bytes, int word,
                        const QuickBlock* a, int apart, Sums (&sums)[kTokens][kGroups]) {
  typename Sums::Weights weights[kGroups];
#pragma GCC unroll 2
  for (int g = 0; g < kGroups; ++g) weights[g].load(words + g * group_bytes + word * kWordBytes);
#pragma GCC unroll 4
  for (int t = 0; t < kTokens; ++t)
#pragma GCC unroll 2
    for (int g = 0; g < kGroups; ++g) sums[t][g].add(weights[g], a[t * apart].integers, word);
}

// Multiplies kTokens rows of activations by kGroups groups of W; only `rows` rows are wanted.
template <WeightType kType, int kTokens>
void multiply_tile(const std::uint8_t* group, int blocks, const QuickBlock* activations, int rows,
                   float alpha, bool accumulate, float* y, std::ptrdiff_t y_stride) {
  constexpr int kLoads = kType == WeightType::kInt4 ? kBlockWords / 2 : kBlockWords;
  // Unroll for a single row, which waits for the loop otherwise; with more rows it would only add
  // code.
  constexpr int kStep = kTokens == 1 ? 4 : 1;
  constexpr std::size_t kBlockBytes = block_bytes(kType);
  Quad totals[kGroups][kTokens];
#pragma GCC unroll 2
  for (int g = 0; g < kGroups; ++g)
#pragma GCC unroll 4
    for (int t = 0; t < kTokens; ++t) totals[g][t] = simd::splat4(0);
#pragma GCC unroll 1
  for (int b = 0; b < blocks; ++b, group += block_stride(kType), ++activations) {
    SumsOf<kType> sums[kTokens][kGroups];
#pragma GCC unroll 1
    for (int word = 0; word < kLoads; word += kStep)
#pragma GCC unroll 8
      for (int i = 0; i < kStep; ++i)
        add_word(group + kScaleBytes, kBlockBytes, word + i, activations, blocks, sums);
#pragma GCC unroll 2
    for (int g = 0; g < kGroups; ++g) {
      const Quad scales = load_scales(group + g * kBlockBytes);
#pragma GCC unroll 4
      for (int t = 0; t < kTokens; ++t) {
        const QuickBlock& a = activations[t * blocks];
        const Quad integers =
            simd::floats_of(sums[t][g].total(), kType == WeightType::kInt4 ? a.eightfold : 0);
        const Quad scale = simd::mul4(scales, simd::splat4(a.scale));
        const Quad part = simd::mul4(integers, scale);
        totals[g][t] = simd::add4(totals[g][t], part);
      }
    }
  }
#pragma GCC unroll 1
  for (int i = 0; i < kGroups * kTokens; ++i) {
    const int g = i / kTokens, t = i % kTokens;
    write_four(totals[g][t], alpha, rows - g * kQuantisedRows, accumulate,
               y + t * y_stride + g * kQuantisedRows);
  }
}

// Processes rows of activations, kTokens at a time, and returns how many.
template <WeightType kType, int kTokens>
int multiply_tokens(QuantisedMatrix matrix, int j, int last, const QuickBlock* activations, int t,
                    int count, float alpha, bool accumulate, float* y, std::ptrdiff_t y_stride) {
  const int blocks = blocks_of(matrix.columns);
  const std::uint8_t* groups = group_at(matrix, j / kQuantisedRows);
  for (; t + kTokens <= count; t += kTokens)
    multiply_tile<kType, kTokens>(groups, blocks, activations + std::ptrdiff_t{t} * blocks,
                                  last - j, alpha, accumulate, y + t * y_stride, y_stride);
  return t;
}

template <WeightType kType>
void multiply_rows(QuantisedMatrix matrix, int first, int last, const QuickBlock* activations,
                   int count, float alpha, bool accumulate, float* y, std::ptrdiff_t y_stride) {
  constexpr int kStep = kGroups * kQuantisedRows;
  for (int begin = 0; begin < count; begin += kTokensInCache) {
    const int end = std::min(begin + kTokensInCache, count);
    float* part = y;
    for (int j = first; j < last; j += kStep, part += kStep) {
      const int t = multiply_tokens<kType, kTokensTogether>(matrix, j, last, activations, begin,
                                                            end, alpha, accumulate, part, y_stride);
      multiply_tokens<kType, 1>(matrix, j, last, activations, t, end, alpha, accumulate, part,
                                y_stride);
    }
  }
}

// Two groups of four rows of W; `tail` holds the last block of x, padded with zeros.
template <WeightType kType, bool kIsRaised>
void multiply_pair_exact(const std::uint8_t* block, int blocks, const float* x, const float* tail,
                         Quad (&totals)[2]) {
  totals[0] = totals[1] = simd::splat4(0);
  for (int b = 0; b < blocks; ++b, block += block_stride(kType), x += kQuantisedBlock) {
    if (b == blocks - 1) x = tail;
    // Two sums for each group, of alternate groups of four channels, since an addition waits for
    // the previous one.
    Quad sums[2][2];
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s) sums[s / 2][s % 2] = simd::splat4(0);
#pragma GCC unroll 1
    for (int word = 0; word < kBlockWords; ++word) {
      const float* a = x + word * 4;
#pragma GCC unroll 2
      for (int g = 0; g < 2; ++g) {
        Quad channels[4];
        load_channels<kType, kIsRaised>(block + g * group_stride(kType), word, channels);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
          sums[g][i % 2] = simd::madd4(channels[i], simd::splat4(a[i]), sums[g][i % 2]);
      }
    }
#pragma GCC unroll 2
    for (int g = 0; g < 2; ++g) {
      const Quad sum = simd::add4(sums[g][0], sums[g][1]);
      if constexpr (is_integer(kType))
        totals[g] = simd::madd4(sum, load_scales(block + g * block_bytes(kType)), totals[g]);
      else
        totals[g] = simd::add4(totals[g], sum);
    }
  }
}

}  // namespace

void multiply_exact(QuantisedMatrix matrix, int first, int last, const float* x, float alpha,
                    Accumulate accumulate, float* y) {
  const int blocks = blocks_of(matrix.columns);
  const int begun = (blocks - 1) * kQuantisedBlock;
  float tail[kQuantisedBlock] = {};
  std::copy_n(x + begun, matrix.columns - begun, tail);
  const bool adds = accumulate == Accumulate::kYes;
  for (int j = first; j < last; j += 2 * kQuantisedRows, y += 2 * kQuantisedRows) {
    const std::uint8_t* pair = group_at(matrix, j / kQuantisedRows);
    Quad sums[2];
    with_type(matrix, [&]<WeightType kType, bool kIsRaised>() {
      multiply_pair_exact<kType, kIsRaised>(pair, blocks, x, tail, sums);
    });
    for (int g = 0; g < 2; ++g)
      write_four(sums[g], alpha, last - j - g * kQuantisedRows, adds, y + g * kQuantisedRows);
  }
}

std::size_t quick_bytes(int rows, int columns) {
  return elements_of(rows, blocks_of(columns), sizeof(QuickBlock));
}

void quantise_activations(const float* x, std::ptrdiff_t stride, int rows, int columns,
                          std::uint8_t* quick) {
  const int blocks = blocks_of(columns);
  auto* block = reinterpret_cast<QuickBlock*>(quick);
  for (int r = 0; r < rows; ++r, x += stride) {
    for (int b = 0; b < blocks; ++b) {
      const float* source = x + b * kQuantisedBlock;
      float tail[kQuantisedBlock] = {};
      if (const int rest = columns - b * kQuantisedBlock; rest < kQuantisedBlock) {
        std::copy_n(source, rest, tail);
        source = tail;
      }
      quantise_block(source, *block++);
    }
  }
}

void multiply_quick(QuantisedMatrix matrix, int first, int last, const std::uint8_t* quick,
                    int count, float alpha, Accumulate accumulate, float* y,
                    std::ptrdiff_t y_stride) {
  const auto* activations = reinterpret_cast<const QuickBlock*>(quick);
  const bool adds = accumulate == Accumulate::kYes;
  if (matrix.type == WeightType::kInt8)
    multiply_rows<WeightType::kInt8>(matrix, first, last, activations, count, alpha, adds, y,
                                     y_stride);
  else
    multiply_rows<WeightType::kInt4>(matrix, first, last, activations, count, alpha, adds, y,
                                     y_stride);
}

}  // namespace wf
