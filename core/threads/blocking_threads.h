// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_THREADS_BLOCKING_THREADS_H_
#define SLUICE_CORE_THREADS_BLOCKING_THREADS_H_

#include "absl/functional/any_invocable.h"

namespace sluice {

// Runs `task`, which may block for long, on a thread of its own: the one that has been idle for the
// shortest time, or a new one. Threads end after 10 s without a task. They flush denormals to zero,
// as those of the pools. If the system has no more threads, the task runs on the calling thread.
//
// The process has one set of such threads. A task that waits for another task always finds it
// running, which a pool of a fixed size could not promise.
void RunBlocking(absl::AnyInvocable<void()> task);

}  // namespace sluice

#endif  // SLUICE_CORE_THREADS_BLOCKING_THREADS_H_
