// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_METHODS_H_
#define SLUICE_TRANSPORT_RPC_METHODS_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "transport/groups_api.h"
#include "transport/handshake.h"
#include "transport/master_api.h"
#include "transport/pipelines_api.h"
#include "transport/rpc/call.h"
#include "transport/worker_api.h"

namespace grpc {
class ByteBuffer;
}

namespace sluice::transport {

// The unary calls a task answers, by path: decode, call the master or the worker, encode.
//
// Threads:  any.
class Methods {
 public:
  // The arguments outlive it. `handshake`, `groups` or `pipelines` null: this task does not answer
  // these calls.
  Methods(MasterApi* master, WorkerApi* worker, HandshakeApi* handshake, GroupsApi* groups,
          PipelinesApi* pipelines, RepeatedRequest repeated);
  // UNIMPLEMENTED names an unknown path.
  void Handle(const std::string& path, const grpc::ByteBuffer& request, const CallOptions& options,
              Reply<grpc::ByteBuffer> answer) const;

 private:
  const RepeatedRequest repeated_;
  absl::flat_hash_map<std::string, RpcMethod> methods_;  // constant after construction
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_METHODS_H_
