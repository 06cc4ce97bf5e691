// Shaped, non-owning views of float32 memory.
//
// Shape letters, used by every comment of this project:
//   B batch   T queries (or tokens)   S keys   H query heads   K key/value heads
//   D channels of a head   E model width   F width of the feed-forward   V vocabulary
// Everything is row-major.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wf {

// [rows, columns], rows `stride` floats apart.
struct ConstMatrix {
  const float* data = nullptr;
  int rows = 0;
  int columns = 0;
  std::ptrdiff_t stride = 0;

  const float* row(int index) const { return data + index * stride; }
};

struct Matrix {
  float* data = nullptr;
  int rows = 0;
  int columns = 0;
  std::ptrdiff_t stride = 0;

  float* row(int index) const { return data + index * stride; }
  operator ConstMatrix() const { return {data, rows, columns, stride}; }
};

// [heads, rows, columns]; holds both [H,T,D] (heads outermost) and [T,H·D] (tokens outermost).
struct ConstHeads {
  const float* data = nullptr;
  int heads = 0;
  int rows = 0;
  int columns = 0;
  std::ptrdiff_t head_stride = 0;
  std::ptrdiff_t row_stride = 0;

  ConstMatrix head(int index) const {
    return {data + index * head_stride, rows, columns, row_stride};
  }
};

struct Heads {
  float* data = nullptr;
  int heads = 0;
  int rows = 0;
  int columns = 0;
  std::ptrdiff_t head_stride = 0;
  std::ptrdiff_t row_stride = 0;

  Matrix head(int index) const { return {data + index * head_stride, rows, columns, row_stride}; }
  operator ConstHeads() const { return {data, heads, rows, columns, head_stride, row_stride}; }
};

// Dense [heads, rows, columns].
inline Heads heads_outermost(float* data, int heads, int rows, int columns) {
  return {data, heads, rows, columns, std::ptrdiff_t{rows} * columns, columns};
}
inline ConstHeads heads_outermost(const float* data, int heads, int rows, int columns) {
  return {data, heads, rows, columns, std::ptrdiff_t{rows} * columns, columns};
}

// Dense [rows, heads · columns], as a projection writes it.
inline Heads tokens_outermost(float* data, int heads, int rows, int columns) {
  return {data, heads, rows, columns, columns, std::ptrdiff_t{heads} * columns};
}
inline ConstHeads tokens_outermost(const float* data, int heads, int rows, int columns) {
  return {data, heads, rows, columns, columns, std::ptrdiff_t{heads} * columns};
}

constexpr int kMaxPositionAxes = 3;

// Integer positions of tokens, [axes, count]: one axis for text, more for images and video.
struct Positions {
  const std::int32_t* data = nullptr;
  int count = 0;
  int axes = 1;

  std::int32_t at(int index, int axis = 0) const { return data[axis * count + index]; }
  // Whether `many` positions from `first` on increase by one, on a single axis.
  bool run_without_gaps(int first, int many) const {
    for (int i = first + 1; i < first + many; ++i)
      if (at(i) != at(i - 1) + 1) return false;
    return true;
  }
};

}  // namespace wf
