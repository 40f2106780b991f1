// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_GRPC_STREAM_SERVER_H_
#define SLUICE_TRANSPORT_BACKENDS_GRPC_STREAM_SERVER_H_

#include <grpcpp/generic/async_generic_service.h>

#include <functional>
#include <memory>
#include <string>

#include "transport/grpc/events.h"
#include "transport/tensor_channel.h"

// Only the folders that use gRPC include this: it shows the types of gRPC.

namespace sluice::transport {

// The path a peer opens its tensor stream at.
inline constexpr char kTensorStreamMethod[] = "/sluice.TensorStream/Open";

// A stream call that has arrived. The loop calls `on_over` when the call is over
// (AsyncNotifyWhenDone, requested before the call arrived).
struct ServerStream {
  grpc::GenericServerContext context;
  grpc::GenericServerAsyncReaderWriter stream{&context};
  std::function<void()> on_over;
};

// The receiving ends of the tensor streams that peers opened to this task.
//
// Owner:    the gRPC server; Stop, and then the end of the loop's threads, come before its end.
// Threads:  any; each stream's events run on its queue's loop.
class StreamServer {
 public:
  StreamServer(std::string task, uint64_t incarnation, TensorSink* sink);
  ~StreamServer();
  // Takes the stream over: hello, tensors in, pulls and credit out. `ended` is called once, when no
  // operation of the stream is outstanding; the ServerStream must live until on_over was called too
  // (it may come before or after `ended`).
  void Accept(std::unique_ptr<ServerStream> stream, std::function<void()> ended);
  // Cancels all streams; `ended` is still called for each.
  void Stop();

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_GRPC_STREAM_SERVER_H_
