#ifndef SLUICE_TRANSPORT_TCP_TCP_ROAD_H_
#define SLUICE_TRANSPORT_TCP_TCP_ROAD_H_

#include <memory>
#include <string>

#include "transport/poll/poll_loop.h"
#include "transport/road.h"
#include "transport/stream/stream_sender.h"
#include "transport/tcp/tls.h"

namespace sluice::transport {

struct TcpRoadOptions {
  StreamIdentity self;
  std::string bind_host = "127.0.0.1";  // numeric, or a name of this machine
  int connections = 1;                  // of a stream; more than one carry large tensors in turns
  std::shared_ptr<PollLoop> loop = nullptr;
  std::shared_ptr<const Tls> tls = nullptr;  // null: the bytes are sent as they are
};

// TCP without gRPC: frames and content as they are, from the tensor's memory into the tensor's
// memory. kUnavailable when no port can be had.
absl::StatusOr<std::unique_ptr<Road>> CreateTcpRoad(const TcpRoadOptions& options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_TCP_TCP_ROAD_H_
