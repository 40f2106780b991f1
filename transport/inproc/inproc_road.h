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

// Between servers of one process: tensors by reference. There is no credit: what would be announced
// lies in the same memory as what is delivered.
std::unique_ptr<Road> CreateInprocRoad(const InprocRoadOptions& options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_INPROC_INPROC_ROAD_H_
