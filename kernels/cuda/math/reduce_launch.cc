// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/common/reduce.h"
#include "kernels/cuda/common/reduce_block.h"

namespace sluice::cuda {
namespace {

// Blocks that keep a large GPU busy. If there are fewer results, blocks share a result.
constexpr int64_t kEnoughBlocks = 528;
constexpr int64_t kMostParts = 512;
// Number of elements for which a thread of another block pays for the second launch.
constexpr int64_t kElementsOfThread = 16;
constexpr int64_t kWidestAccumulator = 16;

int32_t PowerOfTwo(int64_t at_least, int64_t most) {
  int32_t power = 1;
  while (power < at_least && power < most) power *= 2;
  return power;
}

void ShareWork(ReduceShape& shape) {
  // Rows: a warp or more reads neighbouring elements. Columns: at least 32 threads are adjacent, if
  // there are as many results.
  const int64_t per_output = (shape.count + 3) / 4;
  const int64_t side_by_side = PowerOfTwo(shape.outputs, 32);
  shape.lanes =
      PowerOfTwo(per_output, shape.inner_kept ? kReduceThreads / side_by_side : kReduceThreads);
  const int64_t slots = kReduceThreads / shape.lanes;
  const int64_t blocks = (shape.outputs + slots - 1) / slots;
  if (blocks == 0 || blocks >= kEnoughBlocks) return;
  shape.parts =
      static_cast<int32_t>(std::clamp<int64_t>(shape.count / (shape.lanes * kElementsOfThread), 1,
                                               std::min(kMostParts, kEnoughBlocks / blocks)));
}

const ReduceFamily* FamilyOf(ReduceOp op, Element element) {
  static const ReduceFamily kFamilies[] = {ReduceSums(), ReduceOrders()};
  for (const ReduceFamily& family : kFamilies) {
    if (family.takes(op, element)) return &family;
  }
  return nullptr;
}

}  // namespace

ReduceShape ReduceShape::Of(int rank, const int64_t* sizes, const bool* reduced_axes) {
  ReduceShape shape;
  struct Run {  // neighbouring dimensions of one kind
    int64_t size;
    int64_t stride;
    bool reduced;
  };
  Run run{1, 1, true};
  int64_t stride = 1;
  bool innermost = true;
  const auto add = [&] {
    (run.reduced ? shape.reduced : shape.kept).AddDim(run.size, {run.stride});
    if (run.size > 1 && innermost) {
      shape.inner_kept = !run.reduced;
      innermost = false;
    }
  };
  for (int d = rank - 1; d >= 0; --d) {
    (reduced_axes[d] ? shape.count : shape.outputs) *= sizes[d];
    if (sizes[d] != 1 && reduced_axes[d] != run.reduced) {
      add();
      run = {1, stride, reduced_axes[d]};
    }
    run.size *= sizes[d];
    stride *= sizes[d];
  }
  add();
  ShareWork(shape);
  return shape;
}

size_t ReduceShape::workspace_bytes() const {
  return parts == 1 ? 0 : static_cast<size_t>(parts * outputs * kWidestAccumulator);
}

bool Takes(ReduceOp op, Element element) { return FamilyOf(op, element) != nullptr; }

cudaError_t LaunchReduce(ReduceOp op, Element element, const ReduceShape& shape, const void* x,
                         void* out, void* workspace, cudaStream_t stream) {
  const ReduceFamily* family = FamilyOf(op, element);
  if (family == nullptr) return cudaErrorInvalidValue;
  if (shape.outputs == 0) return cudaSuccess;
  return family->launch({op, element, &shape, x, out, workspace, stream});
}

}  // namespace sluice::cuda
