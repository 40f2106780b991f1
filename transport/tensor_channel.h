// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_TENSOR_CHANNEL_H_
#define SLUICE_TRANSPORT_TENSOR_CHANNEL_H_

#include <memory>
#include <optional>
#include <string>

#include "core/runtime/rendezvous.h"
#include "transport/return_paths.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// The bytes that a parcel takes of the credit. Both sides use the same number: the sender charges
// it, the receiver passes it to ReturnPath::Consumed.
int64_t ParcelBytes(const Parcel& parcel);

// Receives what a channel delivers. worker_service implements it.
//
// Threads:  the transport's loop; no call may block.
class TensorSink {
 public:
  virtual ~TensorSink() = default;
  // The memory to fill for a tensor that is arriving. An error (the step ended) makes the channel
  // drop the bytes.
  virtual absl::StatusOr<Tensor> Prepare(const ParcelId& id, DType dtype, const Shape& shape) = 0;
  // Memory that holds tensors of a peer, to be read in place. The channel destroys the result, if
  // any, before it unmaps the memory.
  virtual std::shared_ptr<void> Pin(void* /*memory*/, size_t /*bytes*/) { return nullptr; }
  virtual void Deliver(const std::string& peer, const ParcelId& id, Parcel parcel) = 0;
  // `peer` keeps a tensor beyond its credit. Pull it on the return path when a Recv waits for it.
  virtual void Announce(const std::string& peer, const ParcelId& id) = 0;
  // The channel to `peer` broke: every step that waits for it fails with `status`: kUnavailable,
  // or kDataLoss if bytes were changed on their way. It names task and address.
  virtual void Broken(const std::string& peer, const absl::Status& status) = 0;
  // Whether a step waits for a tensor of `peer`. Then a back end asks the peer whether it lives.
  virtual bool Awaits(const std::string& /*peer*/) const { return false; }
  // A peer runs a graph here, as WorkerApi::Run does.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the implementation keeps the request
  virtual void Run(RunGraph /*request*/, const CallOptions& /*options*/,
                   Reply<RunGraphResult> done) {
    done(Unimplemented("this task runs no graphs"));
  }

  // Whether this task is also called `name`. A session with its own cluster gives tasks other
  // names.
  virtual bool KnownAs(const std::string& /*name*/) const { return false; }

  // The streams on which peers' tensors arrive, so that back ends can answer on them.
  ReturnPaths& returns() { return returns_; }

 private:
  ReturnPaths returns_;
};

// A TensorChannel carries tensors to one peer task, and RunGraph calls for its part of a step.
//
// Owner:    Peers; outlives every Step that uses it.
// Threads:  any. Calls never block and never wait for the wire.
// Errors:   Send gives kUnavailable once the channel is broken; it is made anew on the next Send
//           after that.
//
// Push with credit: a tensor goes out the moment it is sent as long as the bytes of its step that
// the peer has not consumed stay within the credit; beyond it the tensor is announced, kept
// (referenced) here and sent when the peer pulls, or when the credit has room again.
class TensorChannel {
 public:
  virtual ~TensorChannel() = default;
  virtual absl::Status Send(const ParcelId& id, Parcel parcel) = 0;
  // Memory for a tensor of a plain dtype that will be sent here. It is the transport's own memory
  // if that saves a copy. The caller fills it, sends it once, and does not read it afterwards.
  virtual absl::StatusOr<Tensor> Allocate(DType dtype, const Shape& shape) {
    return Tensor::Allocate(CpuAllocator(), dtype, shape);
  }
  // Memory for a tensor that will be sent here and to other peers, if that saves copies. The caller
  // fills it before it sends it; it may read it.
  virtual std::optional<Tensor> AllocateForMany(DType /*dtype*/, const Shape& /*shape*/) {
    return std::nullopt;
  }
  // The step ended here. Tensors that are kept here for the peer stay until the peer pulls them or
  // ends the step too (ReturnPath::EndStep), because a producer may end long before its consumer.
  virtual void EndStep(const StepId& /*step*/) {}
  // Runs a graph at the peer without tracing, as WorkerApi::Run does. The peer checks the deadline;
  // the caller cancels by `options.cancel`. An error leaves `done` unchanged: the call may use
  // gRPC.
  virtual absl::Status Run(const RunGraph& /*request*/, const CallOptions& /*options*/,
                           Reply<RunGraphResult>& /*done*/) {
    return Unimplemented("this channel carries tensors only");
  }
  virtual bool awaits_runs() const { return false; }
  // The peer does not answer by another way: the stream to it, if any, is broken with this reason.
  virtual void GiveUp(const absl::Status& /*why*/) {}
  // Whether the peer has ever answered on it. If it broke before that, the network between the two
  // machines may block this transport.
  virtual bool was_open() const { return true; }
  virtual std::string ToString() const = 0;  // "grpc to /job:ps/replica:0/task:0 at localhost:2222"
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_TENSOR_CHANNEL_H_
