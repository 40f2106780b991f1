// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/cuda/common/bounded_table.h"
#include "kernels/cuda/math/register.h"
#include "tests/kernels/cuda/gpu_runner.h"

#ifdef SLUICE_CUDA_DOUBLE
#include "tests/cuda_double/libraries/libraries.h"
#endif

namespace sluice::kernels {
namespace {

constexpr DType kProductTypes[] = {kHalf,  kBfloat16, kFloat,     kDouble,
                                   kInt32, kInt64,    kComplex64, kComplex128};

double ToleranceOf(DType dtype) {
  switch (dtype) {
    case kHalf:
      return 4e-3;
    case kBfloat16:
      return 3e-2;
    case kFloat:
    case kComplex64:
      return 1e-5;
    default:
      return 1e-12;
  }
}

class CudaMatMulTest : public ::testing::Test {
 protected:
  GpuRunner gpu_{RegisterCudaMatMul};
};

TEST_F(CudaMatMulTest, MultipliesMatricesOfEachTypeAndTransposition) {
  const int64_t sizes[][3] = {{1, 1, 1}, {2, 3, 4}, {17, 33, 5}, {16, 32, 16}, {1, 40, 7}};
  for (const DType dtype : kProductTypes) {
    for (const auto& [m, k, n] : sizes) {
      for (int flags = 0; flags < 4; ++flags) {
        const bool a_flag = (flags & 1) != 0, b_flag = (flags & 2) != 0;
        const Tensor a = RandomTensor(dtype, a_flag ? Shape{k, m} : Shape{m, k}, flags);
        const Tensor b = RandomTensor(dtype, b_flag ? Shape{n, k} : Shape{k, n}, flags + 9);
        EXPECT_EQ(gpu_.Compare("MatMul", {{"transpose_a", a_flag}, {"transpose_b", b_flag}}, {a, b},
                               ToleranceOf(dtype)),
                  absl::OkStatus())
            << Name(dtype) << " " << m << " " << k << " " << n << " " << flags;
      }
    }
  }
}

TEST_F(CudaMatMulTest, GivesZerosForSumsOfNothingAndNothingForEmptyProducts) {
  for (const DType dtype : kProductTypes) {
    for (const auto& [m, k, n] :
         std::vector<std::array<int64_t, 3>>{{3, 0, 4}, {0, 5, 4}, {3, 5, 0}, {0, 0, 0}}) {
      EXPECT_EQ(gpu_.Compare(
                    "MatMul", {},
                    {RandomTensor(dtype, Shape{m, k}, 1), RandomTensor(dtype, Shape{k, n}, 2)}, 0),
                absl::OkStatus())
          << Name(dtype);
    }
  }
}

TEST_F(CudaMatMulTest, MultipliesBatchesAndAdjoints) {
  for (const DType dtype : kProductTypes) {
    for (int flags = 0; flags < 4; ++flags) {
      const bool x_flag = (flags & 1) != 0, y_flag = (flags & 2) != 0;
      const Tensor x = RandomTensor(dtype, x_flag ? Shape{2, 3, 5, 4} : Shape{2, 3, 4, 5}, flags);
      const Tensor y = RandomTensor(dtype, y_flag ? Shape{2, 3, 6, 5} : Shape{2, 3, 5, 6}, flags);
      for (const char* op : {"BatchMatMul", "BatchMatMulV2"}) {
        EXPECT_EQ(
            gpu_.Compare(op, {{"adj_x", x_flag}, {"adj_y", y_flag}}, {x, y}, ToleranceOf(dtype)),
            absl::OkStatus())
            << op << " " << Name(dtype) << " " << flags;
      }
    }
  }
}

TEST_F(CudaMatMulTest, StretchesBatches) {
  const std::pair<Shape, Shape> shapes[] = {
      {Shape{3, 4}, Shape{2, 4, 5}},          {Shape{2, 3, 4}, Shape{4, 5}},
      {Shape{2, 1, 3, 4}, Shape{1, 5, 4, 2}}, {Shape{2, 3, 1, 2, 3}, Shape{1, 3, 4, 3, 2}},
      {Shape{1, 1, 2, 3}, Shape{3, 2}},       {Shape{2, 1, 3, 2, 2}, Shape{2, 4, 1, 2, 2}},
      {Shape{0, 2, 3}, Shape{1, 3, 2}},
  };
  for (const DType dtype : {kFloat, kInt32, kComplex64}) {
    for (const auto& [x, y] : shapes) {
      EXPECT_EQ(
          gpu_.Compare("BatchMatMulV2", {}, {RandomTensor(dtype, x, 1), RandomTensor(dtype, y, 2)},
                       ToleranceOf(dtype)),
          absl::OkStatus())
          << x.ToString() << " " << y.ToString();
    }
  }
}

TEST_F(CudaMatMulTest, SplitsBatchesBeyondAGridsThirdDimension) {
  const Tensor x = RandomTensor(kFloat, Shape{70000, 1, 2}, 1);
  const Tensor y = RandomTensor(kFloat, Shape{70000, 2, 1}, 2);
  EXPECT_EQ(gpu_.Compare("BatchMatMulV2", {}, {x, y}, 1e-5), absl::OkStatus());
}

TEST_F(CudaMatMulTest, WordsErrorsAsTheCpuDoes) {
  const Tensor matrix = RandomTensor(kFloat, Shape{2, 3}, 1);
  const Tensor vector = RandomTensor(kFloat, Shape{3}, 1);
  for (const auto& inputs :
       std::vector<std::vector<Tensor>>{{matrix, matrix}, {vector, matrix}, {matrix, vector}}) {
    for (const char* op : {"MatMul", "BatchMatMul", "BatchMatMulV2"}) {
      EXPECT_EQ(gpu_.Compare(op, {}, inputs, 0), absl::OkStatus()) << op;
      EXPECT_FALSE(gpu_.Run(op, {}, inputs).ok());
    }
  }
}

TEST(BoundedTableTest, DropsTheOldest) {
  BoundedTable<int, int> table(3);
  for (int i = 0; i < 10; ++i) table.Insert(i, std::make_shared<int>(i));
  EXPECT_EQ(table.size(), 3u);
  EXPECT_EQ(table.Find(6), nullptr);
  ASSERT_NE(table.Find(9), nullptr);
  EXPECT_EQ(*table.Insert(9, std::make_shared<int>(1)), 9);
}

#ifdef SLUICE_CUDA_DOUBLE
// These control the double of the library.

using ::testing::HasSubstr;

TEST_F(CudaMatMulTest, ComputesWhatTheLibraryDoesNotSupport) {
  cuda_double::SetUnsupported(true);
  const int64_t products = cuda_double::CountLibraryCalls().products;
  for (const DType dtype : kProductTypes) {
    const Tensor a = RandomTensor(dtype, Shape{2, 13, 19}, 3);
    const Tensor b = RandomTensor(dtype, Shape{2, 21, 19}, 4);
    EXPECT_EQ(gpu_.Compare("BatchMatMulV2", {{"adj_y", true}}, {a, b}, ToleranceOf(dtype)),
              absl::OkStatus())
        << Name(dtype);
  }
  EXPECT_EQ(cuda_double::CountLibraryCalls().products, products);
  cuda_double::SetUnsupported(false);
}

TEST_F(CudaMatMulTest, ChoosesAnAlgorithmOnceForAShape) {
  const Tensor a = RandomTensor(kFloat, Shape{11, 12}, 1),
               b = RandomTensor(kFloat, Shape{12, 13}, 2);
  ASSERT_TRUE(gpu_.Run("MatMul", {}, {a, b}).ok());
  const auto& calls = cuda_double::CountLibraryCalls();
  const int64_t heuristics = calls.heuristics, products = calls.products;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(gpu_.Run("MatMul", {}, {a, b}).ok());
  EXPECT_EQ(calls.products, products + 5);
  EXPECT_EQ(calls.heuristics, heuristics);
}

TEST_F(CudaMatMulTest, SaysWhichLibraryIsMissingAndWhereItWasLookedFor) {
  const Tensor a = RandomTensor(kFloat, Shape{2, 2}, 1);
  cuda::UseLibraryForTest("cuBLASLt", nullptr);
  cuda::SetLibraryPath("/nowhere:/neither");
  const absl::Status status = gpu_.Run("MatMul", {}, {a, a}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("needs cuBLASLt 13"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("libcublasLt.so.13"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("--cuda_libraries=/nowhere:/neither"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("/neither/libcublasLt.so.13"));
  // Integers need no library.
  const Tensor i = RandomTensor(kInt32, Shape{2, 2}, 1);
  EXPECT_TRUE(gpu_.Run("MatMul", {}, {i, i}).ok());
  cuda::SetLibraryPath("");
}

size_t OldVersion() { return 110301; }

TEST_F(CudaMatMulTest, SaysThatALibraryIsTooOldOrLacksAFunction) {
  const Tensor a = RandomTensor(kFloat, Shape{2, 2}, 1);
  cuda::UseLibraryForTest("cuBLASLt", [] {
    return cuda::Library::Find([](const char* function) -> void* {
      if (absl::string_view(function) == "cublasLtGetVersion")
        return reinterpret_cast<void*>(&OldVersion);
      return cuda_double::FindCublasLt(function);
    });
  });
  absl::Status status = gpu_.Run("MatMul", {}, {a, a}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("has version 110301"));

  cuda::UseLibraryForTest("cuBLASLt", [] {
    return cuda::Library::Find([](const char* function) -> void* {
      if (absl::string_view(function) == "cublasLtMatmul") return nullptr;
      return cuda_double::FindCublasLt(function);
    });
  });
  status = gpu_.Run("MatMul", {}, {a, a}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("has no function cublasLtMatmul"));
}

TEST_F(CudaMatMulTest, TriesAgainAfterALibraryDidNotOpen) {
  const Tensor a = RandomTensor(kFloat, Shape{2, 2}, 1);
  int failures = 1;
  cuda::UseLibraryForTest("cuBLASLt", [&]() -> absl::StatusOr<cuda::Library::Find> {
    if (failures-- > 0) return Unimplemented("planted");
    return cuda::Library::Find(&cuda_double::FindCublasLt);
  });
  EXPECT_EQ(gpu_.Run("MatMul", {}, {a, a}).status(), Unimplemented("planted"));
  EXPECT_EQ(gpu_.Compare("MatMul", {}, {a, a}, 1e-5), absl::OkStatus());
  cuda_double::UseLibraryDoubles();
}

#endif  // SLUICE_CUDA_DOUBLE

}  // namespace
}  // namespace sluice::kernels
