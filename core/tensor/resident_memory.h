// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_RESIDENT_MEMORY_H_
#define SLUICE_CORE_TENSOR_RESIDENT_MEMORY_H_

#include <cstddef>
#include <cstdint>

namespace sluice {

// malloc keeps what a thread has freed in an arena where threads of other arenas do not find it. So
// the process may hold far more memory than it counts. memory_budget.cc calls this when the counted
// bytes have grown. If the process comes near its limit, and much of that is not counted, free
// memory goes back to the system.
//
// Threads:  any.
void LimitResidentMemory(int64_t counted, int64_t limit);

// 0 if the system does not say it.
int64_t ResidentMemory();

// From now on, memory of this process that nobody counts counts too: what gRPC keeps of messages
// that arrive, and what malloc keeps. It is measured when the counted bytes have grown. Files and
// shared memory are not in it. For a process whose operator new counts. False: not any more.
void CountResidentMemory(bool counts = true);

// In bytes, at the last measurement; 0 before CountResidentMemory.
int64_t UncountedMemory();

// Whether so many bytes more are within the limit. If they are not, free memory goes back to the
// system first, and a large request waits while the use of memory falls, if that is measured.
bool MemoryFits(size_t bytes);

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_RESIDENT_MEMORY_H_
