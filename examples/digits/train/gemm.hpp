// C += A * B for float matrices with any strides: packed panels and a 4 x 8 kernel in registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace digits::train {

/// View of a matrix, which borrows its memory. Swapped strides transpose it.
struct Matrix {
  const float* data;
  std::size_t row_stride;
  std::size_t column_stride;
};

inline Matrix rows_of(const float* data, std::size_t columns) { return {data, columns, 1}; }
inline Matrix columns_of(const float* data, std::size_t rows) { return {data, 1, rows}; }

/// C is m x n, row by row without gaps; A is m x k, B is k x n.
inline void gemm(std::size_t m, std::size_t n, std::size_t k, Matrix a, Matrix b, float* c) {
  constexpr std::size_t high = 4, wide = 8;
  thread_local std::vector<float> a_panel, b_panels;
  const std::size_t panels = (n + wide - 1) / wide;
  b_panels.assign(panels * k * wide, 0.0F);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t x = 0; x < n; ++x) {
      b_panels[(x / wide * k + i) * wide + x % wide] =
          b.data[i * b.row_stride + x * b.column_stride];
    }
  }
  a_panel.resize(k * high);
  for (std::size_t y = 0; y < m; y += high) {
    const std::size_t rows = std::min(high, m - y);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t r = 0; r < high; ++r) {
        a_panel[i * high + r] =
            r < rows ? a.data[(y + r) * a.row_stride + i * a.column_stride] : 0.0F;
      }
    }
    for (std::size_t panel = 0; panel < panels; ++panel) {
      float sums[high][wide] = {};
      const float* left = a_panel.data();
      const float* right = b_panels.data() + panel * k * wide;
      for (std::size_t i = 0; i < k; ++i, left += high, right += wide) {
        for (std::size_t r = 0; r < high; ++r) {
          for (std::size_t x = 0; x < wide; ++x) sums[r][x] += left[r] * right[x];
        }
      }
      const std::size_t columns = std::min(wide, n - panel * wide);
      for (std::size_t r = 0; r < rows; ++r) {
        float* out = c + (y + r) * n + panel * wide;
        for (std::size_t x = 0; x < columns; ++x) out[x] += sums[r][x];
      }
    }
  }
}

}  // namespace digits::train
