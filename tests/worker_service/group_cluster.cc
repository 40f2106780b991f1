// SPDX-License-Identifier: Apache-2.0
#include "tests/worker_service/group_cluster.h"

#include <utility>

#include "kernels/cpu/collective/reductions.h"

namespace sluice::worker {

class GroupCluster::Sink final : public transport::TensorSink {
 public:
  absl::StatusOr<Tensor> Prepare(const transport::ParcelId& id, DType dtype,
                                 const Shape& shape) override {
    return groups->Prepare(id, dtype, shape);
  }
  void Deliver(const std::string& peer, const transport::ParcelId& id, Parcel parcel) override {
    groups->Deliver(peer, id, std::move(parcel));
  }
  void Announce(const std::string& peer, const transport::ParcelId& id) override {
    groups->Announce(*peers->Find(peer), id);
  }
  void Broken(const std::string& peer, const absl::Status& status) override {
    groups->Broken(*peers->Find(peer), status);
  }

  Groups* groups = nullptr;
  Peers* peers = nullptr;
};

class GroupCluster::Connector final : public transport::Connector {
 public:
  Connector(GroupCluster* cluster, int task)
      : cluster_(cluster), wire_(cluster->wire_.ConnectorOf(NameOf(task))) {}
  void Attach(transport::TensorSink* sink) override { wire_->Attach(sink); }
  absl::StatusOr<std::unique_ptr<transport::WorkerApi>> ConnectWorker(
      const transport::PeerAddress& peer) override {
    return wire_->ConnectWorker(peer);
  }
  absl::StatusOr<std::shared_ptr<transport::TensorChannel>> ConnectChannel(
      const transport::PeerAddress& peer) override {
    return wire_->ConnectChannel(peer);
  }
  std::unique_ptr<transport::GroupsApi> ConnectGroups(const transport::PeerAddress& peer) override {
    for (int task = 0; task < cluster_->size_; ++task) {
      if (NameOf(task) == peer.task) return std::make_unique<Calls>(cluster_, task);
    }
    return nullptr;
  }

 private:
  class Calls final : public transport::GroupsApi {
   public:
    Calls(GroupCluster* cluster, int task) : cluster_(cluster), task_(task) {}
    void Join(const transport::JoinGroup& request, const transport::CallOptions& options,
              transport::Reply<transport::GroupRoster> done) override {
      if (dead()) return done(Gone());
      cluster_->groups(task_).Join(request, options, std::move(done));
    }
    void End(const transport::EndGroup& request, const transport::CallOptions& options,
             transport::Ack done) override {
      if (dead()) return done(Gone());
      cluster_->groups(task_).End(request, options, std::move(done));
    }
    void Probe(const transport::ProbeGroup& request, const transport::CallOptions& options,
               transport::Reply<transport::GroupState> done) override {
      if (dead()) return done(Gone());
      cluster_->groups(task_).Probe(request, options, std::move(done));
    }

   private:
    bool dead() const { return cluster_->tasks_[static_cast<size_t>(task_)]->dead; }
    absl::Status Gone() const {
      return Unavailable(NameOf(task_), cluster_->tasks_[static_cast<size_t>(task_)]->why_dead);
    }
    GroupCluster* const cluster_;
    const int task_;
  };

  GroupCluster* const cluster_;
  const std::unique_ptr<transport::Connector> wire_;
};

GroupCluster::GroupCluster(int tasks, absl::Duration leader_wait)
    : size_(tasks), leader_wait_(leader_wait) {
  for (int task = 0; task < tasks; ++task) {
    tasks_.push_back(std::make_unique<Task>());
    Start(task);
  }
}

void GroupCluster::Start(int number) {
  Task& task = *tasks_[static_cast<size_t>(number)];
  std::vector<transport::PeerAddress> peers;
  for (int peer = 0; peer < size_; ++peer) {
    if (peer != number) peers.push_back({NameOf(peer), absl::StrCat("host:", peer)});
  }
  task.dead = false;
  task.connector = std::make_unique<Connector>(this, number);
  task.sink = std::make_unique<Sink>();
  task.peers = std::make_unique<Peers>(peers, task.connector.get(), &task.sink->returns());
  Groups::Options options{NameOf(number), absl::StrCat("host:", number),
                          peers,          task.connector.get(),
                          pool_.get(),    leader_wait_};
  options.client_gone = [&task](const std::string& session) -> std::string {
    absl::MutexLock lock(&task.mu);
    return task.gone.contains(session) ? "the client of " + session + " is gone" : "";
  };
  options.client_wait = absl::ZeroDuration();
  task.groups = std::make_unique<Groups>(std::move(options), task.peers.get());
  task.device = CreateCpuDevice(absl::StrCat(NameOf(number), "/device:CPU:0"), nullptr);
  task.sink->groups = task.groups.get();
  task.sink->peers = task.peers.get();
  task.connector->Attach(task.sink.get());
}

void GroupCluster::Break(int task, int peer, const absl::Status& why) {
  groups(task).Broken(*tasks_[static_cast<size_t>(task)]->peers->Find(NameOf(peer)), why);
}

void GroupCluster::KillClient(int number, const std::string& session) {
  Task& task = *tasks_[static_cast<size_t>(number)];
  absl::MutexLock lock(&task.mu);
  task.gone.insert(session);
}

void GroupCluster::Restart(int number) {
  Task& task = *tasks_[static_cast<size_t>(number)];
  task.groups->Stop();
  task.groups.reset();
  Start(number);
}

GroupCluster::~GroupCluster() {
  for (auto& task : tasks_) task->groups->Stop();
  wire_.Drain();
  pool_.reset();
}

GroupCluster::Step::Step(GroupCluster* cluster, int task, std::string session, CollectiveUses* uses)
    : cluster_(cluster),
      task_(task),
      session_{&cluster->groups(task), cluster->pool_.get(), &cluster->timer_, std::move(session)},
      collectives_(std::make_unique<StepCollectives>(session_, uses != nullptr ? uses : &own_uses_,
                                                     &cancel_)) {}

GroupCluster::Step::~Step() {
  for (const auto& done : begun_) {
    if (!done->HasBeenNotified()) cancel_.Cancel(absl::CancelledError("the test is over"));
    done->WaitForNotificationWithTimeout(absl::Seconds(60));
  }
  End(absl::OkStatus());
}

void GroupCluster::Step::Begin(std::vector<float> values, int members, int64_t instance,
                               int64_t group) {
  CollectiveCall call;
  call.group_key = group;
  call.group_size = members;
  call.instance_key = instance;
  call.reduction = *kernels::FindReduction("Add", "Id", kFloat);
  call.input = Tensor::Vector<float>(values);
  call.output = Tensor(kFloat, call.input.shape());
  Begin(std::move(call));
}

void GroupCluster::Step::Begin(CollectiveCall call) {
  output_ = call.output;
  done_ = std::make_shared<absl::Notification>();
  begun_.push_back(done_);
  status_ = std::make_shared<absl::Status>();
  collectives_->Start(*cluster_->tasks_[static_cast<size_t>(task_)]->device, std::move(call),
                      [status = status_, done = done_](absl::Status ended) {
                        *status = std::move(ended);
                        done->Notify();
                      });
}

absl::Status GroupCluster::Step::Wait() {
  if (!done_->WaitForNotificationWithTimeout(absl::Seconds(60)))
    return Internal("the operation hangs");
  return *status_;
}

std::vector<float> GroupCluster::Step::values() const {
  const auto values = output_.flat<float>();
  return {values.begin(), values.end()};
}

void GroupCluster::Step::End(const absl::Status& status) {
  if (collectives_ == nullptr) return;
  collectives_->End(status);
  collectives_.reset();
}

}  // namespace sluice::worker
