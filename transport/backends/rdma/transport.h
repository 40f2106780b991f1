// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_TRANSPORT_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_TRANSPORT_H_

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "transport/admission/connection_limits.h"
#include "transport/poll/poll_loop.h"
#include "transport/protocol/stream_sender.h"
#include "transport/rdma_options.h"
#include "transport/transport.h"

namespace sluice::transport {

struct Verbs;  // verbs.h

struct RdmaTransportOptions {
  StreamIdentity self;
  std::string bind_host = "127.0.0.1";  // where handshakes are listened for
  std::shared_ptr<PollLoop> loop = nullptr;
  std::string address = "";  // "host:port" that the cluster gives this task
  bool tls = false;          // the cluster's other transports are encrypted
  RdmaSettings settings = {};
  size_t arena_bytes = 256 << 20;    // limit of the memory that is lent to one peer
  size_t staging_bytes = 256 << 20;  // limit of the memory to send from
  // A connection that does not open a stream for so long is closed.
  absl::Duration silence = absl::Seconds(10);
  ConnectionLimits limits = {};  // of the port
  const Verbs* verbs = nullptr;  // if null, the library of this machine
};

// RDMA by verbs, over InfiniBand or RoCE v2. Each stream has a queue pair, and a TCP socket for the
// handshake, which shows when the peer has ended.
//
// * Frames and small contents travel as SENDs into buffers of the receiver.
// * The receiver lends its sender an arena. The sender WRITEs a larger content there, sends
//   `placed`, and gets the place back by `release`. The receiver's tensor borrows it.
// * A content above a quarter of the arena, or for which it has no room, stays with the sender,
//   which registers its memory. `placed` then has the key (with kRdmaSource) and the address. The
//   receiver READs it, and `release` ends the registration.
// * A content whose memory cannot be registered travels in parts by SENDs.
//
// kUnavailable with the reason if this machine has no library, no device, no active port, or may
// not pin memory, and in a cluster with TLS, because verbs do not encrypt, unless
// settings.unencrypted.
absl::StatusOr<std::unique_ptr<Transport>> CreateRdmaTransport(const RdmaTransportOptions& options);

// In the segment's number of a `placed` frame: the content is at its sender, and the lower 32 bits
// are the key of its memory.
inline constexpr uint64_t kRdmaSource = uint64_t{1} << 32;

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_TRANSPORT_H_
