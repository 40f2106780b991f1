// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_CODEC_H_
#define SLUICE_TRANSPORT_RPC_CODEC_H_

#include <string>

#include "transport/master_api.h"
#include "transport/messages.h"

namespace grpc {
class ByteBuffer;
}
namespace google::protobuf {
class Message;
}
namespace sluice::proto {
class RunOptions;
}

// Converts between wire messages and the plain structs of transport/. All data from the wire is
// checked here: INVALID_ARGUMENT, never a crash.

namespace sluice::transport {

absl::Status Parse(const grpc::ByteBuffer& bytes, google::protobuf::Message* message);
grpc::ByteBuffer Serialize(const google::protobuf::Message& message);

// Tensors do not pass through protobuf. Received bytes are copied once, from gRPC's slices into the
// tensor. Sent bytes are slices that hold the tensor.
struct RunStepCall {
  RunStepRequest request;
  bool errors_in_body = false;
  int64_t request_id = 0;
};
// UNIMPLEMENTED names an option that is refused.
absl::StatusOr<RunOptions> DecodeRunOptions(const proto::RunOptions& proto);

absl::StatusOr<RunStepCall> DecodeRunStep(const grpc::ByteBuffer& bytes);
absl::StatusOr<grpc::ByteBuffer> EncodeRunStepResult(const std::vector<std::string>& names,
                                                     const RunStepResult& result);
grpc::ByteBuffer EncodeRunStepError(const absl::Status& status);

struct RunCallableCall {
  RunCallableRequest request;
  int64_t request_id = 0;
};
absl::StatusOr<RunCallableCall> DecodeRunCallable(const grpc::ByteBuffer& bytes);
absl::StatusOr<grpc::ByteBuffer> EncodeRunCallableResult(const RunStepResult& result);

// The client's side of the same messages.
absl::StatusOr<grpc::ByteBuffer> EncodeRunStep(const RunStepRequest& request);
absl::StatusOr<RunStepResult> DecodeRunStepResult(const grpc::ByteBuffer& bytes,
                                                  const std::vector<std::string>& names);
absl::StatusOr<grpc::ByteBuffer> EncodeRunCallable(const RunCallableRequest& request);
absl::StatusOr<RunStepResult> DecodeRunCallableResult(const grpc::ByteBuffer& bytes);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_CODEC_H_
