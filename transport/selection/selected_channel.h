// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_SELECTION_SELECTED_CHANNEL_H_
#define SLUICE_TRANSPORT_SELECTION_SELECTED_CHANNEL_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "transport/connector.h"
#include "transport/handshake.h"

namespace sluice::transport {

// The channel to one peer, by any transport.
//
// from      when                    to        does
// unknown   first Send              asking    keeps the tensor, sends a handshake to the peer
// asking    the peer answers        chosen    connects by the best transport, sends kept tensors
// asking    it cannot be reached    unknown   drops kept tensors, tells the sink
// chosen    Send, after a break     asking    keeps the tensor, asks again
//
// RunGraph calls use only the chosen transport. While there is none, they return an error.
//
// If a transport broke before the peer ever answered on it, it is not tried for a while. A firewall
// that blocks it should not fail every step.
class SelectedChannel final : public TensorChannel {
 public:
  // Creates the channel of the best transport that the handshake offers, except those that failed
  // before, and reports the others.
  using Choose = std::function<absl::StatusOr<std::shared_ptr<TensorChannel>>(
      const PeerAddress& peer, const absl::StatusOr<HandshakeReply>& reply,
      TransportChoice* choice)>;

  // `handshake` is null if no handshake is possible. `sink` outlives this.
  SelectedChannel(HandshakeRequest request, PeerAddress peer,
                  std::unique_ptr<HandshakeApi> handshake, Choose choose, TensorSink* sink);
  ~SelectedChannel() override;

  absl::Status Send(const ParcelId& id, Parcel parcel) override;
  absl::StatusOr<Tensor> Allocate(DType dtype, const Shape& shape) override;
  std::optional<Tensor> AllocateForMany(DType dtype, const Shape& shape) override;
  void EndStep(const StepId& step) override;
  absl::Status Run(const RunGraph& request, const CallOptions& options,
                   Reply<RunGraphResult>& done) override;
  bool awaits_runs() const override;
  void GiveUp(const absl::Status& why) override;
  std::string ToString() const override;

  // Calls `done` when the transport is chosen; at once if it already is.
  void WhenChosen(Reply<TransportChoice> done);

 private:
  using Waiting = std::vector<std::pair<ParcelId, Parcel>>;
  void Ask();
  void Answered(const absl::StatusOr<HandshakeReply>& reply);
  void NotChosen(const absl::Status& status);
  bool Broke(TensorChannel* channel, const absl::Status& status);
  void Lost(TensorChannel* channel, const absl::Status& why);

  const HandshakeRequest introduction_;
  const PeerAddress peer_;
  const Choose choose_;
  TensorSink* const sink_;

  std::atomic<TensorChannel*> chosen_{nullptr};  // read on every Send without the lock
  mutable absl::Mutex mu_;
  bool asking_ ABSL_GUARDED_BY(mu_) = false, closing_ ABSL_GUARDED_BY(mu_) = false;
  Waiting waiting_ ABSL_GUARDED_BY(mu_);
  std::vector<Reply<TransportChoice>> waiters_ ABSL_GUARDED_BY(mu_);
  TransportChoice choice_ ABSL_GUARDED_BY(mu_);
  std::vector<RefusedTransport> failed_ ABSL_GUARDED_BY(mu_);
  absl::Time failed_until_ ABSL_GUARDED_BY(mu_) = absl::InfinitePast();
  // All channels so far, because a thread may still use an old one.
  std::vector<std::shared_ptr<TensorChannel>> channels_ ABSL_GUARDED_BY(mu_);
  std::unique_ptr<HandshakeApi> handshake_;  // waits for its answers in its destructor
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_SELECTION_SELECTED_CHANNEL_H_
