#include "transport/inproc/inproc_road.h"

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/synchronization/mutex.h"
#include "transport/inproc/door.h"

namespace sluice::transport {
namespace {

// Names the transport of a peer's tensors. There is nothing to answer on it.
class InprocPath final : public ReturnPath {
 public:
  void Pull(const ParcelId&) override {}
  void Consumed(const StepId&, int64_t) override {}
  void EndStep(const StepId&) override {}
  void Replaced() override {}
  const std::string& road() const override { return road_; }

 private:
  const std::string road_ = "inproc";
};

// The doors of this process, by the incarnation of their servers.
//
// Threads:  any.
class Hall {
 public:
  static Hall& OfProcess() {
    static Hall hall;
    return hall;
  }
  void Add(uint64_t incarnation, std::weak_ptr<Door> door) {
    absl::MutexLock lock(&mu_);
    doors_[incarnation] = std::move(door);
  }
  void Remove(uint64_t incarnation) {
    absl::MutexLock lock(&mu_);
    doors_.erase(incarnation);
  }
  // Null: in another process, or gone.
  std::shared_ptr<Door> Find(uint64_t incarnation) const {
    absl::MutexLock lock(&mu_);
    auto it = doors_.find(incarnation);
    return it == doors_.end() ? nullptr : it->second.lock();
  }

 private:
  mutable absl::Mutex mu_;
  absl::flat_hash_map<uint64_t, std::weak_ptr<Door>> doors_ ABSL_GUARDED_BY(mu_);
};

class InprocChannel final : public TensorChannel {
 public:
  // `name`: as this task calls itself there.
  InprocChannel(std::string name, const PeerAddress& peer, std::shared_ptr<Door> door,
                PollLoop* loop, TensorSink* sink)
      : name_(std::move(name)),
        peer_(peer.task),
        door_(std::move(door)),
        path_(std::make_shared<InprocPath>()),
        sink_(sink),
        caller_(std::make_shared<Caller>(loop, peer.task, sink, [this](uint64_t call) {
          door_->CancelRun(caller_.get(), call);
        })) {}
  ~InprocChannel() override {
    caller_->HangUp();
    door_->Leave(name_, path_, caller_.get());
  }

  bool Enter() { return door_->Enter(name_, path_, caller_); }
  absl::Status Send(const ParcelId& id, Parcel parcel) override {
    return door_->Deliver(name_, id, std::move(parcel)) ? absl::OkStatus() : caller_->Gone();
  }
  // awaits_runs stays false: who is in this process need not be asked whether it lives.
  absl::Status Run(const RunGraph& request, const CallOptions& options,
                   Reply<RunGraphResult>& done) override {
    if (door_->closed()) return caller_->Gone();
    const uint64_t call = caller_->calls().Begin(options.cancel, std::move(done));
    if (!door_->Run(caller_, call, request, options.deadline))
      caller_->calls().Answered(call, caller_->Gone());
    return absl::OkStatus();
  }
  // The peer's tensors may use another transport.
  void Pull(const ParcelId& id) override { sink_->returns().Pull(peer_, id); }
  void Consumed(const StepId& step, int64_t bytes) override {
    sink_->returns().Consumed(peer_, step, bytes);
  }
  void EndStep(const StepId& step) override { sink_->returns().EndStep(peer_, step); }
  std::string ToString() const override {
    return absl::StrCat("inproc to ", peer_, " in this process");
  }

 private:
  const std::string name_, peer_;
  const std::shared_ptr<Door> door_;
  const Door::Path path_;
  TensorSink* const sink_;  // this task's; outlives this
  const std::shared_ptr<Caller> caller_;
};

class InprocRoad final : public Road {
 public:
  explicit InprocRoad(InprocRoadOptions options)
      : options_(std::move(options)), door_(std::make_shared<Door>(options_.loop.get())) {
    Hall::OfProcess().Add(options_.self.incarnation, door_);
  }
  ~InprocRoad() override { Stop(); }

  absl::string_view name() const override { return "inproc"; }
  bool rare() const override { return true; }
  void Attach(TensorSink* sink) override {
    sink_ = sink;
    door_->Open(sink);
  }
  absl::StatusOr<Invitation> Invite(const Visitor& visitor) override {
    if (Hall::OfProcess().Find(visitor.incarnation) == nullptr)
      return Unavailable(visitor.task, " is in another process");
    if (door_->closed()) return Unavailable(options_.self.task, " is stopping");
    return Invitation{"inproc", absl::StrCat(options_.self.incarnation), ""};
  }
  absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                         const Invitation& invitation) override {
    uint64_t incarnation = 0;
    if (!absl::SimpleAtoi(invitation.address, &incarnation))
      return InvalidArgument("malformed connection offer \"", invitation.address, "\"");
    auto door = Hall::OfProcess().Find(incarnation);
    if (door == nullptr) return Unavailable("task ", peer.task, " is not in this process");
    auto channel =
        std::make_unique<InprocChannel>(peer.as.empty() ? options_.self.task : peer.as, peer,
                                        std::move(door), options_.loop.get(), sink_);
    if (!channel->Enter()) return Unavailable("task ", peer.task, " in this process has stopped");
    return channel;
  }
  void Stop() override {
    Hall::OfProcess().Remove(options_.self.incarnation);
    door_->Close();
  }

 private:
  const InprocRoadOptions options_;
  const std::shared_ptr<Door> door_;
  TensorSink* sink_ = nullptr;
};

}  // namespace

std::unique_ptr<Road> CreateInprocRoad(const InprocRoadOptions& options) {
  return std::make_unique<InprocRoad>(options);
}

}  // namespace sluice::transport
