// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_GROUPS_CALLS_H_
#define SLUICE_TRANSPORT_RPC_GROUPS_CALLS_H_

#include <memory>
#include <string>
#include <vector>

#include "transport/groups_api.h"
#include "transport/grpc/target.h"

namespace grpc {
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

struct RpcMethod;

// The methods of a GroupsApi, which outlives them, for the server.
std::vector<RpcMethod> GroupsMethods(GroupsApi* groups);

// The GroupsApi of a task behind gRPC. `who` is for errors; the queue's loop outlives it.
std::unique_ptr<GroupsApi> CreateRemoteGroups(const std::string& who, GrpcTarget target,
                                              grpc::CompletionQueue* queue);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_GROUPS_CALLS_H_
