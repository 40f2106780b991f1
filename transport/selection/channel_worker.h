// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_SELECTION_CHANNEL_WORKER_H_
#define SLUICE_TRANSPORT_SELECTION_CHANNEL_WORKER_H_

#include <memory>

#include "core/threads/timer.h"
#include "transport/handshake.h"
#include "transport/tensor_channel.h"
#include "transport/worker_api.h"

namespace sluice::transport {

struct ChannelWorkerOptions {
  std::unique_ptr<WorkerApi> direct;              // by gRPC
  std::shared_ptr<TensorChannel> channel;         // the channel to the same task
  std::unique_ptr<HandshakeApi> handshake;        // by gRPC: liveness probes
  HandshakeRequest request;                       // without transports
  Timer* timer = nullptr;                         // outlives the worker
  absl::Duration probe_every = absl::Seconds(5);  // the time budget of an answer, too
};

// A worker whose RunGraph calls take the same transport as the tensors. All other calls go by gRPC;
// so do RunGraph calls while no transport is chosen, and traced ones.
//
// A suspended process keeps its sockets and its memory open. So while RunGraph calls are pending,
// the peer gets liveness probes by gRPC; the calls fail if it does not answer.
std::unique_ptr<WorkerApi> CreateChannelWorker(ChannelWorkerOptions options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_SELECTION_CHANNEL_WORKER_H_
