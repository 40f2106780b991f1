// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/call.h"

#include <grpcpp/support/byte_buffer.h>

namespace sluice::transport {

absl::Status CheckFirst(const RepeatedRequest& repeated, int64_t id) {
  if (repeated(id)) return Aborted("request ", id, " has been seen before");
  return absl::OkStatus();
}

void EmptyAnswer::Encode(const absl::Status& status, const AnswerForm&,
                         Reply<grpc::ByteBuffer>& answer) const {
  if (status.ok())
    answer(grpc::ByteBuffer(nullptr, 0));
  else
    answer(status);
}

}  // namespace sluice::transport
