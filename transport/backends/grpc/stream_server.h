// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_GRPC_STREAM_SERVER_H_
#define SLUICE_TRANSPORT_BACKENDS_GRPC_STREAM_SERVER_H_

#include <grpcpp/generic/async_generic_service.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "transport/grpc/events.h"
#include "transport/tensor_channel.h"

// Only folders that use gRPC include this header, because it uses gRPC's types.

namespace sluice::transport {

// The path at which a peer opens its tensor stream.
inline constexpr char kTensorStreamMethod[] = "/sluice.TensorStream/Open";

// A stream call that has arrived. The loop calls `on_over` when the call is over
// (AsyncNotifyWhenDone, requested before the call arrived).
struct ServerStream {
  grpc::GenericServerContext context;
  grpc::GenericServerAsyncReaderWriter stream{&context};
  std::function<void()> on_over;
};

// The receiving ends of the tensor streams that peers opened to this task. If a peer answers
// nothing on its stream for `silence` while a step waits for its tensors, the stream ends.
//
// Owner:    the gRPC server. Stop is called, and the loop's threads end, before it is destroyed.
// Threads:  any; each stream's events run on its queue's loop.
class StreamServer {
 public:
  // `queue` is used until Stop.
  StreamServer(std::string task, uint64_t incarnation, TensorSink* sink,
               grpc::CompletionQueue* queue, absl::Duration silence);
  ~StreamServer();
  // Takes the stream over: it reads the hello and tensors, and writes pulls and credit. `ended` is
  // called once, when no operation of the stream is outstanding. The ServerStream must live until
  // on_over was called too, before or after `ended`.
  void Accept(std::unique_ptr<ServerStream> stream, std::function<void()> ended);
  // Cancels all streams; `ended` is still called for each.
  void Stop();

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_GRPC_STREAM_SERVER_H_
