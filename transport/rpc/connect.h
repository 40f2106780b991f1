// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_CONNECT_H_
#define SLUICE_TRANSPORT_RPC_CONNECT_H_

#include <memory>
#include <string>

#include "transport/call_client.h"
#include "transport/credentials.h"
#include "transport/grpc/event_loop.h"
#include "transport/master_api.h"
#include "transport/pipelines_api.h"

namespace sluice::transport {

struct CallClientOptions {
  std::shared_ptr<EventLoop> loop;              // the server's loop; if null, a loop of its own
  absl::Duration keepalive = absl::Seconds(5);  // a frozen peer is noticed after about twice this
  Credentials credentials = {};                 // shown to other tasks
};

// The calls of tasks, over gRPC.
std::unique_ptr<CallClient> CreateCallClient(const CallClientOptions& options);

// A master behind gRPC, for clients. `target` is "grpc://host:port" or "host:port".
absl::StatusOr<std::unique_ptr<MasterApi>> ConnectGrpcMaster(const std::string& target,
                                                             const Credentials& credentials = {});
// The handshake calls of a task, for clients that send no tensors.
absl::StatusOr<std::unique_ptr<HandshakeApi>> ConnectGrpcHandshake(
    const std::string& target, const Credentials& credentials = {});
// The list of a task's data sets.
absl::StatusOr<std::unique_ptr<PipelinesApi>> ConnectGrpcPipelines(
    const std::string& target, const Credentials& credentials = {});

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_CONNECT_H_
