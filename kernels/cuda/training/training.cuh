// SPDX-License-Identifier: Apache-2.0
// The kernels of training ops, for the rules of kernels/common/training/training_rules.h.
#ifndef SLUICE_KERNELS_CUDA_TRAINING_TRAINING_CUH_
#define SLUICE_KERNELS_CUDA_TRAINING_TRAINING_CUH_

#include <algorithm>

#include "core/device/cuda_launch.h"
#include "kernels/common/training/training_rules.h"
#include "kernels/cuda/common/rounded.cuh"
#include "kernels/cuda/training/training.h"

namespace sluice::cuda {

// A rule with its operands, of elements T.
template <template <typename> class Rule, typename T>
struct TrainingSpan {
  using C = StepType<T>;
  static constexpr int kVariables = Rule<C>::kVariables;

  // Reads the scalars. They are in device memory, so each thread reads them.
  static __device__ Rule<C> RuleOf(const TrainingOperands& operands) {
    C s[kMaxTrainingScalars];
#pragma unroll
    for (int i = 0; i < kMaxTrainingScalars; ++i) {
      const void* scalar = operands.scalars[i];
      if (scalar == nullptr) {
        s[i] = C(0);
      } else if (i == operands.wide_scalar) {
        s[i] = static_cast<C>(static_cast<double>(*static_cast<const int64_t*>(scalar)));
      } else {
        s[i] = C(*static_cast<const T*>(scalar));
      }
    }
    return Rule<C>(operands.options, s);
  }

  // Applies element `from` of the gradient to element `to` of the variables.
  static __device__ void Apply(const Rule<C>& rule, const TrainingOperands& operands, int64_t from,
                               int64_t to) {
    C x[kVariables];
#pragma unroll
    for (int v = 0; v < kVariables; ++v) x[v] = C(static_cast<T*>(operands.variables[v])[to]);
    rule(C(static_cast<const T*>(operands.gradient)[from]), x);
#pragma unroll
    for (int v = 0; v < kVariables; ++v) static_cast<T*>(operands.variables[v])[to] = T(x[v]);
  }
};

template <template <typename> class Rule, typename T>
__global__ void DenseTrainingKernel(TrainingOperands operands, int64_t n) {
  using Span = TrainingSpan<Rule, T>;
  const auto rule = Span::RuleOf(operands);
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    Span::Apply(rule, operands, i, i);
}

constexpr int kTrainingThreads = 256;
constexpr int kTrainingWarps = kTrainingThreads / 32;

// The rows of the variables that a group of threads owns. Rows are hashed, because the indices of a
// batch may have a common factor.
struct RowOwner {
  int64_t block;
  int group;

  __device__ RowOwner(int64_t row, uint32_t blocks, uint32_t groups) {
    const uint64_t mixed = static_cast<uint64_t>(row) * 0x9E3779B97F4A7C15u;
    const uint32_t owner = static_cast<uint32_t>(mixed >> 32) % (blocks * groups);
    block = owner / groups;
    group = static_cast<int>(owner % groups);
  }
};

// Each row of the variables belongs to one group of `lanes` threads, which applies all of its
// gradients in order. So there is no lock and no sort, and the result does not depend on the grid.
// Every block reads all indices.
template <template <typename> class Rule, typename T>
__global__ void SparseTrainingKernel(TrainingOperands operands, TrainingRows rows, int lanes) {
  using Span = TrainingSpan<Rule, T>;
  const auto rule = Span::RuleOf(operands);
  const int thread = static_cast<int>(threadIdx.x);
  const int group = thread / lanes, groups = kTrainingThreads / lanes;
  const int64_t first_column = static_cast<int64_t>(blockIdx.y) * lanes + thread % lanes;
  auto* row = SharedMemory<int64_t>();                                  // of each index of a batch
  auto* owner = reinterpret_cast<int32_t*>(row + kTrainingThreads);     // its group
  auto* found = reinterpret_cast<uint32_t*>(owner + kTrainingThreads);  // bits: of this block
  for (int64_t begin = 0; begin < rows.count; begin += kTrainingThreads) {
    const int64_t i = begin + thread;
    int64_t index = -1;
    if (i < rows.count) {
      index = rows.wide ? static_cast<const int64_t*>(rows.indices)[i]
                        : static_cast<const int32_t*>(rows.indices)[i];
    }
    const RowOwner of(index, gridDim.x, static_cast<uint32_t>(groups));
    const bool mine = index >= 0 && index < rows.rows && of.block == blockIdx.x;
    row[thread] = index;
    owner[thread] = of.group;
    const uint32_t bits = __ballot_sync(0xffffffffu, mine);
    if (thread % 32 == 0) found[thread / 32] = bits;
    __syncthreads();
    for (int warp = 0; warp < kTrainingWarps; ++warp) {
      int at = warp * 32;
      for (uint32_t left = found[warp]; left != 0; left >>= 1, ++at) {
        if ((left & 1) == 0 || owner[at] != group) continue;
        for (int64_t c = first_column; c < rows.width; c += static_cast<int64_t>(gridDim.y) * lanes)
          Span::Apply(rule, operands, (begin + at) * rows.width + c, row[at] * rows.width + c);
      }
    }
    __syncthreads();
  }
}

template <template <typename> class Rule, typename T>
cudaError_t LaunchRule(const TrainingCall& call) {
  if (call.rows == nullptr) {
    const Span1D span = BlocksFor(call.n);
    return Launch(&DenseTrainingKernel<Rule, T>, span.grid, span.block, 0, call.stream,
                  *call.operands, call.n);
  }
  const TrainingRows& rows = *call.rows;
  if (rows.count == 0 || rows.width == 0 || rows.rows == 0) return cudaSuccess;
  int lanes = 1;
  while (lanes < rows.width && lanes < kTrainingThreads) lanes *= 2;
  constexpr int64_t kMostRowBlocks = 8 * 132, kMostBlocks = 32 * 132;
  const int64_t groups = kTrainingThreads / lanes;
  const int64_t x = std::clamp<int64_t>((rows.count + groups - 1) / groups, 1, kMostRowBlocks);
  const int64_t y = std::clamp<int64_t>((rows.width + lanes - 1) / lanes, 1, kMostBlocks / x);
  constexpr size_t kShared =
      kTrainingThreads * (sizeof(int64_t) + sizeof(int32_t)) + kTrainingWarps * sizeof(uint32_t);
  return Launch(&SparseTrainingKernel<Rule, T>,
                dim3(static_cast<unsigned>(x), static_cast<unsigned>(y)), dim3(kTrainingThreads),
                kShared, call.stream, *call.operands, rows, lanes);
}

template <OptimizerRule kRule_, template <typename> class Rule>
struct RuleRow {
  static constexpr OptimizerRule kRule = kRule_;
  static cudaError_t Launch(const TrainingCall& call) {
    return Visit(FloatingElements{}, call.element,
                 [&]<typename T>(Type<T>) { return LaunchRule<Rule, T>(call); });
  }
};

template <typename... Rows>
struct RuleTable {
  static bool Has(OptimizerRule rule) { return ((rule == Rows::kRule) || ...); }
  static cudaError_t Launch(const TrainingCall& call) {
    cudaError_t error = cudaErrorInvalidValue;
    static_cast<void>(((call.rule == Rows::kRule && (error = Rows::Launch(call), true)) || ...));
    return error;
  }
  static constexpr TrainingFamily Family() { return {&Has, &Launch}; }
};

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_TRAINING_TRAINING_CUH_
