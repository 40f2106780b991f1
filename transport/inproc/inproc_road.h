#ifndef SLUICE_TRANSPORT_INPROC_INPROC_ROAD_H_
#define SLUICE_TRANSPORT_INPROC_INPROC_ROAD_H_

#include <memory>

#include "transport/poll/poll_loop.h"
#include "transport/road.h"
#include "transport/stream/stream_sender.h"

namespace sluice::transport {

struct InprocRoadOptions {
  StreamIdentity self;
  std::shared_ptr<PollLoop> loop = nullptr;  // delivers what comes; no other task's
};

// Tensors travel by reference between servers of one process. There is no credit, because an
// announced tensor would lie in the same memory as a delivered one.
std::unique_ptr<Road> CreateInprocRoad(const InprocRoadOptions& options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_INPROC_INPROC_ROAD_H_
