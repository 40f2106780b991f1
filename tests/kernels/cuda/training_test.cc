// SPDX-License-Identifier: Apache-2.0
// The updates on the GPU give the CPU's numbers bit for bit: the rules only use + - * / and sqrt
// here, and both devices round each operation.
#include "kernels/cuda/training/training.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "kernels/common/training/optimizers.h"
#include "kernels/cpu/training/training_span.h"
#include "tests/kernels/cuda/device_array.h"

namespace sluice::cuda {
namespace {

using kernels::Optimizer;
using kernels::Optimizers;

constexpr int64_t kStep = 3;  // the global step

template <typename T>
using Numbers = std::vector<T>;

template <typename T>
constexpr DType kHostType = std::is_same_v<T, float>    ? kFloat
                            : std::is_same_v<T, double> ? kDouble
                            : std::is_same_v<T, __half> ? kHalf
                                                        : kBfloat16;

// Bit for bit; of a NaN the bits do not matter.
template <typename T>
testing::AssertionResult Same(const Numbers<T>& got, const Numbers<T>& want) {
  if (got.size() != want.size()) return testing::AssertionFailure() << "sizes differ";
  for (size_t i = 0; i < got.size(); ++i) {
    const bool nan = std::isnan(AsDouble(got[i])) && std::isnan(AsDouble(want[i]));
    if (nan || std::memcmp(&got[i], &want[i], sizeof(T)) == 0) continue;
    return testing::AssertionFailure()
           << "element " << i << ": got " << AsDouble(got[i]) << ", expected " << AsDouble(want[i]);
  }
  return testing::AssertionSuccess();
}

// A variable with its slots, the scalars and a gradient, on the host.
template <typename T>
struct Problem {
  const Optimizer* optimizer;
  OptimizerOptions options;
  std::vector<Numbers<T>> variables;
  Numbers<T> gradient, scalars;

  Problem(const Optimizer& of, size_t elements, size_t gradient_elements, int seed)
      : optimizer(&of), gradient(RandomNumbers<T>(gradient_elements, seed, -1, 1)) {
    for (size_t i = 0; i < of.variables.size(); ++i)
      variables.push_back(RandomNumbers<T>(elements, seed + 10 + static_cast<int>(i), 0.5, 2));
    for (absl::string_view name : of.scalars) {
      const double value = name == "lr_power"                ? -0.5
                           : name == "lr" || name == "alpha" ? 0.25
                           : name == "epsilon"               ? 1e-3
                           : name == "global_step"           ? kStep
                                                             : 0.625;
      scalars.push_back(Narrow<T>(static_cast<Wide<T>>(value)));
    }
  }

  // The CPU's result for `count` elements from `to`.
  void ApplyOnHost(size_t from, size_t to, size_t count) {
    std::array<double, kMaxTrainingScalars> values{};
    for (size_t i = 0; i < scalars.size(); ++i) values[i] = AsDouble(scalars[i]);
    std::array<void*, kMaxTrainingVariables> at{};
    for (size_t i = 0; i < variables.size(); ++i) at[i] = variables[i].data() + to;
    const auto span = kernels::TrainingSpanOf(optimizer->rule, kHostType<T>);
    span(options, values.data(), static_cast<int64_t>(count), at.data(), gradient.data() + from);
  }
};

// The same on the device.
template <typename T>
struct DeviceProblem {
  std::vector<std::unique_ptr<DeviceArray<T>>> arrays;
  DeviceArray<int64_t> step{std::vector<int64_t>{kStep}};
  TrainingOperands operands;

  explicit DeviceProblem(const Problem<T>& problem) {
    for (size_t i = 0; i < problem.variables.size(); ++i)
      operands.variables[i] = Upload(problem.variables[i]);
    for (size_t i = 0; i < problem.scalars.size(); ++i) {
      if (problem.optimizer->scalars[i] == "global_step") {
        operands.scalars[i] = step.data();
        operands.wide_scalar = static_cast<int32_t>(i);
        continue;
      }
      operands.scalars[i] = Upload({problem.scalars[i]});
    }
    operands.gradient = Upload(problem.gradient);
    operands.options = problem.options;
  }

  T* Upload(const Numbers<T>& values) {
    arrays.push_back(std::make_unique<DeviceArray<T>>(values));
    return arrays.back()->data();
  }

  void ExpectVariablesOf(const Problem<T>& problem) const {
    for (size_t i = 0; i < problem.variables.size(); ++i) {
      EXPECT_TRUE(Same(arrays[i]->Read(), problem.variables[i])) << problem.optimizer->variables[i];
    }
  }
};

template <typename T>
class CudaTrainingTest : public testing::Test {};
using Floats = testing::Types<float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(CudaTrainingTest, Floats);

std::vector<OptimizerOptions> AllOptions(bool sparse) {
  std::vector<OptimizerOptions> all;
  for (int bits = 0; bits < 8; ++bits)
    all.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, sparse});
  return all;
}

TYPED_TEST(CudaTrainingTest, DenseUpdatesAreTheCpus) {
  using T = TypeParam;
  for (const Optimizer& optimizer : Optimizers()) {
    if (!HasTrainingKernels(optimizer.rule)) continue;
    for (const OptimizerOptions& options : AllOptions(/*sparse=*/false)) {
      for (size_t n : {0, 1, 255, 1000}) {
        SCOPED_TRACE(testing::Message() << optimizer.name << " " << n);
        Problem<T> problem(optimizer, n, n, 1);
        problem.options = options;
        const DeviceProblem<T> device(problem);
        problem.ApplyOnHost(0, 0, n);
        ASSERT_EQ(LaunchTraining(optimizer.rule, ElementFor<T>(), device.operands,
                                 static_cast<int64_t>(n), nullptr),
                  cudaSuccess);
        device.ExpectVariablesOf(problem);
      }
    }
  }
}

template <typename T, typename I>
void CheckSparse(const Optimizer& optimizer, const OptimizerOptions& options, size_t width,
                 size_t count, int seed) {
  constexpr I kRows = 20;
  SCOPED_TRACE(testing::Message() << optimizer.name << " width " << width << " count " << count);
  Problem<T> problem(optimizer, kRows * width, count * width, seed);
  problem.options = options;
  const DeviceProblem<T> device(problem);
  const auto numbers = RandomNumbers<double>(count, seed, -3, kRows + 3);  // some are out of range
  std::vector<I> indices(count);
  for (size_t i = 0; i < count; ++i) {
    indices[i] = static_cast<I>(std::floor(numbers[i]));
    if (indices[i] >= 0 && indices[i] < kRows)
      problem.ApplyOnHost(i * width, static_cast<size_t>(indices[i]) * width, width);
  }
  DeviceArray<I> on_device(indices);
  TrainingRows rows;
  rows.indices = on_device.data();
  rows.wide = sizeof(I) == 8;
  rows.count = static_cast<int64_t>(count);
  rows.rows = kRows;
  rows.width = static_cast<int64_t>(width);
  ASSERT_EQ(LaunchTrainingRows(optimizer.rule, ElementFor<T>(), device.operands, rows, nullptr),
            cudaSuccess);
  device.ExpectVariablesOf(problem);
}

TYPED_TEST(CudaTrainingTest, SparseUpdatesApplyRepeatedRowsInOrderAndDropBadOnes) {
  for (const Optimizer& optimizer : Optimizers()) {
    if (!HasTrainingKernels(optimizer.rule) || !optimizer.has_sparse) continue;
    for (const OptimizerOptions& options : AllOptions(/*sparse=*/true)) {
      for (size_t width : {1, 3, 70}) {
        CheckSparse<TypeParam, int32_t>(optimizer, options, width, 9, 1);
        CheckSparse<TypeParam, int64_t>(optimizer, options, width, 9, 2);
      }
    }
    CheckSparse<TypeParam, int32_t>(optimizer, {.sparse = true}, 0, 5, 3);
    CheckSparse<TypeParam, int32_t>(optimizer, {.sparse = true}, 5, 0, 4);
    CheckSparse<TypeParam, int32_t>(optimizer, {.sparse = true}, 300, 3, 5);
  }
}

TEST(CudaTrainingRowsTest, ManyRowsNeedSeveralBatchesOfIndices) {
  const Optimizer* momentum = kernels::FindOptimizer("ResourceSparseApplyMomentum");
  ASSERT_NE(momentum, nullptr);
  for (int seed : kSeeds) CheckSparse<float, int64_t>(*momentum, {.sparse = true}, 5, 1000, seed);
}

TEST(CudaTrainingRowsTest, TheGradientMayBeTheVariable) {
  const Optimizer* descent = kernels::FindOptimizer("ApplyGradientDescent");
  ASSERT_NE(descent, nullptr);
  Problem<float> problem(*descent, 300, 300, 1);
  DeviceProblem<float> device(problem);
  device.operands.gradient = device.operands.variables[0];
  problem.gradient = problem.variables[0];
  problem.ApplyOnHost(0, 0, 300);
  ASSERT_EQ(LaunchTraining(descent->rule, Element::kFloat, device.operands, 300, nullptr),
            cudaSuccess);
  device.ExpectVariablesOf(problem);
}

TEST(CudaTrainingRowsTest, OtherRulesAndElementsAreRefused) {
  const TrainingOperands operands;
  constexpr auto kNone = static_cast<OptimizerRule>(255);
  EXPECT_FALSE(HasTrainingKernels(kNone));
  EXPECT_EQ(LaunchTraining(kNone, Element::kFloat, operands, 1, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(LaunchTraining(OptimizerRule::kAdam, Element::kInt32, operands, 1, nullptr),
            cudaErrorInvalidValue);
}

}  // namespace
}  // namespace sluice::cuda
