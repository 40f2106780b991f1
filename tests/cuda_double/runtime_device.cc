// SPDX-License-Identifier: Apache-2.0
// The runtime's functions for devices and versions.
#include <cuda_runtime_api.h>

#include <cstdio>

#include "tests/cuda_double/machine.h"
#include "tests/cuda_double/stream.h"

namespace sluice::cuda_double {
namespace {

constexpr int kSharedBytes = 48 << 10;
constexpr int kMostSharedBytes = 227 << 10;
constexpr int kMultiprocessors = 4;  // few: a kernel with a block for each runs on one processor

bool Exists(int device) { return device >= 0 && device < Machine::Get().devices(); }

void Describe(int device, cudaDeviceProp* p) {
  *p = {};
  std::snprintf(p->name, sizeof(p->name), "Double of a CUDA device");
  p->uuid.bytes[0] = static_cast<char>(device + 1);
  p->totalGlobalMem = Machine::Get().device(device).memory.total();
  p->sharedMemPerBlock = kSharedBytes;
  p->sharedMemPerBlockOptin = kMostSharedBytes;
  p->sharedMemPerMultiprocessor = 228 << 10;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->warpSize = 32;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsPerMultiProcessor = 2048;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->totalConstMem = 65536;
  p->major = 9;
  p->minor = 0;
  p->multiProcessorCount = kMultiprocessors;
  p->maxBlocksPerMultiProcessor = 32;
  p->l2CacheSize = 50 << 20;
  p->memoryBusWidth = 5120;
  p->concurrentKernels = p->unifiedAddressing = p->canMapHostMemory = 1;
  p->asyncEngineCount = 3;
  p->streamPrioritiesSupported = p->hostRegisterSupported = 1;
  p->canUseHostPointerForRegisteredMem = 1;
  p->pciBusID = device + 1;
  p->hostNumaId = -1;
}

// 0: this device has none.
int AttributeOf(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  const struct {
    cudaDeviceAttr attribute;
    int value;
  } values[] = {
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, kSharedBytes},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, kMostSharedBytes},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrClockRate, 1755000},
      {cudaDevAttrMemoryClockRate, 2619000},
      {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
      {cudaDevAttrL2CacheSize, p.l2CacheSize},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
      {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrPciBusId, p.pciBusID},
      {cudaDevAttrPciDeviceId, p.pciDeviceID},
      {cudaDevAttrPciDomainId, p.pciDomainID},
      {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrHostNumaId, p.hostNumaId},
      {cudaDevAttrComputeMode, cudaComputeModeDefault},
  };
  for (const auto& row : values)
    if (row.attribute == attribute) return row.value;
  return 0;
}

// Devices can be asked about although the current one has a sticky error.
cudaError_t BeginQuestion() {
  const Machine& machine = Machine::Get();
  if (machine.settings.driver.load() < CUDART_VERSION / 1000 * 1000)
    return cudaErrorInsufficientDriver;
  return machine.devices() == 0 ? cudaErrorNoDevice : cudaSuccess;
}

}  // namespace
}  // namespace sluice::cuda_double

using namespace sluice::cuda_double;

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  if (const cudaError_t error = BeginQuestion()) return Answer(error);
  *count = Machine::Get().devices();
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (const cudaError_t error = BeginQuestion()) return Answer(error);
  if (!Exists(device)) return Answer(cudaErrorInvalidDevice);
  Describe(device, properties);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (const cudaError_t error = BeginQuestion()) return Answer(error);
  if (!Exists(device)) return Answer(cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  Describe(device, &properties);
  *value = AttributeOf(properties, attribute);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  if (const cudaError_t error = BeginQuestion()) return Answer(error);
  if (!Exists(device)) return Answer(cudaErrorInvalidDevice);
  const int written = std::snprintf(id, static_cast<size_t>(length), "0000:%02X:00.0", device + 1);
  return Answer(written < length ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaSetDevice(int device) {
  if (const cudaError_t error = BeginQuestion()) return Answer(error);
  if (!Exists(device)) return Answer(cudaErrorInvalidDevice);
  CurrentDevice() = device;
  return Answer(Machine::Get().device(device).sticky.load());
}

cudaError_t cudaGetDevice(int* device) {
  if (const cudaError_t error = BeginQuestion()) return Answer(error);
  *device = CurrentDevice();
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = Machine::Get().settings.driver.load();
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  if (const cudaError_t error = Machine::Get().Begin()) return Answer(error);
  const DeviceMemory& memory = Machine::Get().device(CurrentDevice()).memory;
  *free = memory.free();
  *total = memory.total();
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (const cudaError_t error = BeginQuestion()) return Answer(error);
  if (!Exists(device) || !Exists(peer)) return Answer(cudaErrorInvalidDevice);
  *can = device != peer;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  if (const cudaError_t error = Machine::Get().Begin()) return Answer(error);
  return Answer(Exists(peer) && peer != CurrentDevice() ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize() {
  if (const cudaError_t error = Machine::Get().Begin(Call::kEvent)) return Answer(error);
  for (const StreamRef& stream : Handles::Get().StreamsOf(CurrentDevice())) stream->Wait();
  return Answer(Machine::Get().device(CurrentDevice()).sticky.load());
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  if (const cudaError_t error = Machine::Get().Begin()) return Answer(error);
  *attributes = {};
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = kMostSharedBytes;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  return Answer(Machine::Get().Begin());
}

// core/device/cuda_devices.cc asks for it: the double needs no libcuda.so.1.
extern "C" int sluice_cuda_needs_no_driver() { return 1; }
