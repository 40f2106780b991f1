// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_DEVICE_REDUCTION_H_
#define SLUICE_WORKER_SERVICE_GROUPS_DEVICE_REDUCTION_H_

#include "core/runtime/device_library.h"
#include "worker_service/groups/round.h"
#include "worker_service/groups/routine.h"

namespace sluice::worker {

// Runs a member's part of an all-reduce whose operands are in the memory of a device, a call with
// set_output: by the library, or on the host if Group::why_on_host() says why or the hint names an
// algorithm of the host.
//
// A library's kernels wait for those of the other members, and do not end if two members launch
// them in different orders. So no member launches before all are ready: each tells rank 0, which
// then gives the operation its turn. The operation ends when the result is there. If the round
// fails before, the member aborts its communicator, and with it all operations of the group.
//
// All arguments outlive the routine. `library` is not null if the group uses it.
Routine ReduceDeviceMemory(Device& device, const DeviceLibrary* library, WorkQueue& pool,
                           Round& round);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_DEVICE_REDUCTION_H_
