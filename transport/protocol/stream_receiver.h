// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_STREAM_RECEIVER_H_
#define SLUICE_TRANSPORT_PROTOCOL_STREAM_RECEIVER_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "core/threads/cancel.h"
#include "transport/protocol/arrivals.h"
#include "transport/protocol/stream_sender.h"

namespace sluice::transport {

// The receiving end of a tensor stream, without the transport of the bytes. A back end derives from
// it. The sink gets the peer's tensors and runs the graphs that the peer requests. This is the
// peer's return path.
//
// from      when                           to     does
// greeted   the peer's hello is right      open   answers it, becomes the peer's return path
// greeted   the hello is wrong             ended  an error: the stream ends with the reason
// open      the peer opens another stream  open   Replaced(); the sink learns that it broke
// open      Leave                          ended  tells the sink, cancels the peer's runs
//
// Owner:    the back end's listener until Leave; the sink's return paths meanwhile.
// Threads:  Greet, Begin, End, Described, FaultOf and Leave one at a time, from the reader; other
//           functions any.
class StreamReceiver : public ReturnPath, public std::enable_shared_from_this<StreamReceiver> {
 public:
  StreamReceiver(StreamIdentity self, TensorSink* sink, std::string transport)
      : self_(std::move(self)), sink_(sink), transport_(std::move(transport)) {}

  // ReturnPath
  void Pull(const ParcelId& id) override;
  void Consumed(const StepId& step, int64_t bytes) override;
  void EndStep(const StepId& step) override;
  const std::string& transport() const override { return transport_; }

 protected:
  // Called if there are new answers to write; TakeAnswers returns them. Any thread, without locks
  // of this class.
  virtual void Answer() = 0;
  // The bytes to write to the peer; empty if there are none.
  std::string TakeAnswers();

  // Handles the first frame of the stream. `address` is the sender's.
  absl::Status Greet(const Hello& hello, std::string address);
  // Handles every later frame. A back end with shared memory handles kPlaced itself.
  absl::StatusOr<Content> Begin(const StreamFrame& frame, Arrivals::Current& current);
  absl::Status End(const StreamFrame& frame, Arrivals::Current& current) {
    return arrivals_->End(frame, current);
  }
  absl::Status TakePlaced(const StreamFrame& frame, Tensor tensor);
  // The stream is over. `status` is the reason, OK if the peer ended it in order. `told`: whether
  // to report it to the sink; false if this task stops.
  void Leave(const absl::Status& status, bool told);

  // Names the stream if what came on it was changed on its way. The peer's fault names it already.
  absl::Status Described(const absl::Status& why) const;
  // In this case, the frame that tells the peer; else empty.
  std::string FaultOf(const absl::Status& why) const;

  bool greeted() const { return arrivals_.has_value(); }
  bool awaits_parts() const { return arrivals_.has_value() && arrivals_->awaits_parts(); }
  const std::string& peer() const { return peer_; }
  TensorSink* sink() const { return sink_; }
  // Calls `write` to add to the answers, unless the stream has ended.
  void Reply(absl::FunctionRef<void(std::string*)> write);

 private:
  struct StepReturn {
    int64_t consumed = 0, announced = 0;
  };  // bytes not reported yet; tensors the peer keeps
  absl::Status BeginRun(const StreamFrame& frame);
  void CancelRun(uint64_t call);
  void Ran(uint64_t call, const absl::Status& status);
  void CountKept(const StreamFrame& frame);
  void TellEnded(const StreamFrame& frame);

  const StreamIdentity self_;
  TensorSink* const sink_;
  const std::string transport_;

  // Used by the reader only.
  std::optional<Arrivals> arrivals_;  // set after the peer's hello
  std::string peer_, address_;
  bool faulted_ = false;   // the peer has ended the stream by a fault
  StepId told_;            // the last step whose end was sent to the peer
  int64_t report_at_ = 1;  // consumed bytes that are worth a message

  absl::Mutex mu_;
  bool ended_ ABSL_GUARDED_BY(mu_) = false;
  std::string answers_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<uint64_t, std::shared_ptr<CancelToken>> runs_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<StepId, StepReturn> steps_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_STREAM_RECEIVER_H_
