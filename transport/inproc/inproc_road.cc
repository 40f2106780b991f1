#include "transport/inproc/inproc_road.h"

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/strings/numbers.h"
#include "absl/synchronization/mutex.h"

namespace sluice::transport {
namespace {

// The sending end of a channel, as the far end knows it: who is told when that closes.
//
// Owner:    the channel, and whoever tells it something meanwhile.
// Threads:  any.
class Caller {
 public:
  Caller(PollLoop* loop, std::string peer, TensorSink* sink)
      : loop_(loop), peer_(std::move(peer)), sink_(sink) {}

  // Not on the loop's thread.
  static void Tell(const std::shared_ptr<Caller>& self) {
    absl::MutexLock lock(&self->mu_);
    if (self->sink_ == nullptr) return;
    self->loop_->Run([self] {
      absl::MutexLock lock(&self->mu_);
      if (self->sink_ != nullptr) self->sink_->Broken(self->peer_, self->Gone());
    });
  }
  // Nothing is told after it; loop and sink are not used any more.
  void HangUp() {
    absl::MutexLock lock(&mu_);
    sink_ = nullptr;
  }
  absl::Status Gone() const {
    return Unavailable("task ", peer_, " in this process: it has stopped");
  }

 private:
  PollLoop* const loop_;
  const std::string peer_;
  absl::Mutex mu_;  // held while the sink is told
  TensorSink* sink_ ABSL_GUARDED_BY(mu_);
};

// Names the road by which a peer's tensors come. There is nothing to answer.
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

// Where the others of this process reach a task.
//
// Owner:    its road and the channels to it share it. The road closes it before the loop goes.
// Threads:  any but the loop's; the sink is called on that, in the order of the calls here.
class Door : public std::enable_shared_from_this<Door> {
 public:
  using Path = std::shared_ptr<InprocPath>;

  explicit Door(PollLoop* loop) : loop_(loop) {}

  void Open(TensorSink* sink) {
    absl::MutexLock lock(&mu_);
    Post([self = shared_from_this(), sink] { self->sink_ = sink; });
  }
  // `from` begins to send. False: closed.
  bool Enter(const std::string& from, const Path& path, std::shared_ptr<Caller> caller);
  bool Deliver(const std::string& from, const ParcelId& id, Parcel parcel);
  void Leave(const std::string& from, const Path& path, const Caller* caller);
  // Nothing is delivered any more when it returns; idempotent.
  void Close();
  bool closed() const {
    absl::MutexLock lock(&mu_);
    return closed_;
  }

 private:
  // Done on the loop's thread. False: closed.
  bool Post(absl::AnyInvocable<void()> task) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (!closed_) loop_->Run(std::move(task));
    return !closed_;
  }

  PollLoop* const loop_;
  TensorSink* sink_ = nullptr;  // the loop's; null: not open yet, or closed
  mutable absl::Mutex mu_;
  bool closed_ ABSL_GUARDED_BY(mu_) = false, quiet_ ABSL_GUARDED_BY(mu_) = false;
  absl::flat_hash_map<const Caller*, std::shared_ptr<Caller>> callers_ ABSL_GUARDED_BY(mu_);
};

bool Door::Enter(const std::string& from, const Path& path, std::shared_ptr<Caller> caller) {
  absl::MutexLock lock(&mu_);
  const Caller* const key = caller.get();
  callers_[key] = std::move(caller);
  return Post([self = shared_from_this(), from, path] {
    if (self->sink_ == nullptr) return;
    if (const auto old = self->sink_->returns().Exchange(from, path)) old->Replaced();
  });
}

bool Door::Deliver(const std::string& from, const ParcelId& id, Parcel parcel) {
  absl::MutexLock lock(&mu_);
  return Post([self = shared_from_this(), from, id, parcel = std::move(parcel)]() mutable {
    if (self->sink_ != nullptr) self->sink_->Deliver(from, id, std::move(parcel));
  });
}

void Door::Leave(const std::string& from, const Path& path, const Caller* caller) {
  absl::MutexLock lock(&mu_);
  callers_.erase(caller);
  Post([self = shared_from_this(), from, path] {
    if (self->sink_ == nullptr || !self->sink_->returns().Remove(from, path.get())) return;
    self->sink_->Broken(from, Unavailable("task ", from, " in this process: its channel ended"));
  });
}

void Door::Close() {
  absl::flat_hash_map<const Caller*, std::shared_ptr<Caller>> callers;
  {
    absl::MutexLock lock(&mu_);
    Post([self = shared_from_this()] {
      self->sink_ = nullptr;
      absl::MutexLock lock(&self->mu_);
      self->quiet_ = true;
    });
    closed_ = true;
    callers.swap(callers_);
  }
  for (const auto& [key, caller] : callers) Caller::Tell(caller);
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(&quiet_));
}

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
        caller_(std::make_shared<Caller>(loop, peer.task, sink)) {}
  ~InprocChannel() override {
    caller_->HangUp();
    door_->Leave(name_, path_, caller_.get());
  }

  bool Enter() { return door_->Enter(name_, path_, caller_); }
  absl::Status Send(const ParcelId& id, Parcel parcel) override {
    return door_->Deliver(name_, id, std::move(parcel)) ? absl::OkStatus() : caller_->Gone();
  }
  // The peer's tensors may come by another road.
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
      return InvalidArgument("malformed invitation \"", invitation.address, "\"");
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
