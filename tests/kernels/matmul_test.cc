// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using ::testing::HasSubstr;

// Small integers, so that sums are exact in every wide enough type; complex numbers get an
// imaginary part.
template <typename T>
Tensor Random(const Shape& shape, uint32_t seed) {
  std::minstd_rand random(seed);
  Tensor tensor(kDTypeOf<T>, shape);
  const auto draw = [&] { return static_cast<double>(random() % 7) - 3; };
  for (T& v : tensor.mutable_flat<T>()) {
    if constexpr (requires { v.imag(); })
      v = T(draw(), draw());
    else
      v = static_cast<T>(draw());
  }
  return tensor;
}

template <typename T>
auto Wide(T v) {
  if constexpr (requires { v.imag(); })
    return Complex128(v);
  else
    return static_cast<double>(v);
}

// x[i, j] of a matrix that may be transposed, or the adjoint.
template <typename T>
auto At(const T* x, int64_t rows, int64_t cols, bool transposed, bool adjoint, int64_t i,
        int64_t j) {
  auto v = Wide(transposed ? x[j * rows + i] : x[i * cols + j]);
  if constexpr (requires { v.imag(); })
    return adjoint ? std::conj(v) : v;
  else
    return v;
}

template <typename T>
Tensor Product(const Tensor& a, const Tensor& b, int64_t m, int64_t n, int64_t k, bool ta, bool tb,
               bool adjoint = false) {
  Tensor out(kDTypeOf<T>, Shape{m, n});
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      auto sum = Wide(T());
      for (int64_t p = 0; p < k; ++p) {
        sum += At(a.data<T>(), m, k, ta, ta && adjoint, i, p) *
               At(b.data<T>(), k, n, tb, tb && adjoint, p, j);
      }
      out.mutable_flat<T>()[i * n + j] = static_cast<T>(sum);
    }
  }
  return out;
}

template <typename T>
class MatMulTest : public ::testing::Test {};
using ProductTypes =
    ::testing::Types<float, double, Half, Bfloat16, int32_t, int64_t, Complex64, Complex128>;
TYPED_TEST_SUITE(MatMulTest, ProductTypes);

TYPED_TEST(MatMulTest, MultipliesSmallAndLargeMatricesInAllOrders) {
  using T = TypeParam;
  KernelRunner runner;
  const int64_t sizes[][3] = {{1, 1, 1},   {3, 5, 4},     {17, 1, 9},
                              {1, 33, 40}, {65, 70, 300}, {130, 600, 20}};
  for (const auto& [m, n, k] : sizes) {
    for (int flags = 0; flags < 4; ++flags) {
      const bool ta = flags & 1, tb = flags & 2;
      const Tensor a = Random<T>(ta ? Shape{k, m} : Shape{m, k}, 1);
      const Tensor b = Random<T>(tb ? Shape{n, k} : Shape{k, n}, 2);
      const auto out = runner.Run("MatMul", {{"transpose_a", ta}, {"transpose_b", tb}}, {a, b});
      ASSERT_TRUE(out.ok()) << out.status();
      EXPECT_EQ(SameTensor((*out)[0], Product<T>(a, b, m, n, k, ta, tb), 1e-6), absl::OkStatus())
          << m << " " << n << " " << k << " " << flags;
    }
  }
}

TYPED_TEST(MatMulTest, BatchesBroadcastAndAdjointsAreConjugated) {
  using T = TypeParam;
  const Tensor x = Random<T>(Shape{2, 1, 4, 3}, 3), y = Random<T>(Shape{3, 5, 4}, 4);
  const auto out = RunOp("BatchMatMulV2", {{"adj_x", true}, {"adj_y", true}}, {x, y});
  ASSERT_TRUE(out.ok()) << out.status();
  ASSERT_EQ((*out)[0].shape(), (Shape{2, 3, 3, 5}));
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t j = 0; j < 3; ++j) {
      const Tensor want = Product<T>(x.Rows(i, i + 1), y.Rows(j, j + 1), 3, 5, 4, true, true, true);
      const Tensor got = *(*out)[0].Reshaped(Shape{6, 3, 5});
      EXPECT_EQ(SameTensor(*got.Rows(3 * i + j, 3 * i + j + 1).Reshaped(Shape{3, 5}), want),
                absl::OkStatus());
    }
  }
}

TEST(MatMulShapesTest, IntegersWrap) {
  const int32_t big = 1 << 30;
  const auto out = RunOp(
      "MatMul", {},
      {Tensor::Of<int32_t>(Shape{1, 2}, {big, big}), Tensor::Of<int32_t>(Shape{2, 1}, {4, 5})});
  ASSERT_TRUE(out.ok());
  EXPECT_EQ((*out)[0].scalar<int32_t>(), big);
}

TEST(MatMulShapesTest, EmptyOperandsGiveZerosOrNothing) {
  const auto zeros =
      RunOp("MatMul", {}, {Tensor(kFloat, Shape{2, 0}), Tensor(kFloat, Shape{0, 3})});
  ASSERT_TRUE(zeros.ok());
  EXPECT_THAT((*zeros)[0].flat<float>(), ::testing::Each(0.0f));
  EXPECT_EQ((*zeros)[0].shape(), (Shape{2, 3}));
  const auto none = RunOp("MatMul", {}, {Tensor(kFloat, Shape{0, 4}), Tensor(kFloat, Shape{4, 3})});
  ASSERT_TRUE(none.ok());
  EXPECT_EQ((*none)[0].shape(), (Shape{0, 3}));
  const auto batch =
      RunOp("BatchMatMul", {}, {Tensor(kFloat, Shape{0, 2, 3}), Tensor(kFloat, Shape{0, 3, 2})});
  ASSERT_TRUE(batch.ok());
  EXPECT_EQ((*batch)[0].shape(), (Shape{0, 2, 2}));
}

TEST(MatMulShapesTest, WrongShapesAreNamed) {
  const auto message = [](absl::string_view op, const Shape& a, const Shape& b) {
    const auto out = RunOp(op, {}, {Tensor(kFloat, a), Tensor(kFloat, b)});
    EXPECT_EQ(out.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(out.status().message());
  };
  EXPECT_THAT(message("MatMul", {3, 4}, {3, 5}),
              HasSubstr("Matrix size-incompatible: In[0]: [3,4], In[1]: [3,5]"));
  EXPECT_THAT(message("MatMul", {3, 4, 1}, {3, 5}), HasSubstr("In[0] is not a matrix"));
  EXPECT_THAT(message("MatMul", {}, {}), HasSubstr("not a matrix"));
  EXPECT_THAT(message("BatchMatMul", {3, 4}, {4}), HasSubstr("has different ndims"));
  EXPECT_THAT(message("BatchMatMul", {2, 3, 4}, {3, 4, 4}), HasSubstr("must be the same"));
  EXPECT_THAT(message("BatchMatMulV2", {2, 3, 4}, {3, 4, 4}), HasSubstr("compatible batch"));
  EXPECT_THAT(message("BatchMatMulV2", {2, 3, 4}, {2, 3, 4}), HasSubstr("mismatch"));
}

TEST(SparseMatMulTest, TakesBfloat16) {
  const Tensor a = Random<Bfloat16>(Shape{4, 3}, 1), b = Random<Bfloat16>(Shape{4, 5}, 2);
  const auto out = RunOp("SparseMatMul", {{"transpose_a", true}}, {a, b});
  ASSERT_TRUE(out.ok()) << out.status();
  const Tensor want = Product<Bfloat16>(a, b, 3, 5, 4, true, false);
  for (int i = 0; i < 15; ++i) {
    EXPECT_EQ((*out)[0].flat<float>()[i], static_cast<float>(want.flat<Bfloat16>()[i]));
  }
}

}  // namespace
}  // namespace sluice::kernels
