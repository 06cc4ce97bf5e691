#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "contract/attention_case.h"
#include "kernels/panels.h"

namespace wf {
namespace {

using contract::random_values;

constexpr int kDepths[] = {0, 1, 2, 3, 4, 5, 9, 64, 127};
constexpr int kExtents[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33};
// For 127 terms of size 1 in float32.
constexpr double kTolerance = 3e-5;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// A matrix [rows, columns] in exactly the memory that its strides reach: row by row, column by
// column, or with gaps in both directions.
struct Stored {
  std::vector<float> numbers;
  std::ptrdiff_t row_stride, column_stride;

  Stored(int rows, int columns, int order, std::uint64_t seed)
      : row_stride(order == 0   ? columns
                   : order == 1 ? 1
                                : 3 * columns),
        column_stride(order == 0   ? 1
                      : order == 1 ? rows
                                   : 2) {
    const bool is_empty = rows == 0 || columns == 0;
    numbers = random_values(
        is_empty ? 0 : (rows - 1) * row_stride + (columns - 1) * column_stride + 1, seed);
  }
  Operand operand() const { return {numbers.data(), row_stride, column_stride}; }
  float at(int i, int j) const { return numbers[i * row_stride + j * column_stride]; }
};

TEST_CASE("panels hold each number of B where the tile reads it, and zeros beyond its columns") {
  for (const int depth : kDepths)
    for (const int columns : kExtents)
      for (const int order : {0, 1, 2}) {
        CAPTURE(depth);
        CAPTURE(columns);
        CAPTURE(order);
        const Stored b(depth, columns, order, 1);
        std::vector<float> packed(panel_floats(depth, columns), kNaN);
        const Panels panels = pack_panels(b.operand(), depth, columns, packed.data());
        bool are_there = panels.data == packed.data();
        for (int j = 0; j < rounded_up(columns, kPanelColumns); ++j)
          for (int p = 0; p < depth; ++p) {
            const int panel = j / kPanelColumns, lane = j % kPanelColumns;
            const float held = packed[panel * panels.stride + p * kPanelColumns + lane];
            are_there &= held == (j < columns ? b.at(p, j) : 0);
            are_there &= *(panels.below(p).data + panel * panels.stride + lane) == held;
            are_there &= *(panels.right_of(panel * kPanelColumns).below(p).data + lane) == held;
          }
        CHECK(are_there);
      }
}

TEST_CASE("strips hold each number of A where the tile reads it, and zeros beyond its rows") {
  for (const int depth : kDepths)
    for (const int rows : kExtents)
      for (const int order : {0, 1, 2}) {
        CAPTURE(depth);
        CAPTURE(rows);
        CAPTURE(order);
        const Stored a(rows, depth, order, 1);
        std::vector<float> packed(strip_floats(rows, depth), kNaN);
        pack_strips(a.operand(), rows, depth, packed.data());
        bool are_there = true;
        for (int i = 0; i < rounded_up(rows, kStripRows); ++i)
          for (int p = 0; p < depth; ++p) {
            const int at = (i / kStripRows * depth + p) * kStripRows + i % kStripRows;
            are_there &= packed[at] == (i < rows ? a.at(i, p) : 0);
          }
        CHECK(are_there);
      }
}

// Returns A in one of the layouts that the product reads; all other numbers there are NaN.
std::vector<float> laid_out(const Stored& a, int rows, int depth, Strips layout) {
  const int whole = rounded_up(rows, kStripRows);
  if (layout == Strips::kPacked) {
    std::vector<float> packed(strip_floats(rows, depth));
    pack_strips(a.operand(), rows, depth, packed.data());
    return packed;
  }
  const bool is_by_row = layout == Strips::kTileRows;
  // A tile always has all its memory, even if only a part is used.
  std::vector<float> tile((is_by_row ? whole : depth + 1) * kTileStride, kNaN);
  for (int i = 0; i < rows; ++i)
    for (int p = 0; p < depth; ++p)
      tile[is_by_row ? i * kTileStride + p : p * kTileStride + i] = a.at(i, p);
  return tile;
}

TEST_CASE("a product of panels equals plain loops for every edge, layout and way to add") {
  constexpr float kAlpha = 0.5f, kBefore = 0.25f;
  constexpr int kMargin = 2;
  for (const int rows : {1, 2, 3, 4, 5, 9})
    for (const int columns : {1, 7, 8, 9, 17})
      for (const int depth : {0, 1, 2, 7, 127})
        for (const Strips layout : {Strips::kPacked, Strips::kTileRows, Strips::kTileColumns})
          for (const Accumulate accumulate : {Accumulate::kNo, Accumulate::kYes}) {
            CAPTURE(rows);
            CAPTURE(columns);
            CAPTURE(depth);
            CAPTURE(static_cast<int>(layout));
            const Stored a(rows, depth, 0, 1), b(depth, columns, 0, 2);
            std::vector<float> packed(panel_floats(depth, columns));
            const Panels panels = pack_panels(b.operand(), depth, columns, packed.data());
            const int stride = columns + kMargin;
            std::vector<float> c(rows * stride, kBefore);
            const std::vector<float> left = laid_out(a, rows, depth, layout);
            multiply_panels(rows, columns, depth, kAlpha, layout, left.data(), panels, c.data(),
                            stride, accumulate);
            bool are_near = true, is_margin_kept = true;
            for (int i = 0; i < rows; ++i) {
              for (int j = 0; j < columns; ++j) {
                double sum = 0;
                for (int p = 0; p < depth; ++p) sum += double(a.at(i, p)) * b.at(p, j);
                const double expected =
                    kAlpha * sum + (accumulate == Accumulate::kYes ? kBefore : 0);
                are_near &= std::abs(c[i * stride + j] - expected) < kTolerance;
              }
              for (int j = columns; j < stride; ++j) is_margin_kept &= c[i * stride + j] == kBefore;
            }
            CHECK(are_near);
            CHECK(is_margin_kept);
          }
}

TEST_CASE("one row times panels equals plain loops, and writes no further") {
  for (const int columns : kExtents)
    for (const int depth : kDepths) {
      CAPTURE(columns);
      CAPTURE(depth);
      const std::vector<float> a = random_values(depth, 1);
      const Stored b(depth, columns, 0, 2);
      std::vector<float> packed(panel_floats(depth, columns)), c(columns + 1, 7);
      multiply_row(columns, depth, a.data(),
                   pack_panels(b.operand(), depth, columns, packed.data()), c.data());
      for (int j = 0; j < columns; ++j) {
        double sum = 0;
        for (int p = 0; p < depth; ++p) sum += double(a[p]) * b.at(p, j);
        CHECK(std::abs(c[j] - sum) < kTolerance);
      }
      CHECK(c[columns] == 7);
    }
}

TEST_CASE("an infinite row of A meets the zeros beyond B's columns in no number of C") {
  constexpr int kRows = 5, kDepth = 3, kColumns = kPanelColumns + 1;
  std::vector<float> a(kRows * kDepth, 1), b(kDepth * kColumns, 2);
  std::fill_n(a.begin() + 2 * kDepth, kDepth, std::numeric_limits<float>::infinity());
  std::vector<float> packed(panel_floats(kDepth, kColumns)), strips(strip_floats(kRows, kDepth));
  const Panels panels = pack_panels({b.data(), kColumns}, kDepth, kColumns, packed.data());
  pack_strips({a.data(), kDepth}, kRows, kDepth, strips.data());
  std::vector<float> c(kRows * kColumns);
  multiply_panels(kRows, kColumns, kDepth, 1, Strips::kPacked, strips.data(), panels, c.data(),
                  kColumns, Accumulate::kNo);
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j) {
      if (i == 2)
        CHECK(std::isinf(c[i * kColumns + j]));
      else
        CHECK(c[i * kColumns + j] == 6);
    }
}

}  // namespace
}  // namespace wf
