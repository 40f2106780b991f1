// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_PRIMITIVES_H_
#define SLUICE_KERNELS_CUDA_COMMON_PRIMITIVES_H_

#include "kernels/common/primitives.h"
#include "kernels/cuda/common/rows.h"

namespace sluice::kernels {

// Memory of a GPU; the work is enqueued in the compute stream. Elements that are not plain are done
// on the host.
const Primitives& CudaPrimitives();

// The indices in a tensor of int16, int32 or int64.
cuda::Indices IndicesOf(const Tensor& tensor);
// The positions that rows of `indices` name in a tensor of this shape. UNIMPLEMENTED if they are
// too deep for a kernel.
absl::StatusOr<cuda::SlicePositions> PositionsIn(const Shape& shape, const Tensor& indices);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COMMON_PRIMITIVES_H_
