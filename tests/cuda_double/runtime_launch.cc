// SPDX-License-Identifier: Apache-2.0
// Kernels and host functions in streams.
#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cuda_double/launch.h"
#include "tests/cuda_double/block.h"
#include "tests/cuda_double/launches.h"
#include "tests/cuda_double/machine.h"
#include "tests/cuda_double/stream.h"

namespace sluice::cuda_double {
namespace {

constexpr size_t kMostSharedBytes = size_t{227} << 10;

// The limits of a GPU of compute capability 9.0.
cudaError_t Check(const dim3& grid, const dim3& block, size_t shared_bytes) {
  if (grid.x > 2147483647u || grid.y > 65535 || grid.z > 65535)
    return cudaErrorInvalidConfiguration;
  if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > 1024 || block.y > 1024 ||
      block.z > 64 || uint64_t{block.x} * block.y * block.z > 1024)
    return cudaErrorInvalidConfiguration;
  return shared_bytes > kMostSharedBytes ? cudaErrorInvalidValue : cudaSuccess;
}

void RunInStream(const Kernel& kernel, const void* address, Stream& stream) {
  Machine& machine = Machine::Get();
  DeviceState& device = machine.device(stream.device());
  if (device.sticky.load() != cudaSuccess) return;
  if (const cudaError_t error = machine.BeginRun()) {
    device.sticky = error;
    return;
  }
  const Direction direction = DirectionOf(machine.settings.seed.load());
  const std::string failure = RunKernel(kernel, direction, stream.chance());
  if (!failure.empty())
    machine.Fault(stream.device(), cudaErrorLaunchFailure, NameOfKernel(address) + ": " + failure);
  std::vector<std::string> faults;
  device.memory.CheckEdges(&faults);
  for (const std::string& fault : faults)
    machine.Fault(stream.device(), cudaErrorIllegalAddress,
                  "after " + NameOfKernel(address) + ": " + fault);
}

}  // namespace

cudaError_t LaunchKernel(const void* address, dim3 grid, dim3 block, size_t shared_bytes,
                         cudaStream_t handle, std::function<void()> thread) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kLaunch)) return Answer(error);
  const StreamRef stream = Handles::Get().Find(handle);
  if (!stream) return Answer(cudaErrorInvalidResourceHandle);
  if (stream->device() != CurrentDevice()) return Answer(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = Check(grid, block, shared_bytes)) return Answer(error);
  CountLaunch(address);
  auto kernel = std::make_shared<Kernel>(Kernel{grid, block, shared_bytes, std::move(thread)});
  stream->Put([kernel, address](Stream& self) { RunInStream(*kernel, address, self); });
  return cudaSuccess;
}

}  // namespace sluice::cuda_double

using namespace sluice::cuda_double;

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* argument) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kLaunch)) return Answer(error);
  const StreamRef stream = Handles::Get().Find(handle);
  if (!stream) return Answer(cudaErrorInvalidResourceHandle);
  stream->Put([function, argument](Stream& self) {
    if (Machine::Get().device(self.device()).sticky.load() != cudaSuccess) return;
    InHostFunction() = true;
    function(argument);
    InHostFunction() = false;
  });
  return cudaSuccess;
}
