// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_TENSORFLOW_SERVER_H_
#define SLUICE_TRANSPORT_TENSORFLOW_SERVER_H_

#include <string>
#include <vector>

#include "core/status.h"

namespace sluice::transport {

// TensorFlow's servers answer under the same method paths, but their protocol between master and
// worker differs. So the servers of a cluster are all TensorFlow's or all Sluice's. A master and a
// worker tell each other which they are.

// Marks an error: the server that answered is TensorFlow's. The error lasts until another server is
// started.
absl::Status MarkTensorFlowServer(absl::Status status);
bool IsTensorFlowServer(const absl::Status& status);

// FAILED_PRECONDITION: `servers` ("task /job:ps/replica:0/task:0 at host:port") are TensorFlow's,
// in a cluster with servers of Sluice, for example `own_task`.
// REQUIRES: `servers` is not empty.
absl::Status MixedCluster(const std::vector<std::string>& servers, const std::string& own_task);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_TENSORFLOW_SERVER_H_
