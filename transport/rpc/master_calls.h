// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_MASTER_CALLS_H_
#define SLUICE_TRANSPORT_RPC_MASTER_CALLS_H_

#include <memory>
#include <string>
#include <vector>

#include "transport/grpc/target.h"
#include "transport/master_api.h"

namespace sluice::transport {

struct RpcMethod;

// The methods of a master, which outlives them, for the server.
std::vector<RpcMethod> MasterMethods(MasterApi* master);

// A master behind gRPC, with an event loop of its own.
std::unique_ptr<MasterApi> CreateRemoteMaster(const std::string& address, GrpcTarget target);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_MASTER_CALLS_H_
