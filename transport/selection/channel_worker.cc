// SPDX-License-Identifier: Apache-2.0
#include "transport/selection/channel_worker.h"

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "transport/forwarding_worker.h"

namespace sluice::transport {
namespace {

// from      when                              to        does
// idle      a run begins                      watching  sets the timer
// watching  the timer: no run waits           idle
// watching  the timer: a run waits            asking    sends a probe
// asking    the peer answers                  watching  sets the timer
// asking    no answer comes                   watching  its runs fail
// any       Stop                              stopped   does nothing more
class LivenessProbe : public std::enable_shared_from_this<LivenessProbe> {
 public:
  // `handshake` lives until Stop.
  LivenessProbe(std::shared_ptr<TensorChannel> channel, HandshakeApi* handshake,
                HandshakeRequest request, Timer* timer, absl::Duration probe_every)
      : channel_(std::move(channel)),
        handshake_(handshake),
        introduction_(std::move(request)),
        timer_(timer),
        probe_every_(probe_every) {}

  void RunBegan() {
    absl::MutexLock lock(&mu_);
    if (!std::exchange(watching_, true)) SetTimer();
  }
  void Stop() {
    absl::MutexLock lock(&mu_);
    stopped_ = true;
  }

 private:
  void SetTimer() {
    timer_->At(absl::Now() + probe_every_, [weak = weak_from_this()] {
      if (auto self = weak.lock()) self->Look();
    });
  }
  void Look() {
    absl::MutexLock lock(&mu_);
    watching_ = !stopped_ && channel_->awaits_runs();
    if (!watching_) return;
    CallOptions options;
    options.deadline = absl::Now() + probe_every_;
    handshake_->Handshake(introduction_, options,
                          [weak = weak_from_this()](const absl::StatusOr<HandshakeReply>& reply) {
                            if (auto self = weak.lock()) self->Answered(reply.status());
                          });
  }
  void Answered(const absl::Status& status) {
    // Any answer shows that the peer lives.
    if (absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status)) channel_->GiveUp(status);
    SetTimer();
  }

  const std::shared_ptr<TensorChannel> channel_;
  HandshakeApi* const handshake_;
  const HandshakeRequest introduction_;
  Timer* const timer_;
  const absl::Duration probe_every_;
  absl::Mutex mu_;
  bool watching_ ABSL_GUARDED_BY(mu_) = false, stopped_ ABSL_GUARDED_BY(mu_) = false;
};

class ChannelWorker final : public ForwardingWorker {
 public:
  explicit ChannelWorker(ChannelWorkerOptions options)
      : direct_(std::move(options.direct)),
        channel_(std::move(options.channel)),
        handshake_(std::move(options.handshake)),
        probe_(std::make_shared<LivenessProbe>(channel_, handshake_.get(),
                                               std::move(options.request), options.timer,
                                               options.probe_every)) {}
  ~ChannelWorker() override { probe_->Stop(); }

  void Run(RunGraph request, const CallOptions& options, Reply<RunGraphResult> done) override {
    if (!request.trace && channel_->Run(request, options, done).ok()) return probe_->RunBegan();
    direct_->Run(std::move(request), options, std::move(done));
  }

 private:
  absl::StatusOr<WorkerApi*> To() const override { return direct_.get(); }

  const std::unique_ptr<WorkerApi> direct_;
  const std::shared_ptr<TensorChannel> channel_;
  const std::unique_ptr<HandshakeApi> handshake_;  // waits for its answers in its destructor
  const std::shared_ptr<LivenessProbe> probe_;
};

}  // namespace

std::unique_ptr<WorkerApi> CreateChannelWorker(ChannelWorkerOptions options) {
  return std::make_unique<ChannelWorker>(std::move(options));
}

}  // namespace sluice::transport
