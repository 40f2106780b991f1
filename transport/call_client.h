// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_CALL_CLIENT_H_
#define SLUICE_TRANSPORT_CALL_CLIENT_H_

#include <memory>

#include "transport/groups_api.h"
#include "transport/handshake.h"
#include "transport/peer_address.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// A CallClient connects to the calls that other tasks answer. CreateCallClient in
// transport/rpc/connect.h makes the one over gRPC.
//
// Owner:    the Connector that uses it; outlives the objects that it returns.
// Threads:  any. No call waits for the peer.
class CallClient {
 public:
  virtual ~CallClient() = default;
  virtual std::unique_ptr<WorkerApi> ConnectWorker(const PeerAddress& peer) = 0;
  virtual std::unique_ptr<HandshakeApi> ConnectHandshake(const PeerAddress& peer) = 0;
  virtual std::unique_ptr<GroupsApi> ConnectGroups(const PeerAddress& peer) = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_CALL_CLIENT_H_
