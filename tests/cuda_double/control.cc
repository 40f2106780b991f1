// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/control.h"

#include "tests/cuda_double/launches.h"
#include "tests/cuda_double/machine.h"
#include "tests/cuda_double/stream.h"

namespace sluice::cuda_double {

void SetDevices(int count, size_t bytes) {
  Machine& machine = Machine::Get();
  HoldAll(false);
  Handles::Get().Clear();
  machine.settings.seed = 0;
  machine.settings.most_delay = 0;
  machine.settings.driver = CUDART_VERSION;
  machine.SetDevices(count, bytes);
  machine.pinned.Clear();
  machine.ForgetCalls();
  machine.ForgetReports();
  ForgetCounts();
  CurrentDevice() = 0;
  cudaGetLastError();
}

void Reset() { SetDevices(2, size_t{1} << 30); }

void SetDriverVersion(int version) { Machine::Get().settings.driver = version; }

void SetSeed(uint64_t seed) { Machine::Get().settings.seed = seed; }

void SetDelay(int64_t most_microseconds) { Machine::Get().settings.most_delay = most_microseconds; }

void SetUsedByOthers(int device, size_t bytes) {
  Machine::Get().device(device).memory.SetUsedByOthers(bytes);
}

void HoldStreams(bool hold) { HoldAll(hold); }

void FailCall(Call kind, int64_t k, cudaError_t error) { Machine::Get().FailCall(kind, k, error); }

int64_t Calls(Call kind) { return Machine::Get().calls(kind); }

Counts CountAll() {
  Machine& machine = Machine::Get();
  Counts counts;
  for (int i = 0; i < machine.devices(); ++i) {
    const DeviceMemory& memory = machine.device(i).memory;
    counts.device_bytes += memory.live_bytes();
    counts.device_allocations += memory.live_allocations();
    counts.most_device_bytes += memory.most_bytes();
  }
  counts.pinned_bytes = machine.pinned.bytes();
  counts.pinned_allocations = machine.pinned.ranges();
  counts.streams = Handles::Get().streams();
  counts.events = Handles::Get().events();
  counts.launches = LaunchesCounted();
  counts.copies = CopiesCounted();
  return counts;
}

std::map<std::string, int64_t> LaunchesByKernel() { return LaunchesByName(); }

std::vector<std::string> Reports() {
  Machine& machine = Machine::Get();
  for (int i = 0; i < machine.devices(); ++i) {
    std::vector<std::string> faults;
    machine.device(i).memory.CheckAll(&faults);
    for (const std::string& fault : faults) machine.Fault(i, cudaErrorIllegalAddress, fault);
  }
  return machine.reports();
}

}  // namespace sluice::cuda_double
