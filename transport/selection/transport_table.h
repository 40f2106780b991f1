// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_SELECTION_TRANSPORT_TABLE_H_
#define SLUICE_TRANSPORT_SELECTION_TRANSPORT_TABLE_H_

#include <memory>
#include <string>

#include "absl/types/span.h"
#include "transport/admission/connection_limits.h"
#include "transport/credentials.h"
#include "transport/grpc/event_loop.h"
#include "transport/poll/poll_loop.h"
#include "transport/protocol/stream_sender.h"
#include "transport/rdma_options.h"
#include "transport/transport.h"

namespace sluice::transport {

// The parts of a task that its transports have in common.
struct TransportContext {
  StreamIdentity self;
  std::string bind_host = "";    // empty: loopback
  std::string address = "";      // "host:port" that the cluster gives this task
  int connections = 0;           // TCP connections to each peer; 0: the default
  Credentials credentials = {};  // TLS, and the cluster's token
  ConnectionLimits limits = {};  // of each port
  RdmaSettings rdma = {};
  std::shared_ptr<PollLoop> poll = nullptr;     // serves all transports but gRPC
  std::shared_ptr<EventLoop> events = nullptr;  // serves gRPC
};

struct TransportRow {
  const char* name;     // "shm"
  const char* summary;  // for help texts: how bytes travel, and between which tasks
  bool one_process;     // only between servers of one process
  bool polls;           // its receiver is TransportContext::poll, which may poll before it sleeps
  // kUnavailable if this machine cannot have it.
  absl::StatusOr<std::unique_ptr<Transport>> (*create)(const TransportContext& context);
};

// All transports, in order of preference.
absl::Span<const TransportRow> AllTransports();

bool Has(const TransportNames& names, absl::string_view name);

// "auto": every transport, the best first. "shm,grpc": only these, in this order. "-shm": all
// except this. INVALID_ARGUMENT names an unknown transport.
absl::StatusOr<TransportNames> ParseTransports(const std::string& text);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_SELECTION_TRANSPORT_TABLE_H_
