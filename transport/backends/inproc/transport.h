// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_INPROC_TRANSPORT_H_
#define SLUICE_TRANSPORT_BACKENDS_INPROC_TRANSPORT_H_

#include <memory>

#include "transport/poll/poll_loop.h"
#include "transport/protocol/stream_sender.h"
#include "transport/transport.h"

namespace sluice::transport {

struct InprocTransportOptions {
  StreamIdentity self;
  std::shared_ptr<PollLoop> loop = nullptr;  // delivers what arrives; no other task uses it
};

// Tensors travel by reference between servers of one process. There is no credit, because an
// announced tensor would lie in the same memory as a delivered one.
std::unique_ptr<Transport> CreateInprocTransport(const InprocTransportOptions& options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_INPROC_TRANSPORT_H_
