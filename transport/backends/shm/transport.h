// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_SHM_TRANSPORT_H_
#define SLUICE_TRANSPORT_BACKENDS_SHM_TRANSPORT_H_

#include <memory>
#include <string>

#include "core/threads/thread_pool.h"
#include "transport/poll/poll_loop.h"
#include "transport/protocol/stream_sender.h"
#include "transport/transport.h"

namespace sluice::transport {

struct ShmTransportOptions {
  StreamIdentity self;
  // of contents for one peer, and of those for several; 0: a quarter of the machine's memory
  size_t limit_bytes = 0;
  std::shared_ptr<PollLoop> loop = nullptr;
  std::shared_ptr<WorkQueue> copier =
      nullptr;  // copies large contents; if null, the sending thread does
};

// Shared memory, for tasks of one user on one machine. Small tensors go through a ring. Larger ones
// are written once, and the receiver reads them in place.
absl::StatusOr<std::unique_ptr<Transport>> CreateShmTransport(const ShmTransportOptions& options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_SHM_TRANSPORT_H_
