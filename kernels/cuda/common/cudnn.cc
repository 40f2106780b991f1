// SPDX-License-Identifier: Apache-2.0
#if __has_include(<cudnn.h>)
#include "kernels/cuda/common/cudnn.h"

#include <memory>

#include "absl/container/flat_hash_map.h"

namespace sluice::kernels {

const cuda::LibraryName Cudnn::kName{
    "cuDNN", {"libcudnn.so.9", "libcudnn.so"}, CUDNN_MAJOR, "cudnnGetVersion", 10000};

absl::Status Cudnn::Load(const cuda::Library& library) {
  // clang-format off
  return library.Load(
      "cudnnCreate", Create,
      "cudnnSetStream", SetStream,
      "cudnnGetErrorString", GetErrorString,
      "cudnnCreateTensorDescriptor", CreateTensorDescriptor,
      "cudnnSetTensor4dDescriptor", SetTensor4dDescriptor,
      "cudnnDestroyTensorDescriptor", DestroyTensorDescriptor,
      "cudnnCreateFilterDescriptor", CreateFilterDescriptor,
      "cudnnSetFilter4dDescriptor", SetFilter4dDescriptor,
      "cudnnDestroyFilterDescriptor", DestroyFilterDescriptor,
      "cudnnCreateConvolutionDescriptor", CreateConvolutionDescriptor,
      "cudnnSetConvolution2dDescriptor", SetConvolution2dDescriptor,
      "cudnnSetConvolutionGroupCount", SetConvolutionGroupCount,
      "cudnnSetConvolutionMathType", SetConvolutionMathType,
      "cudnnDestroyConvolutionDescriptor", DestroyConvolutionDescriptor,
      "cudnnGetConvolutionForwardAlgorithm_v7", GetForwardAlgorithms,
      "cudnnGetConvolutionBackwardDataAlgorithm_v7", GetBackwardDataAlgorithms,
      "cudnnGetConvolutionBackwardFilterAlgorithm_v7", GetBackwardFilterAlgorithms,
      "cudnnConvolutionForward", ConvolutionForward,
      "cudnnConvolutionBackwardData", ConvolutionBackwardData,
      "cudnnConvolutionBackwardFilter", ConvolutionBackwardFilter);
  // clang-format on
}

absl::StatusOr<const Cudnn*> Cudnn::Get() {
  static auto* const table = new cuda::LibraryTable<Cudnn>;
  return table->Get();
}

absl::Status Cudnn::Check(cudnnStatus_t status, absl::string_view doing) const {
  if (status == CUDNN_STATUS_SUCCESS) return absl::OkStatus();
  const std::string message = Cat("cuDNN failed in ", doing, ": ", GetErrorString(status));
  const bool memory = status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
                      status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
  return memory ? ResourceExhausted(message) : Internal(message);
}

absl::StatusOr<CudnnHandle*> CudnnHandle::Of(const Cudnn& lib, int gpu) {
  static auto* const mu = new absl::Mutex;
  static auto* const handles = new absl::flat_hash_map<int, std::unique_ptr<CudnnHandle>>;
  absl::MutexLock lock(mu);
  std::unique_ptr<CudnnHandle>& found = (*handles)[gpu];
  if (found != nullptr) return found.get();
  auto made = std::make_unique<CudnnHandle>();
  {
    absl::MutexLock handle_lock(&made->mu);
    SLUICE_RETURN_IF_ERROR(lib.Check(lib.Create(&made->handle), "making its handle"));
  }
  found = std::move(made);
  return found.get();
}

}  // namespace sluice::kernels
#endif
