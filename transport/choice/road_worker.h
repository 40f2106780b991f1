#ifndef SLUICE_TRANSPORT_CHOICE_ROAD_WORKER_H_
#define SLUICE_TRANSPORT_CHOICE_ROAD_WORKER_H_

#include <memory>

#include "core/threads/timer.h"
#include "transport/introducer.h"
#include "transport/tensor_channel.h"
#include "transport/worker_api.h"

namespace sluice::transport {

struct RoadWorkerOptions {
  std::unique_ptr<WorkerApi> direct;            // by gRPC
  std::shared_ptr<TensorChannel> channel;       // what carries tensors there
  std::unique_ptr<Introducer> introducer;       // by gRPC: liveness probes
  Introduction introduction;                    // without transports
  Timer* timer = nullptr;                       // outlives the worker
  absl::Duration ask_every = absl::Seconds(5);  // and as long an answer may take
};

// A worker whose RunGraph calls take the same transport as the tensors. All other calls go by gRPC;
// so do RunGraph calls while no transport is chosen, and traced ones.
//
// A suspended process keeps its sockets and its memory open. So while RunGraph calls are pending,
// the peer gets liveness probes by gRPC; the calls fail if it does not answer.
std::unique_ptr<WorkerApi> CreateRoadWorker(RoadWorkerOptions options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_CHOICE_ROAD_WORKER_H_
