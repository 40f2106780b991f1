// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_THREADS_RELIEVED_POOL_H_
#define SLUICE_CORE_THREADS_RELIEVED_POOL_H_

#include <memory>
#include <string>

#include "core/threads/thread_pool.h"

namespace sluice {

// A thread pool for tasks of several clients, which may run for seconds. If a task waits while each
// thread has been in one task for about 30 ms, another thread helps, up to kMostHelpers for each
// thread. Threads in long tasks then have a low priority. The helpers end once no task has waited
// so for two seconds.
inline constexpr int kMostHelpers = 4;
std::unique_ptr<WorkQueue> CreateRelievedThreadPool(int threads, std::string name);

}  // namespace sluice

#endif  // SLUICE_CORE_THREADS_RELIEVED_POOL_H_
