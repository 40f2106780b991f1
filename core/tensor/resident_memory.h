// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_RESIDENT_MEMORY_H_
#define SLUICE_CORE_TENSOR_RESIDENT_MEMORY_H_

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

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_RESIDENT_MEMORY_H_
