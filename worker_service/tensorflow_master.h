#ifndef SLUICE_WORKER_SERVICE_TENSORFLOW_MASTER_H_
#define SLUICE_WORKER_SERVICE_TENSORFLOW_MASTER_H_

#include <string>
#include <vector>

#include "transport/transport.h"

namespace sluice::worker {

// Why `own_task` opens no session for a TensorFlow master: FAILED_PRECONDITION, with the tasks of
// the cluster that are TensorFlow servers.
//
// TensorFlow 2.x says which task its master is (`master_task`). 1.15 does not: then all `peers` are
// asked what they are, for two seconds at most. `transport` may be null: nobody can be asked.
absl::Status RefuseTensorFlowMaster(const std::string& own_task, const std::string& master_task,
                                    const std::vector<transport::PeerAddress>& peers,
                                    transport::Transport* transport);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_TENSORFLOW_MASTER_H_
