// SPDX-License-Identifier: Apache-2.0
// Controls the double of the CUDA runtime: tests/cuda_double/ defines the runtime's functions, and
// programs link it in place of NVIDIA's library.
//
// Streams are threads. Work of one stream runs in order, after seeded delays; work of two streams
// is ordered by events only. Device memory is poisoned when it is allocated and when it is freed.
// Threads of a kernel's block are fibres that stop at barriers and shuffles; blocks and threads run
// in an order that the seed determines.
//
// The double reports faults of a program, with a sticky error of the device: accesses outside of an
// allocation, or after it was freed, and threads that do not all reach a barrier.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_CONTROL_H_
#define SLUICE_TESTS_CUDA_DOUBLE_CONTROL_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sluice::cuda_double {

// The byte of unwritten memory.
constexpr unsigned char kPoison = 0xA5;

// Ends all streams, events and allocations, clears errors, reports and failures; two devices of 1
// GiB, seed 0, no delays.
// REQUIRES: the device is not in use.
void Reset();

// As Reset(), with `count` devices of `bytes` each. Without devices, it acts as a machine with a
// driver but no GPU.
void SetDevices(int count, size_t bytes);
// The result of cudaDriverGetVersion; 0: there is no driver. If it is older than the runtime, the
// calls fail.
void SetDriverVersion(int version);

// Seed 0: blocks and threads in order. Seed 1: in reverse order. Others: shuffled.
void SetSeed(uint64_t seed);
// Work waits up to this long before it runs.
void SetDelay(int64_t most_microseconds);
// Memory of a device that other processes use.
void SetUsedByOthers(int device, size_t bytes);
// While true, no stream begins any work. A thread that waits for a stream then waits for ever.
void HoldStreams(bool hold);

enum class Call {
  kLaunch,      // kernels and host functions put into a stream
  kRun,         // a kernel in its stream: an error that is seen later, and stays
  kAllocation,  // of device memory, pinned memory, streams and events
  kCopy,        // and memset
  kEvent,       // record, wait, query, synchronize; of events and streams
  kAny,         // every call of the above, except kRun
};
constexpr int kCalls = 6;

// The k-th call of the kind from now, from 1, fails with the error and does nothing. An error that
// CUDA documents as sticky stays: all later calls for the device fail with it.
void FailCall(Call kind, int64_t k, cudaError_t error);
// Calls of the kind since the last Reset() or FailCall().
int64_t Calls(Call kind);

struct Counts {
  int64_t device_bytes = 0, device_allocations = 0;
  int64_t pinned_bytes = 0, pinned_allocations = 0;  // allocated and registered
  int64_t streams = 0, events = 0;
  int64_t most_device_bytes = 0;
  int64_t launches = 0, copies = 0;
};
// The live objects, and the work since Reset().
Counts CountAll();
// Launches since Reset() by the kernel's name, from the program's symbols.
std::map<std::string, int64_t> LaunchesByKernel();

// Checks all guard zones and all freed memory now. Returns all reports since Reset().
// REQUIRES: no work is in progress.
std::vector<std::string> Reports();

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_CONTROL_H_
