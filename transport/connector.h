// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_CONNECTOR_H_
#define SLUICE_TRANSPORT_CONNECTOR_H_

#include <memory>

#include "transport/groups_api.h"
#include "transport/peer_address.h"
#include "transport/tensor_channel.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// A Connector connects a task to the other tasks of its cluster: calls to their workers and groups,
// and channels for tensors. The master and the worker service see transports only through it.
//
// Owner:    Server. Outlives its channels and workers.
// Threads:  any.
class Connector {
 public:
  virtual ~Connector() = default;
  // Sets the receiver of all channels, before the first channel. `sink` outlives the channels.
  virtual void Attach(TensorSink* sink) = 0;
  // Neither call waits for the peer. A channel may be shared with other callers.
  virtual absl::StatusOr<std::unique_ptr<WorkerApi>> ConnectWorker(const PeerAddress& peer) = 0;
  virtual absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectChannel(
      const PeerAddress& peer) = 0;
  // Null: this connector does not carry the calls of groups.
  virtual std::unique_ptr<GroupsApi> ConnectGroups(const PeerAddress& /*peer*/) { return nullptr; }
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_CONNECTOR_H_
