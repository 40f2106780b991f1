// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_TYPES_H_
#define SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_TYPES_H_

#include <nccl.h>

#include <optional>

#include "core/tensor/dtype.h"

namespace sluice::kernels {

// Nothing if NCCL does not have the dtype. Only units that are left out where nccl.h is not
// installed include this header.
inline std::optional<ncclDataType_t> NcclTypeOf(DType dtype) {
  switch (dtype) {
    case kHalf:
      return ncclFloat16;
    case kBfloat16:
      return ncclBfloat16;
    case kFloat:
      return ncclFloat32;
    case kDouble:
      return ncclFloat64;
    case kInt32:
      return ncclInt32;
    case kInt64:
      return ncclInt64;
    default:
      return std::nullopt;
  }
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_TYPES_H_
