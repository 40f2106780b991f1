// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_POOL_POOL_SHAPE_H_
#define SLUICE_KERNELS_CUDA_NN_POOL_POOL_SHAPE_H_

#include "kernels/common/nn/pool_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/nn/pool/pool.h"
#include "kernels/cuda/nn/span_of.h"

namespace sluice::kernels {

// A pooling's sizes for device code.
inline cuda::PoolShape ShapeOf(const PoolOp& op, const PoolSizes& s, DType dtype) {
  return {.element = ElementOf(dtype),
          .batch = s.batch,
          .channels = s.channels,
          .planes = SpanOf(s.planes),
          .height = SpanOf(s.height),
          .width = SpanOf(s.width),
          .depth = s.depth.kernel,
          .channels_first = op.attrs.channels_first};
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_NN_POOL_POOL_SHAPE_H_
