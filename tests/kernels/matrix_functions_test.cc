// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linalg/matrix_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

namespace sluice::kernels {
namespace {

using Values = std::vector<std::complex<double>>;

Values Logarithm(const Values& matrix, int64_t n) {
  Values result(matrix.size());
  MatrixLogarithm(matrix.data(), n, result.data());
  return result;
}

TEST(MatrixLogarithmTest, OfASingularMatrixIsNotANumber) {
  const Values zeros(9, 0.0);
  const Values nilpotent{0, 1, 1, 0, 0, 1, 0, 0, 0};
  for (const Values& matrix : {zeros, nilpotent}) {
    for (const auto& value : Logarithm(matrix, 3)) EXPECT_TRUE(std::isnan(value.real())) << value;
  }
}

TEST(MatrixLogarithmTest, OfVerySmallAndLargeOnes) {
  for (const double scale : {1e-300, 1e-5, 1.0, 1e5, 1e300}) {
    const Values result = Logarithm({scale, 0, 0, 0, scale, 0, 0, 0, scale}, 3);
    for (int i = 0; i < 9; ++i)
      EXPECT_NEAR(result[i].real(), i % 4 == 0 ? std::log(scale) : 0, 1e-9) << scale;
  }
}

}  // namespace
}  // namespace sluice::kernels
