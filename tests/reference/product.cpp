#include "product.h"

namespace wf::reference {

std::vector<float> product(const std::vector<float>& x, const float* w, int in, int out,
                           bool transposed) {
  const int rows = static_cast<int>(x.size()) / in;
  std::vector<float> y(std::size_t(rows) * out);
  for (int r = 0; r < rows; ++r)
    for (int o = 0; o < out; ++o) {
      double sum = 0;
      for (int i = 0; i < in; ++i)
        sum += double(x[r * in + i]) * (transposed ? w[o * in + i] : w[i * out + o]);
      y[r * out + o] = static_cast<float>(sum);
    }
  return y;
}

}  // namespace wf::reference
