#ifndef SLUICE_TRANSPORT_CHOICE_ROAD_WORKER_H_
#define SLUICE_TRANSPORT_CHOICE_ROAD_WORKER_H_

#include <memory>

#include "core/timer.h"
#include "transport/introducer.h"
#include "transport/tensor_channel.h"
#include "transport/worker_api.h"

namespace sluice::transport {

struct RoadWorkerOptions {
  std::unique_ptr<WorkerApi> direct;            // by gRPC
  std::shared_ptr<TensorChannel> channel;       // what carries tensors there
  std::unique_ptr<Introducer> introducer;       // by gRPC: asked for a sign of life
  Introduction introduction;                    // without roads
  Timer* timer = nullptr;                       // outlives the worker
  absl::Duration ask_every = absl::Seconds(5);  // and as long an answer may take
};

// A worker whose runs of graphs go with the tensors, by whatever road these take; everything else
// goes by gRPC, and so do runs while there is no road, and traced ones.
//
// A process that stands still keeps its sockets and its memory open. So while runs wait for their
// answers the peer is asked by gRPC, now and then, whether it lives; a silent one is given up.
std::unique_ptr<WorkerApi> CreateRoadWorker(RoadWorkerOptions options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_CHOICE_ROAD_WORKER_H_
