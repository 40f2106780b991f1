// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_TENSORFLOW_MASTER_H_
#define SLUICE_WORKER_SERVICE_TENSORFLOW_MASTER_H_

#include <string>
#include <vector>

#include "transport/connector.h"

namespace sluice::worker {

// Returns the reason why `own_task` opens no session for a TensorFlow master: FAILED_PRECONDITION,
// with the tasks of the cluster that are TensorFlow servers.
//
// TensorFlow 2.x sends the task of its master (`master_task`). 1.15 does not; then the function
// asks all `peers`, for two seconds at most. `transport` may be null: then it asks no peer.
absl::Status RefuseTensorFlowMaster(const std::string& own_task, const std::string& master_task,
                                    const std::vector<transport::PeerAddress>& peers,
                                    transport::Connector* connector);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_TENSORFLOW_MASTER_H_
