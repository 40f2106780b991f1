// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_status.h"

namespace sluice::cuda {
namespace {

// A hint for an error that makes a GPU unusable. Empty for other errors.
absl::string_view CureOf(cudaError_t error) {
  switch (error) {
    case cudaErrorNoDevice:
      return "the driver shows no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES";
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
      return "update the NVIDIA driver to a version that supports this CUDA";
    case cudaErrorStubLibrary:
      return "the loader found the toolkit's stub of libcuda.so.1: remove it from the library path";
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
      return "the versions of the kernel's driver and of libcuda.so.1 differ: restart the machine "
             "or reinstall the driver";
    case cudaErrorSystemNotReady:
      return "the driver's services do not run: check nvidia-fabricmanager";
    case cudaErrorDevicesUnavailable:
      return "another process uses the GPU exclusively: check its compute mode by nvidia-smi";
    case cudaErrorInitializationError:
    case cudaErrorOperatingSystem:
      return "the driver does not start: check nvidia-smi and the rights of /dev/nvidia*";
    case cudaErrorMpsConnectionFailed:
    case cudaErrorMpsRpcFailure:
    case cudaErrorMpsServerNotReady:
    case cudaErrorMpsMaxClientsReached:
    case cudaErrorMpsMaxConnectionsReached:
      return "check the MPS server";
    default:
      return "";
  }
}

}  // namespace

bool IsSticky(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
      return true;
    default:
      return false;
  }
}

absl::Status ToStatus(cudaError_t error, absl::string_view doing) {
  if (error == cudaSuccess) return absl::OkStatus();
  const std::string text =
      Cat(doing, ": ", cudaGetErrorName(error), ": ", cudaGetErrorString(error));
  if (error == cudaErrorMemoryAllocation) return ResourceExhausted(text);
  if (IsSticky(error)) {
    return Internal(text,
                    "; no call to this GPU can succeed any more: the process must be restarted");
  }
  const absl::string_view cure = CureOf(error);
  return cure.empty() ? Internal(text) : Unavailable(text, "; ", cure);
}

}  // namespace sluice::cuda
