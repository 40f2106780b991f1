// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_HANDSHAKE_H_
#define SLUICE_TRANSPORT_HANDSHAKE_H_

#include <string>
#include <utility>
#include <vector>

#include "transport/transport.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// The request of a task that is about to send tensors to another.
struct HandshakeRequest {
  PeerIdentity peer;
  std::string to;                       // the receiver's name
  std::vector<std::string> transports;  // allowed transports, the best first
};

// A transport that is not used, and the reason.
struct RefusedTransport {
  std::string transport, why;
  bool rare = false;  // Transport::rare
};

struct HandshakeReply {
  std::vector<ConnectionOffer> offers;
  std::vector<RefusedTransport> refused;
};

// The transport of the tensors to a peer, and the reasons against better transports.
struct TransportChoice {
  std::string peer;
  std::string transport;                      // empty if there is none
  std::vector<RefusedTransport> passed_over;  // better transports
  std::string address = "";                   // of the peer
};

struct TaskTransports {
  std::string task;  // the task that was asked
  std::vector<TransportChoice> choices;
};

// The handshake of two tasks about transports. The HandshakeApi in this process and one behind gRPC
// look the same.
//
// Threads:  any. Replies must not block.
// Errors:   kUnavailable names task and address if it cannot be reached.
class HandshakeApi {
 public:
  virtual ~HandshakeApi() = default;
  virtual void Handshake(const HandshakeRequest& request, const CallOptions& options,
                         Reply<HandshakeReply> done) = 0;
  // The task's transport for each of its peers. Transports that are not chosen yet are chosen now.
  virtual void ListTransports(const CallOptions& options, Reply<TaskTransports> done) = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_HANDSHAKE_H_
