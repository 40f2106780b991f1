// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_UNARY_CLIENT_H_
#define SLUICE_TRANSPORT_RPC_UNARY_CLIENT_H_

#include <memory>
#include <string>

#include "transport/grpc/target.h"
#include "transport/worker_api.h"

namespace grpc {
class ByteBuffer;
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

// Calls methods of one server by path.
//
// Threads:  any; answers run on the queue's loop.
// Errors:   those of the server; kUnavailable names task, address and cause if it could not be
//           reached.
class UnaryClient {
 public:
  // `who` ("/job:ps/replica:0/task:0 at localhost:2222") is for errors. The queue's loop outlives
  // this.
  UnaryClient(std::string who, GrpcTarget target, grpc::CompletionQueue* queue);
  ~UnaryClient();  // cancels outstanding calls and waits for their answers

  void Call(const std::string& path, const grpc::ByteBuffer& request, const CallOptions& options,
            Reply<grpc::ByteBuffer> done, bool wait_for_ready = false);

  struct State;  // shared with the calls in progress

 private:
  const std::shared_ptr<State> state_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_UNARY_CLIENT_H_
