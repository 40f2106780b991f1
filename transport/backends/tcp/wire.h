// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_TCP_WIRE_H_
#define SLUICE_TRANSPORT_BACKENDS_TCP_WIRE_H_

#include <sys/uio.h>

#include <memory>

#include "absl/types/span.h"
#include "core/status.h"

namespace sluice::transport {

// The bytes of a socket that never blocks: plain, or encrypted (tls.h).
//
// Owner:    a Connection, which keeps the socket open meanwhile.
// Threads:  one writes, one reads, at the same time.
class Wire {
 public:
  enum class Next {
    kGoOn,       // there may be more
    kAwait,      // blocked until the socket is ready
    kAwaitPeer,  // of Write: blocked until something was read
    kEnded,      // of Read: the peer has closed
  };
  struct Progress {
    size_t bytes = 0;
    Next next = Next::kGoOn;
  };

  virtual ~Wire() = default;
  // Writes some of `pieces`, in order. If no bytes: kAwait or kAwaitPeer.
  virtual absl::StatusOr<Progress> Write(absl::Span<const iovec> pieces) = 0;
  // Fills `places` in order.
  virtual absl::StatusOr<Progress> Read(absl::Span<const iovec> places) = 0;
  // Whether it has read more bytes from the socket than it has returned. Then the next Read returns
  // some, even if the socket has none.
  virtual bool holds_bytes() const = 0;
};

std::unique_ptr<Wire> CreatePlainWire(int socket);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_TCP_WIRE_H_
