#include "kernels/matmul.h"

#include <algorithm>

#include "executor.h"
#include "kernels/dot.h"

namespace wf {
namespace {

constexpr int kBlockRows = 72;       // packed A: 72 × 256 floats stay in L2
constexpr int kBlockDepth = 256;
constexpr int kBlockColumns = 512;   // packed B: 256 × 512 floats
constexpr int kShortRow = 128;

// Σ a·b, where a's elements are a_stride apart.
float strided_dot(const float* a, std::ptrdiff_t a_stride, const float* b, int count) {
  if (a_stride == 1) return dot(a, b, count);
  float total = 0;
  for (int i = 0; i < count; ++i) total += a[i * a_stride] * b[i];
  return total;
}

// For a few rows (decoding), where packing B would cost more than the product. Reads B unpacked,
// two rows at a time if the rows are as short as those of keys; hardware prefetching does not
// follow four rows, nor two that are further apart.
bool multiply_few_rows(int m, int n, int k, float alpha, Operand a, Operand b, float* c,
                       std::ptrdiff_t c_stride, Accumulate accumulate) {
  if (b.row_stride != 1 && b.column_stride != 1) return false;
  for (int i = 0; i < m; ++i) {
    const float* row = a.data + i * a.row_stride;
    float* target = c + i * c_stride;
    if (accumulate == Accumulate::kNo) std::fill_n(target, n, 0.0f);
    if (b.row_stride == 1) {
      int j = 0;
      for (; a.column_stride == 1 && k <= kShortRow && j + 2 <= n; j += 2) {
        float sums[2];
        dot_two(row, b.data + j * b.column_stride, b.column_stride, k, sums);
        target[j] += alpha * sums[0];
        target[j + 1] += alpha * sums[1];
      }
      for (; j < n; ++j)
        target[j] += alpha * strided_dot(row, a.column_stride, b.data + j * b.column_stride, k);
    } else {
      const auto factor = [&](int p) { return alpha * row[p * a.column_stride]; };
      int p = 0;
      for (; p + 2 <= k; p += 2)
        add_two_scaled({factor(p), factor(p + 1)}, b.data + p * b.row_stride, b.row_stride, n,
                       target);
      if (p < k) add_scaled(factor(p), b.data + p * b.row_stride, n, target);
    }
  }
  return true;
}

// B in any layout: strided, packed, or quantised.
struct Right {
  Operand strided = {};
  Panels packed = {};
  QuantisedMatrix quantised = {};  // Wᵀ, starting at its row `first`
  int first = 0;

  Right right_of(int columns) const {
    Right right = *this;
    if (packed.data)
      right.packed = packed.right_of(columns);
    else if (quantised.data)
      right.first += columns;
    else
      right.strided.data += columns * strided.column_stride;
    return right;
  }
  // A block as panels; packs it into `memory` unless B is packed already.
  Panels block(int p0, int depth, int j0, int columns, float* memory) const {
    if (packed.data) return packed.right_of(j0).below(p0);
    if (quantised.data) return unpack_panels(quantised, p0, depth, first + j0, columns, memory);
    return pack_panels({strided.data + p0 * strided.row_stride + j0 * strided.column_stride,
                        strided.row_stride, strided.column_stride},
                       depth, columns, memory);
  }
};

void multiply_blocks(int m, int n, int k, float alpha, Operand a, const Right& b, float* c,
                     std::ptrdiff_t c_stride, Accumulate accumulate, MatmulScratch& scratch) {
  for (int j0 = 0; j0 < n; j0 += kBlockColumns) {
    const int columns = std::min(kBlockColumns, n - j0);
    for (int p0 = 0; p0 < k; p0 += kBlockDepth) {
      const int depth = std::min(kBlockDepth, k - p0);
      const Panels panels = b.block(p0, depth, j0, columns, scratch.b.data());
      for (int i0 = 0; i0 < m; i0 += kBlockRows) {
        const int rows = std::min(kBlockRows, m - i0);
        pack_strips(
            {a.data + i0 * a.row_stride + p0 * a.column_stride, a.row_stride, a.column_stride},
            rows, depth, scratch.a.data());
        multiply_panels(rows, columns, depth, alpha, Strips::kPacked, scratch.a.data(), panels,
                        c + i0 * c_stride + j0, c_stride, p0 > 0 ? Accumulate::kYes : accumulate);
      }
    }
  }
}

// Scratch memory of the threads. One product at a time is shared among them.
struct Lanes {
  MatmulScratch scratch[kMaxThreads];
  int count = 0;
};
Lanes& shared_lanes() {
  static Lanes lanes;
  return lanes;
}

// Splits C into whole strips or panels, one or two pieces for each thread: each piece packs the
// operand that all pieces read, and the threads wait for the last piece. Every element is summed in
// the same order in any split.
void multiply_shared(int lanes, int m, int n, int k, float alpha, Operand a, const Right& b,
                     float* c, std::ptrdiff_t c_stride, Accumulate accumulate) {
  constexpr int kWorthTwo = 96;
  const int longer = std::max(m, n);
  const int wanted = longer >= 2 * lanes * kWorthTwo ? 2 * lanes : lanes;
  const int piece = rounded_up((longer + wanted - 1) / wanted, n >= m ? kPanelColumns : kStripRows);
  share_out(lanes, (longer + piece - 1) / piece, [&](int lane, int index) {
    const int first = index * piece, count = std::min(piece, longer - first);
    MatmulScratch& scratch = shared_lanes().scratch[lane];
    if (n >= m) {
      multiply_blocks(m, count, k, alpha, a, b.right_of(first), c + first, c_stride, accumulate,
                      scratch);
    } else {
      multiply_blocks(count, n, k, alpha,
                      {a.data + first * a.row_stride, a.row_stride, a.column_stride}, b,
                      c + first * c_stride, c_stride, accumulate, scratch);
    }
  });
}

void multiply(int m, int n, int k, float alpha, Operand a, const Right& b, float* c,
              std::ptrdiff_t c_stride, Accumulate accumulate, MatmulScratch& scratch) {
  const int lanes = lanes_for(1.0 * m * n * k);
  if (kMayHaveThreads && lanes > 1 && lanes <= shared_lanes().count)
    return multiply_shared(lanes, m, n, k, alpha, a, b, c, c_stride, accumulate);
  multiply_blocks(m, n, k, alpha, a, b, c, c_stride, accumulate, scratch);
}

// Calls body(product, first, last) for all rows of W, in pieces that threads share (share_out).
// Pieces are short, so that a thread that starts late or is preempted delays the others little; for
// a long prompt they are long enough that two threads seldom write to one cache line, and read the
// activations less often.
template <class Body>
void share_rows(int m, int k, std::span<const QuantisedProduct> products, Body&& body) {
  constexpr double kWorthSharing = 1 << 17;  // workers do not sleep while a token is computed
  constexpr double kWorthTaking = 1 << 16;
  const double of_row = 1.0 * m * k;
  double all = 0;
  for (const QuantisedProduct& product : products) all += of_row * product.w.rows;
  Executor* threads = all >= kWorthSharing ? shared_threads() : nullptr;
  if (!kMayHaveThreads || !threads || threads->threads() == 1) {
    for (const QuantisedProduct& product : products) body(product, 0, product.w.rows);
    return;
  }
  const int worth = static_cast<int>(kWorthTaking / of_row) + 1;
  const int piece = rounded_up(worth, (m == 1 ? 2 : 4) * kQuantisedRows);
  const auto pieces_of = [&](int i) { return (products[i].w.rows - 1) / piece + 1; };
  int count = 0;
  for (int i = 0; i < static_cast<int>(products.size()); ++i) count += pieces_of(i);
  share_out(std::min(threads->threads(), kMaxThreads), count, [&](int, int index) {
    int i = 0;
    for (; index >= pieces_of(i); ++i) index -= pieces_of(i);
    body(products[i], index * piece, std::min(products[i].w.rows, (index + 1) * piece));
  });
}

}  // namespace

Status reserve_matmul_lanes(int lanes) {
  Lanes& shared = shared_lanes();
  for (; shared.count < lanes; ++shared.count) {
    WF_ASSIGN_OR_RETURN(shared.scratch[shared.count], MatmulScratch::make());
  }
  return {};
}

Status MatmulScratch::reserve_quick(int columns) {
  return quick.reserve(quick_bytes(kQuickRows, columns));
}

Result<MatmulScratch> MatmulScratch::make() {
  MatmulScratch scratch;
  WF_ASSIGN_OR_RETURN(scratch.a, Buffer<float>::make(strip_floats(kBlockRows, kBlockDepth)));
  WF_ASSIGN_OR_RETURN(scratch.b, Buffer<float>::make(panel_floats(kBlockDepth, kBlockColumns)));
  return scratch;
}

void matmul(int m, int n, int k, float alpha, Operand a, Operand b, float* c,
            std::ptrdiff_t c_stride, Accumulate accumulate, MatmulScratch& scratch) {
  if (m <= 0 || n <= 0) return;
  // Empty operands may have a null address.
  if (k <= 0) {
    if (accumulate == Accumulate::kNo)
      for (int i = 0; i < m; ++i) std::fill_n(c + i * c_stride, n, 0.0f);
    return;
  }
  if (m < kFewRows && multiply_few_rows(m, n, k, alpha, a, b, c, c_stride, accumulate)) return;
  multiply(m, n, k, alpha, a, {.strided = b}, c, c_stride, accumulate, scratch);
}

void matmul(int m, int n, int k, const float* a, Panels b, float* c, MatmulScratch& scratch) {
  if (m >= kFewRows)
    return multiply(m, n, k, 1, {a, k}, {.packed = b}, c, n, Accumulate::kNo, scratch);
  for (int i = 0; i < m; ++i)
    multiply_row(n, k, a + std::ptrdiff_t{i} * k, b, c + std::ptrdiff_t{i} * n);
}

void matmul(int m, int n, int k, float alpha, Operand a, QuantisedMatrix w, float* c,
            std::ptrdiff_t c_stride, Accumulate accumulate, MatmulScratch& scratch) {
  w.rows = n;
  const QuantisedProduct product = {w, c, c_stride};
  matmul(m, k, alpha, a, {&product, 1}, accumulate, scratch);
}

void matmul(int m, int k, float alpha, Operand a, std::span<const QuantisedProduct> products,
            Accumulate accumulate, MatmulScratch& scratch) {
  const bool is_quick = is_integer(products.front().w.type);
  if (is_quick && quick_bytes(kQuickRows, k) <= scratch.quick.size()) {
    for (int i = 0; i < m; i += kQuickRows) {
      const int count = std::min(kQuickRows, m - i);
      share_numbers(count, k, [&](int first, int rows) {
        quantise_activations(a.data + (i + first) * a.row_stride, a.row_stride, rows, k,
                             scratch.quick.data() + quick_bytes(first, k));
      });
      share_rows(count, k, products, [&](const QuantisedProduct& product, int first, int last) {
        multiply_quick(product.w, first, last, scratch.quick.data(), count, alpha, accumulate,
                       product.c + i * product.c_stride + first, product.c_stride);
      });
    }
  } else if (m >= kFewRows) {
    for (const auto& [w, c, c_stride] : products)
      multiply(m, w.rows, k, alpha, a, {.quantised = w}, c, c_stride, accumulate, scratch);
  } else {
    for (int i = 0; i < m; ++i)
      share_rows(1, k, products, [&](const QuantisedProduct& product, int first, int last) {
        multiply_exact(product.w, first, last, a.data + i * a.row_stride, alpha, accumulate,
                       product.c + i * product.c_stride + first);
      });
  }
}

}  // namespace wf
