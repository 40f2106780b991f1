#include "transport/choice/road_worker.h"

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"

namespace sluice::transport {
namespace {

// from      when                              to        does
// idle      a run begins                      watching  sets the timer
// watching  the timer: no run waits           idle
// watching  the timer: a run waits            asking    asks for a sign of life
// asking    the peer answers                  watching  sets the timer
// asking    it does not, or cannot be reached watching  gives it up: its runs fail
// any       Stop                              stopped   does nothing more
class Vigil : public std::enable_shared_from_this<Vigil> {
 public:
  // `introducer` lives until Stop.
  Vigil(std::shared_ptr<TensorChannel> channel, Introducer* introducer, Introduction introduction,
        Timer* timer, absl::Duration ask_every)
      : channel_(std::move(channel)),
        introducer_(introducer),
        introduction_(std::move(introduction)),
        timer_(timer),
        ask_every_(ask_every) {}

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
    timer_->At(absl::Now() + ask_every_, [weak = weak_from_this()] {
      if (auto self = weak.lock()) self->Look();
    });
  }
  void Look() {
    absl::MutexLock lock(&mu_);
    watching_ = !stopped_ && channel_->awaits_runs();
    if (!watching_) return;
    CallOptions options;
    options.deadline = absl::Now() + ask_every_;
    introducer_->Introduce(introduction_, options,
                           [weak = weak_from_this()](const absl::StatusOr<Welcome>& welcome) {
                             if (auto self = weak.lock()) self->Answered(welcome.status());
                           });
  }
  void Answered(const absl::Status& status) {
    // Any answer is a sign of life.
    if (absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status)) channel_->GiveUp(status);
    SetTimer();
  }

  const std::shared_ptr<TensorChannel> channel_;
  Introducer* const introducer_;
  const Introduction introduction_;
  Timer* const timer_;
  const absl::Duration ask_every_;
  absl::Mutex mu_;
  bool watching_ ABSL_GUARDED_BY(mu_) = false, stopped_ ABSL_GUARDED_BY(mu_) = false;
};

class RoadWorker final : public WorkerApi {
 public:
  explicit RoadWorker(RoadWorkerOptions options)
      : direct_(std::move(options.direct)),
        channel_(std::move(options.channel)),
        introducer_(std::move(options.introducer)),
        vigil_(std::make_shared<Vigil>(channel_, introducer_.get(), std::move(options.introduction),
                                       options.timer, options.ask_every)) {}
  ~RoadWorker() override { vigil_->Stop(); }

  void Run(RunGraph request, const CallOptions& options, Reply<RunGraphResult> done) override {
    if (!request.trace && channel_->Run(request, options, done).ok()) return vigil_->RunBegan();
    direct_->Run(std::move(request), options, std::move(done));
  }

  void GetStatus(const CallOptions& options, Reply<TaskStatus> done) override {
    direct_->GetStatus(options, std::move(done));
  }
  void CreateSession(const CreateWorkerSession& request, const CallOptions& options,
                     Ack done) override {
    direct_->CreateSession(request, options, std::move(done));
  }
  void DeleteSession(const std::string& session, const CallOptions& options, Ack done) override {
    direct_->DeleteSession(session, options, std::move(done));
  }
  void Register(const RegisterGraph& request, const CallOptions& options,
                Reply<uint64_t> done) override {
    direct_->Register(request, options, std::move(done));
  }
  void Deregister(const std::string& session, uint64_t graph, const CallOptions& options,
                  Ack done) override {
    direct_->Deregister(session, graph, options, std::move(done));
  }
  void ClearContainers(const std::vector<std::string>& containers, const CallOptions& options,
                       Ack done) override {
    direct_->ClearContainers(containers, options, std::move(done));
  }

 private:
  const std::unique_ptr<WorkerApi> direct_;
  const std::shared_ptr<TensorChannel> channel_;
  const std::unique_ptr<Introducer> introducer_;  // waits for its answers before it goes
  const std::shared_ptr<Vigil> vigil_;
};

}  // namespace

std::unique_ptr<WorkerApi> CreateRoadWorker(RoadWorkerOptions options) {
  return std::make_unique<RoadWorker>(std::move(options));
}

}  // namespace sluice::transport
