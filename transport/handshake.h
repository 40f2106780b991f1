// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_HANDSHAKE_H_
#define SLUICE_TRANSPORT_HANDSHAKE_H_

#include <string>
#include <utility>
#include <vector>

#include "transport/transport.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// A task that wants to send tensors to another.
struct HandshakeRequest {
  PeerIdentity peer;
  std::string to;                       // the task it means
  std::vector<std::string> transports;  // that it may take, the best first
};

// A transport that is not used.
struct RefusedTransport {
  std::string transport, why;
  bool rare = false;  // Transport::rare
};

struct HandshakeReply {
  std::vector<ConnectionOffer> offers;
  std::vector<RefusedTransport> refused;
};

// The transport of the tensors to a peer, and the reasons against better ones.
struct TransportChoice {
  std::string peer;
  std::string transport;                      // empty: none was found
  std::vector<RefusedTransport> passed_over;  // better ones
  std::string address = "";                   // of the peer
};

struct TaskTransports {
  std::string task;  // the one that was asked
  std::vector<TransportChoice> choices;
};

// The handshake of two tasks about transports. The HandshakeApi in this process and one behind gRPC
// look the same.
//
// Threads:  any. Replies must not block.
// Errors:   kUnavailable names task and address when it cannot be reached.
class HandshakeApi {
 public:
  virtual ~HandshakeApi() = default;
  virtual void Handshake(const HandshakeRequest& request, const CallOptions& options,
                         Reply<HandshakeReply> done) = 0;
  // The task's choice for each of its peers; those not chosen yet are chosen now.
  virtual void ListTransports(const CallOptions& options, Reply<TaskTransports> done) = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_HANDSHAKE_H_
