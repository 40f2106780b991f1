#ifndef SLUICE_TRANSPORT_ROAD_H_
#define SLUICE_TRANSPORT_ROAD_H_

#include <memory>
#include <string>

#include "transport/tensor_channel.h"
#include "transport/transport.h"

namespace sluice::transport {

// A peer that asks how it may send tensors here.
struct Visitor {
  std::string task;          // as it calls itself here
  uint64_t incarnation = 0;  // of its process
  std::string host;          // HostId() there
};

// What a peer must know to come by a road.
struct Invitation {
  std::string road;     // "shm"
  std::string address;  // what the road makes of it
  std::string token;    // proves that the visitor was invited
};

// A Road carries tensors between two tasks beside gRPC, by which they are introduced: the receiver
// invites, the sender connects. One back end a folder, made by a CreateXRoad; kUnavailable with the
// reason where this machine cannot have it.
//
// Owner:    the server; outlives its channels.
// Threads:  any. No call waits for the peer.
class Road {
 public:
  virtual ~Road() = default;
  virtual absl::string_view name() const = 0;  // "tcp"
  // Most pairs of tasks cannot have it: nobody asks why they do not.
  virtual bool rare() const { return false; }
  // Where tensors are delivered; before the first invitation or channel.
  virtual void Attach(TensorSink* sink) = 0;
  // kUnavailable says why this visitor cannot come by this road.
  virtual absl::StatusOr<Invitation> Invite(const Visitor& visitor) = 0;
  // A channel to the peer that gave the invitation. When it breaks, a new invitation is needed.
  virtual absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                                 const Invitation& invitation) = 0;
  // No tensor arrives any more when it returns; idempotent.
  virtual void Stop() = 0;
};

// The same for processes that can share memory and sockets of this machine: its boot and network
// namespace.
const std::string& HostId();
// 128 random bits as text: tokens, names that nobody guesses.
std::string RandomToken();

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ROAD_H_
