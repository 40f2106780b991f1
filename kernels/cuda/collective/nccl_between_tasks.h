// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_BETWEEN_TASKS_H_
#define SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_BETWEEN_TASKS_H_

#include "core/runtime/device_library.h"

namespace sluice::kernels {

// NCCL, for all-reduces between GPUs of different tasks. Null if the build has no CUDA.
const DeviceLibrary* NcclBetweenTasks();

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_BETWEEN_TASKS_H_
