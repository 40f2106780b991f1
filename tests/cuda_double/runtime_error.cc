// SPDX-License-Identifier: Apache-2.0
// The runtime's functions for errors.
#include <cuda_runtime_api.h>

#include <utility>

#include "tests/cuda_double/machine.h"

namespace sluice::cuda_double {
namespace {

cudaError_t& LastError() {
  thread_local cudaError_t last = cudaSuccess;
  return last;
}

cudaError_t Sticky() {
  Machine& machine = Machine::Get();
  if (CurrentDevice() >= machine.devices()) return cudaSuccess;
  return machine.device(CurrentDevice()).sticky.load();
}

struct Names {
  cudaError_t error;
  const char *name, *text;
};
// The runtime's own words, of the errors that tests choose.
constexpr Names kNames[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorContextIsDestroyed, "cudaErrorContextIsDestroyed", "context is destroyed"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

const Names* Find(cudaError_t error) {
  for (const Names& names : kNames)
    if (names.error == error) return &names;
  return nullptr;
}

}  // namespace

cudaError_t Answer(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) LastError() = error;
  return error;
}

}  // namespace sluice::cuda_double

using namespace sluice::cuda_double;

cudaError_t cudaGetLastError() {
  const cudaError_t last = std::exchange(LastError(), cudaSuccess);
  return last != cudaSuccess ? last : Sticky();
}

cudaError_t cudaPeekAtLastError() { return LastError() != cudaSuccess ? LastError() : Sticky(); }

const char* cudaGetErrorName(cudaError_t error) {
  const Names* names = Find(error);
  return names ? names->name : "cudaErrorUnknown";
}

const char* cudaGetErrorString(cudaError_t error) {
  const Names* names = Find(error);
  return names ? names->text : "unrecognized error code";
}
