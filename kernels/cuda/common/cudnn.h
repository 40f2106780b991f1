// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_CUDNN_H_
#define SLUICE_KERNELS_CUDA_COMMON_CUDNN_H_

#include <cudnn.h>

#include "absl/synchronization/mutex.h"
#include "core/device/cuda_library.h"

namespace sluice::kernels {

// The functions of cuDNN that we call. Only units that are left out where cudnn.h is not installed
// include this header.
struct Cudnn {
  static const cuda::LibraryName kName;

  decltype(&cudnnCreate) Create;
  decltype(&cudnnSetStream) SetStream;
  decltype(&cudnnGetErrorString) GetErrorString;
  decltype(&cudnnCreateTensorDescriptor) CreateTensorDescriptor;
  decltype(&cudnnSetTensor4dDescriptor) SetTensor4dDescriptor;
  decltype(&cudnnDestroyTensorDescriptor) DestroyTensorDescriptor;
  decltype(&cudnnCreateFilterDescriptor) CreateFilterDescriptor;
  decltype(&cudnnSetFilter4dDescriptor) SetFilter4dDescriptor;
  decltype(&cudnnDestroyFilterDescriptor) DestroyFilterDescriptor;
  decltype(&cudnnCreateConvolutionDescriptor) CreateConvolutionDescriptor;
  decltype(&cudnnSetConvolution2dDescriptor) SetConvolution2dDescriptor;
  decltype(&cudnnSetConvolutionGroupCount) SetConvolutionGroupCount;
  decltype(&cudnnSetConvolutionMathType) SetConvolutionMathType;
  decltype(&cudnnDestroyConvolutionDescriptor) DestroyConvolutionDescriptor;
  decltype(&cudnnGetConvolutionForwardAlgorithm_v7) GetForwardAlgorithms;
  decltype(&cudnnGetConvolutionBackwardDataAlgorithm_v7) GetBackwardDataAlgorithms;
  decltype(&cudnnGetConvolutionBackwardFilterAlgorithm_v7) GetBackwardFilterAlgorithms;
  decltype(&cudnnConvolutionForward) ConvolutionForward;
  decltype(&cudnnConvolutionBackwardData) ConvolutionBackwardData;
  decltype(&cudnnConvolutionBackwardFilter) ConvolutionBackwardFilter;

  absl::Status Load(const cuda::Library& library);
  // Opens the library at the first call.
  static absl::StatusOr<const Cudnn*> Get();

  // The result of a call as a Status that says what the call was for.
  absl::Status Check(cudnnStatus_t status, absl::string_view doing) const;
};

// True for what cuDNN has no algorithm for.
inline bool IsUnsupported(cudnnStatus_t status) {
  return status >= CUDNN_STATUS_NOT_SUPPORTED && status < CUDNN_STATUS_INTERNAL_ERROR;
}

// A GPU's handle of cuDNN, which one thread at a time may use. It lives as long as the process.
struct CudnnHandle {
  absl::Mutex mu;
  cudnnHandle_t handle ABSL_GUARDED_BY(mu) = nullptr;

  // REQUIRES: `gpu` is the current device
  static absl::StatusOr<CudnnHandle*> Of(const Cudnn& lib, int gpu);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COMMON_CUDNN_H_
