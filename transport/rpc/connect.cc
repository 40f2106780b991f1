// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/connect.h"

#include <grpcpp/completion_queue.h>

#include <utility>

#include "absl/strings/strip.h"
#include "transport/grpc/target.h"
#include "transport/rpc/groups_calls.h"
#include "transport/rpc/handshake_calls.h"
#include "transport/rpc/master_calls.h"
#include "transport/rpc/pipelines_calls.h"
#include "transport/rpc/worker_calls.h"

namespace sluice::transport {
namespace {

class GrpcCallClient final : public CallClient {
 public:
  explicit GrpcCallClient(const CallClientOptions& options)
      : options_(options),
        loop_(options.loop != nullptr ? options.loop : std::make_shared<EventLoop>()) {}

  std::unique_ptr<WorkerApi> ConnectWorker(const PeerAddress& peer) override {
    return CreateRemoteWorker(peer, TargetOf(peer), loop_->queue());
  }
  std::unique_ptr<HandshakeApi> ConnectHandshake(const PeerAddress& peer) override {
    return CreateRemoteHandshake(absl::StrCat(peer.task, " at ", peer.address), TargetOf(peer),
                                 loop_->queue());
  }
  std::unique_ptr<GroupsApi> ConnectGroups(const PeerAddress& peer) override {
    return CreateRemoteGroups(absl::StrCat(peer.task, " at ", peer.address), TargetOf(peer),
                              loop_->queue());
  }

 private:
  GrpcTarget TargetOf(const PeerAddress& peer) const {
    return TargetAt(peer.address, options_.keepalive, options_.credentials);
  }

  const CallClientOptions options_;
  const std::shared_ptr<EventLoop> loop_;
};

constexpr absl::Duration kClientKeepalive = absl::Seconds(10);

absl::StatusOr<std::string> AddressOf(const std::string& target) {
  const absl::string_view address = absl::StripPrefix(target, "grpc://");
  if (address.find(':') == absl::string_view::npos)
    return InvalidArgument("target \"", target, "\" must be grpc://host:port");
  return std::string(address);
}

}  // namespace

std::unique_ptr<CallClient> CreateCallClient(const CallClientOptions& options) {
  return std::make_unique<GrpcCallClient>(options);
}

absl::StatusOr<std::unique_ptr<MasterApi>> ConnectGrpcMaster(const std::string& target,
                                                             const Credentials& credentials) {
  SLUICE_ASSIGN(const std::string address, AddressOf(target));
  return CreateRemoteMaster(address, TargetAt(address, kClientKeepalive, credentials));
}

absl::StatusOr<std::unique_ptr<HandshakeApi>> ConnectGrpcHandshake(const std::string& target,
                                                                   const Credentials& credentials) {
  SLUICE_ASSIGN(const std::string address, AddressOf(target));
  return CreateRemoteHandshake(absl::StrCat("the task at ", address),
                               TargetAt(address, kClientKeepalive, credentials));
}

absl::StatusOr<std::unique_ptr<PipelinesApi>> ConnectGrpcPipelines(const std::string& target,
                                                                   const Credentials& credentials) {
  SLUICE_ASSIGN(const std::string address, AddressOf(target));
  return CreateRemotePipelines(absl::StrCat("the task at ", address),
                               TargetAt(address, kClientKeepalive, credentials));
}

}  // namespace sluice::transport
