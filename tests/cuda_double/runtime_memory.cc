// SPDX-License-Identifier: Apache-2.0
// The runtime's functions for memory.
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "tests/cuda_double/machine.h"

using namespace sluice::cuda_double;

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  Machine& machine = Machine::Get();
  if (const cudaError_t error = machine.Begin(Call::kAllocation)) return Answer(error);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = machine.device(CurrentDevice()).memory.Allocate(bytes);
  return Answer(*pointer ? cudaSuccess : cudaErrorMemoryAllocation);
}

// Waits for nothing, although NVIDIA's does: who frees too early is found.
cudaError_t cudaFree(void* pointer) {
  Machine& machine = Machine::Get();
  if (!pointer) return Answer(machine.Begin());
  const int device = machine.DeviceOf(pointer);
  std::vector<std::string> faults;
  if (device < 0 || !machine.device(device).memory.Free(pointer, &faults))
    return Answer(cudaErrorInvalidValue);
  for (const std::string& fault : faults) machine.Fault(device, cudaErrorIllegalAddress, fault);
  return Answer(machine.Begin());
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
  Machine& machine = Machine::Get();
  if (const cudaError_t error = machine.Begin(Call::kAllocation)) return Answer(error);
  *pointer = machine.pinned.Allocate(bytes);
  return Answer(*pointer ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void* pointer) {
  Machine& machine = Machine::Get();
  if (pointer && !machine.pinned.Free(pointer)) return Answer(cudaErrorInvalidValue);
  return Answer(machine.Begin());
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned) {
  Machine& machine = Machine::Get();
  if (const cudaError_t error = machine.Begin(Call::kAllocation)) return Answer(error);
  if (!pointer || bytes == 0) return Answer(cudaErrorInvalidValue);
  return Answer(machine.pinned.Register(pointer, bytes) ? cudaSuccess
                                                        : cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void* pointer) {
  Machine& machine = Machine::Get();
  if (!machine.pinned.Unregister(pointer)) return Answer(cudaErrorHostMemoryNotRegistered);
  return Answer(machine.Begin());
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  Machine& machine = Machine::Get();
  if (const cudaError_t error = machine.Begin()) return Answer(error);
  *attributes = {};
  const int device = machine.DeviceOf(pointer);
  if (device >= 0 && machine.IsLive(pointer, 1)) {
    attributes->type = cudaMemoryTypeDevice;
    attributes->device = device;
    attributes->devicePointer = const_cast<void*>(pointer);
  } else if (machine.pinned.Holds(pointer, 1)) {
    attributes->type = cudaMemoryTypeHost;
    attributes->device = CurrentDevice();
    attributes->devicePointer = attributes->hostPointer = const_cast<void*>(pointer);
  } else {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -1;
    attributes->hostPointer = const_cast<void*>(pointer);
  }
  return cudaSuccess;
}
