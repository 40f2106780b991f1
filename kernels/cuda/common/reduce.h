// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_REDUCE_H_
#define SLUICE_KERNELS_CUDA_COMMON_REDUCE_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/common/element.h"
#include "kernels/cuda/common/layout.h"

namespace sluice::cuda {

enum class ReduceOp : uint8_t {
  kSum,
  kMean,
  kEuclideanNorm,
  kL2Loss,  // half the sum of squares
  kProd,
  kMax,  // ignores NaN
  kMin,
  kAll,
  kAny,
};

// The elements of each result, and the distribution of work over threads. It depends only on the
// shape, so that sums are added in the same order on every GPU.
struct ReduceShape {
  Layout<1> kept;     // from a result to its first element
  Layout<1> reduced;  // from the number of an element of a result to its offset from the first
  int64_t outputs = 1;
  int64_t count = 1;        // elements of a result
  bool inner_kept = false;  // neighbouring results are adjacent in memory
  int32_t lanes = 1;        // threads of a block that share a result; a power of 2
  int32_t parts = 1;        // blocks that share a result

  // REQUIRES: reduced_axes has `rank` marks
  static ReduceShape Of(int rank, const int64_t* sizes, const bool* reduced_axes);
  size_t workspace_bytes() const;  // 0 unless parts > 1
};

bool Takes(ReduceOp op, Element element);

// Reduces x to out. `workspace` has workspace_bytes(), aligned to 16. An empty result is the op's
// neutral element; a mean is NaN. cudaErrorInvalidValue: not Takes(op, element).
cudaError_t LaunchReduce(ReduceOp op, Element element, const ReduceShape& shape, const void* x,
                         void* out, void* workspace, cudaStream_t stream);

// For the units that hold the kernels.
struct ReduceCall {
  ReduceOp op;
  Element element;
  const ReduceShape* shape;
  const void* x;
  void* out;
  void* workspace;
  cudaStream_t stream;
};
struct ReduceFamily {
  bool (*takes)(ReduceOp op, Element element);
  cudaError_t (*launch)(const ReduceCall& call);
};
ReduceFamily ReduceSums();
ReduceFamily ReduceOrders();

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_REDUCE_H_
