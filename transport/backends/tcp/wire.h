// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_TCP_WIRE_H_
#define SLUICE_TRANSPORT_BACKENDS_TCP_WIRE_H_

#include <sys/uio.h>

#include <memory>

#include "absl/types/span.h"
#include "core/status.h"

namespace sluice::transport {

// The bytes of a socket that never blocks: as they are, or encrypted (tls.h).
//
// Owner:    a Connection, which keeps the socket open meanwhile.
// Threads:  one writes, one reads, at the same time.
class Wire {
 public:
  enum class Next {
    kGoOn,       // there may be more
    kAwait,      // nothing goes or comes until the socket is ready for it
    kAwaitPeer,  // of Write: nothing goes until something was read
    kEnded,      // of Read: the peer has closed
  };
  struct Progress {
    size_t bytes = 0;
    Next next = Next::kGoOn;
  };

  virtual ~Wire() = default;
  // Some of `pieces`, in order. No bytes: kAwait or kAwaitPeer.
  virtual absl::StatusOr<Progress> Write(absl::Span<const iovec> pieces) = 0;
  // Fills `places` from the first on.
  virtual absl::StatusOr<Progress> Read(absl::Span<const iovec> places) = 0;
  // Whether it has read more bytes from the socket than it has returned. Then the next Read returns
  // some, even if the socket has none.
  virtual bool holds_bytes() const = 0;
};

std::unique_ptr<Wire> CreatePlainWire(int socket);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_TCP_WIRE_H_
