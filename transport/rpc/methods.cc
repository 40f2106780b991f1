// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/methods.h"

#include <grpcpp/support/byte_buffer.h>

#include "transport/grpc/event_loop.h"
#include "transport/grpc/inflate.h"
#include "transport/rpc/groups_calls.h"
#include "transport/rpc/handshake_calls.h"
#include "transport/rpc/master_calls.h"
#include "transport/rpc/pipelines_calls.h"
#include "transport/rpc/worker_calls.h"

namespace sluice::transport {

Methods::Methods(MasterApi* master, WorkerApi* worker, HandshakeApi* handshake, GroupsApi* groups,
                 PipelinesApi* pipelines, RepeatedRequest repeated)
    : repeated_(std::move(repeated)) {
  const auto add = [this](std::vector<RpcMethod> methods) {
    for (RpcMethod& method : methods) methods_[method.path] = std::move(method);
  };
  add(MasterMethods(master));
  add(WorkerMethods(worker));
  if (handshake != nullptr) add(HandshakeMethods(handshake));
  if (groups != nullptr) add(GroupsMethods(groups));
  if (pipelines != nullptr) add(PipelinesMethods(pipelines));
}

void Methods::Handle(const std::string& path, const grpc::ByteBuffer& request,
                     const CallOptions& options, Reply<grpc::ByteBuffer> answer) const {
  auto it = methods_.find(path);
  if (it == methods_.end())
    return answer(Unimplemented("method ", path, " is not supported by this server"));
  if (it->second.duration == RpcDuration::kShort)
    EventLoop::StepAsideFor(request.Length());
  else
    EventLoop::StepAside();
  const absl::StatusOr<grpc::ByteBuffer> inflated = Inflate(request);
  if (!inflated.ok()) return answer(inflated.status());
  it->second.handle(*inflated, options, repeated_, std::move(answer));
}

}  // namespace sluice::transport
