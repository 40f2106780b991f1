// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_PIPELINES_CALLS_H_
#define SLUICE_TRANSPORT_RPC_PIPELINES_CALLS_H_

#include <memory>
#include <string>
#include <vector>

#include "transport/grpc/target.h"
#include "transport/pipelines_api.h"

namespace sluice::transport {

struct RpcMethod;

// The methods of a PipelinesApi, which outlives them, for the server.
std::vector<RpcMethod> PipelinesMethods(PipelinesApi* pipelines);

// The PipelinesApi of a task behind gRPC, with an event loop of its own. `who` is for errors.
std::unique_ptr<PipelinesApi> CreateRemotePipelines(const std::string& who, GrpcTarget target);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_PIPELINES_CALLS_H_
