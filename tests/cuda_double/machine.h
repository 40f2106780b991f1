// SPDX-License-Identifier: Apache-2.0
// The state that all calls of the double share: the devices, faults to inject, and what was noticed.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_MACHINE_H_
#define SLUICE_TESTS_CUDA_DOUBLE_MACHINE_H_

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/cuda_double/control.h"
#include "tests/cuda_double/device_memory.h"
#include "tests/cuda_double/pinned_memory.h"

namespace sluice::cuda_double {

// A GPU.
struct DeviceState {
  DeviceState(int ordinal, size_t bytes) : memory(ordinal, bytes) {}

  DeviceMemory memory;
  std::atomic<cudaError_t> sticky{cudaSuccess};
};

struct Settings {
  std::atomic<uint64_t> seed{0};
  std::atomic<int64_t> most_delay{0};  // microseconds
  std::atomic<int> driver{CUDART_VERSION};
};

// The one machine of the process; lives as long as it.
class Machine {
 public:
  static Machine& Get();

  Settings settings;
  PinnedMemory pinned;

  // REQUIRES: no streams.
  void SetDevices(int count, size_t bytes);
  int devices() const { return static_cast<int>(devices_.size()); }
  // REQUIRES: 0 <= ordinal < devices().
  DeviceState& device(int ordinal) { return *devices_[static_cast<size_t>(ordinal)]; }
  // The device whose memory it is, or -1. `live`: all `bytes` lie in one allocation.
  int DeviceOf(const void* pointer) const;
  bool IsLive(const void* pointer, size_t bytes) const;

  // Every call of the runtime begins so: success, or what it must return without doing anything.
  // The host functions of streams may not call.
  cudaError_t Begin(Call kind);
  cudaError_t Begin();  // of no kind that can be made to fail
  // True if this kernel must fail in its stream.
  cudaError_t BeginRun();
  void FailCall(Call kind, int64_t k, cudaError_t error);
  int64_t calls(Call kind);
  void ForgetCalls();

  // A fault of the program: a report, and the device's sticky error.
  void Fault(int device, cudaError_t error, const std::string& what);
  std::vector<std::string> reports();
  void ForgetReports();

 private:
  struct Injected {
    int64_t calls = 0;
    int64_t at = 0;  // 0: none
    cudaError_t error = cudaSuccess;
  };
  cudaError_t Count(Injected& kind);

  std::vector<std::unique_ptr<DeviceState>> devices_;
  std::mutex mu_;
  Injected injected_[kCalls];
  std::vector<std::string> reports_;
};

// The current device of this thread.
int& CurrentDevice();
// True on a thread that runs a host function of a stream.
bool& InHostFunction();
// Keeps the error for cudaGetLastError.
cudaError_t Answer(cudaError_t error);
bool IsSticky(cudaError_t error);

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_MACHINE_H_
