// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_TRANSPORT_H_
#define SLUICE_TRANSPORT_TRANSPORT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "transport/peer_address.h"
#include "transport/tensor_channel.h"

namespace sluice::transport {

// A peer that asks for a way to send tensors here.
struct PeerIdentity {
  std::string task;          // the peer's own name for itself
  uint64_t incarnation = 0;  // of the peer's process
  std::string host;          // the peer's HostId()
};

// A connection offer: the data that a peer needs to connect by a transport.
struct ConnectionOffer {
  std::string transport;  // "shm"
  std::string address;    // in the format of the transport
  std::string token;      // proves that the peer has the offer
};

// A Transport carries tensors between two tasks. The receiver makes a connection offer, which a
// handshake over gRPC takes to the sender, and the sender connects. Each back end is one folder of
// transport/backends/ and one row of transport/selection/transport_table.cc. Its CreateXTransport
// returns kUnavailable with the reason if this machine cannot have it.
//
// Owner:    the server; outlives its channels.
// Threads:  any. No call waits for the peer.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual absl::string_view name() const = 0;  // "tcp"
  // True if most pairs of tasks cannot have it, so that reports leave out the reason.
  virtual bool rare() const { return false; }
  // False if any peer can be reached without an offer. Such a transport ignores the offer.
  virtual bool needs_offer() const { return true; }
  // The receiver of tensors. It is set before the first offer or channel.
  virtual void Attach(TensorSink* sink) = 0;
  // Makes a connection offer. kUnavailable gives the reason if this peer cannot use the transport.
  virtual absl::StatusOr<ConnectionOffer> Offer(const PeerIdentity& peer) = 0;
  // A channel to the peer that made the offer. After a break it needs a new offer.
  virtual absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                                 const ConnectionOffer& offer) = 0;
  // After it returns, no tensor arrives. Idempotent.
  virtual void Stop() = 0;
};

// Equal for processes that can share memory and sockets of this machine: made from its boot and its
// network namespace.
const std::string& HostId();
// Processes with different names do not share memory, and groups count them as on different hosts:
// for benchmarks of groups that span hosts. REQUIRES: no task has started.
void SetHostName(const std::string& name);
// Whether a process with this HostId is on this machine, by whatever name.
bool IsThisMachine(absl::string_view host_id);
// 128 random bits as text, for tokens and for names that must not be guessed.
std::string RandomToken();

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_TRANSPORT_H_
