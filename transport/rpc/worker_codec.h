// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_WORKER_CODEC_H_
#define SLUICE_TRANSPORT_RPC_WORKER_CODEC_H_

#include "transport/messages.h"

namespace grpc {
class ByteBuffer;
}
namespace sluice::proto {
class RunGraphRequest;
class ServerDef;
}  // namespace sluice::proto

// Messages between a master and remote workers. They hold no tensors, which use the tensor streams.

namespace sluice::transport {

grpc::ByteBuffer EncodeTaskStatus(const TaskStatus& status);
absl::StatusOr<TaskStatus> DecodeTaskStatus(const grpc::ByteBuffer& bytes);

// The session's own cluster, and the receiver's name in it.
proto::ServerDef EncodeCluster(const CreateWorkerSession& request);
absl::Status DecodeCluster(const proto::ServerDef& proto, CreateWorkerSession& request);

proto::RunGraphRequest EncodeRunGraph(const RunGraph& request);
absl::StatusOr<RunGraph> DecodeRunGraph(const proto::RunGraphRequest& proto);
// The status is in the body, because gRPC would cut its message.
grpc::ByteBuffer EncodeRunGraphResult(const absl::StatusOr<RunGraphResult>& result);
absl::StatusOr<RunGraphResult> DecodeRunGraphResult(const grpc::ByteBuffer& bytes);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_WORKER_CODEC_H_
