// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_DEVICE_DATA_H_
#define SLUICE_KERNELS_CUDA_COMMON_DEVICE_DATA_H_

#include "core/tensor/tensor.h"

namespace sluice::kernels {

// The address of a tensor's elements in device memory, for a launch. The host does not read there.
// REQUIRES: T is the element type
template <typename T>
const T* DeviceData(const Tensor& tensor) {
  return static_cast<const T*>(tensor.raw());
}
template <typename T>
T* MutableDeviceData(const Tensor& tensor) {
  return static_cast<T*>(tensor.raw());
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COMMON_DEVICE_DATA_H_
