// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_TRANSPORT_ENDPOINT_H_
#define SLUICE_TESTS_TRANSPORT_ENDPOINT_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "transport/connector.h"
#include "transport/credentials.h"
#include "transport/protocol/stream_sender.h"
#include "transport/transport.h"

namespace sluice::transport {

// A sink that behaves like a worker's steps: it stores arriving tensors, pulls announced ones when
// they are requested, and returns credit.
//
// Threads:  any.
class TestSink : public TensorSink {
 public:
  static constexpr absl::Duration kTimeout = absl::Seconds(60);
  // The state of a tensor.
  enum Stage { kAnnounced, kBegun, kDelivered };

  absl::StatusOr<Tensor> Prepare(const ParcelId& id, DType dtype, const Shape& shape) override {
    absl::MutexLock lock(&mu_);
    reached_[kBegun] = true;
    if (ended_.contains(id.step)) return Aborted("step ", id.step, " has ended");
    return Tensor::Allocate(CpuAllocator(), dtype, shape);
  }
  std::shared_ptr<void> Pin(void* memory, size_t) override {
    ++*pinned_;
    return std::shared_ptr<void>(memory, [pinned = pinned_](void*) { --*pinned; });
  }
  using Count = std::shared_ptr<const std::atomic<int>>;
  Count pinned() const { return pinned_; }  // what is pinned now; tensors may outlive the sink
  void Deliver(const std::string&, const ParcelId& id, Parcel parcel) override {
    absl::MutexLock lock(&mu_);
    reached_[kDelivered] = true;
    if (ended_.contains(id.step)) {
      ++dropped_;
      return;
    }
    held_ += ParcelBytes(parcel);
    most_held_ = std::max(most_held_, held_);
    arrived_[id] = std::move(parcel);
    announced_.erase(id);
  }
  void Announce(const std::string& peer, const ParcelId& id) override {
    {
      absl::MutexLock lock(&mu_);
      reached_[kAnnounced] = true;
      ++announcements_;
      if (ended_.contains(id.step)) return;
      if (!wanted_.contains(id)) {
        announced_.insert(id);
        return;
      }
    }
    returns().Pull(peer, id);
  }
  void Broken(const std::string& peer, const absl::Status& status) override {
    absl::MutexLock lock(&mu_);
    broken_.emplace_back(peer, status);
  }

  void Run(RunGraph request, const CallOptions& options, Reply<RunGraphResult> done) override {
    absl::MutexLock lock(&run_mu_);
    if (on_run_) return on_run_(std::move(request), options, std::move(done));
    TensorSink::Run(std::move(request), options, std::move(done));
  }
  using OnRun = std::function<void(RunGraph, const CallOptions&, Reply<RunGraphResult>)>;
  // Sets the function that handles a peer's run request. When this returns, the previous function
  // is not called any more.
  void set_on_run(OnRun on_run) {
    absl::MutexLock lock(&run_mu_);
    on_run_ = std::move(on_run);
  }

  // The return path to a peer; set before any tensor is sent.
  void set_channel(std::function<TensorChannel*(const std::string&)> channel) {
    channel_ = std::move(channel);
  }

  // Requests the parcel; Take waits for it.
  void Want(const std::string& peer, const ParcelId& id) {
    {
      absl::MutexLock lock(&mu_);
      wanted_.insert(id);
      if (announced_.erase(id) == 0) return;
    }
    returns().Pull(peer, id);
  }
  absl::StatusOr<Parcel> Take(const std::string& peer, const ParcelId& id,
                              absl::Duration time_budget = kTimeout) {
    Want(peer, id);
    Parcel parcel;
    {
      absl::MutexLock lock(&mu_);
      auto here = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return arrived_.contains(id); };
      if (!mu_.AwaitWithTimeout(absl::Condition(&here), time_budget))
        return DeadlineExceeded("nothing came from ", peer);
      parcel = std::move(arrived_[id]);
      arrived_.erase(id);
      wanted_.erase(id);
      held_ -= ParcelBytes(parcel);
    }
    returns().Consumed(peer, id.step, ParcelBytes(parcel));
    return parcel;
  }
  void EndStep(const std::string& peer, const StepId& step) {
    {
      absl::MutexLock lock(&mu_);
      ended_.insert(step);
      absl::erase_if(arrived_, [&](const auto& item) { return item.first.step == step; });
      absl::erase_if(announced_, [&](const ParcelId& id) { return id.step == step; });
    }
    returns().EndStep(peer, step);
    channel_(peer)->EndStep(step);
  }
  // Waits for a reported break that no call has returned yet.
  absl::StatusOr<std::pair<std::string, absl::Status>> NextBroken() {
    absl::MutexLock lock(&mu_);
    auto told = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return broken_.size() > broken_seen_; };
    if (!mu_.AwaitWithTimeout(absl::Condition(&told), kTimeout))
      return DeadlineExceeded("nothing broke");
    return broken_[broken_seen_++];
  }
  // Waits until any tensor has reached this state.
  bool AwaitStage(Stage stage) {
    absl::MutexLock lock(&mu_);
    return mu_.AwaitWithTimeout(absl::Condition(&reached_[stage]), kTimeout);
  }
  int64_t most_held() const {
    absl::MutexLock lock(&mu_);
    return most_held_;
  }
  size_t broken_count() const {
    absl::MutexLock lock(&mu_);
    return broken_.size();
  }
  int announcements() const {
    absl::MutexLock lock(&mu_);
    return announcements_;
  }
  size_t arrived() const {
    absl::MutexLock lock(&mu_);
    return arrived_.size();
  }

 private:
  const std::shared_ptr<std::atomic<int>> pinned_ = std::make_shared<std::atomic<int>>(0);
  std::function<TensorChannel*(const std::string&)> channel_;
  absl::Mutex run_mu_;  // held while a run is requested
  OnRun on_run_ ABSL_GUARDED_BY(run_mu_);
  mutable absl::Mutex mu_;
  absl::flat_hash_map<ParcelId, Parcel> arrived_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_set<ParcelId> announced_ ABSL_GUARDED_BY(mu_), wanted_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_set<StepId> ended_ ABSL_GUARDED_BY(mu_);
  std::vector<std::pair<std::string, absl::Status>> broken_ ABSL_GUARDED_BY(mu_);
  size_t broken_seen_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t held_ ABSL_GUARDED_BY(mu_) = 0, most_held_ ABSL_GUARDED_BY(mu_) = 0;
  bool reached_[3] ABSL_GUARDED_BY(mu_) = {};
  int dropped_ ABSL_GUARDED_BY(mu_) = 0, announcements_ ABSL_GUARDED_BY(mu_) = 0;
};

// Two tasks in one process, joined by one back end.
class Pair {
 public:
  static constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";
  virtual ~Pair() = default;
  virtual TestSink& a() = 0;
  virtual TestSink& b() = 0;
  virtual TensorChannel& a_to_b() = 0;
  virtual TensorChannel& b_to_a() = 0;
  virtual void KillB() = 0;
  virtual void StartB() = 0;
};

// One task's end of a transport.
using MakeTransport =
    std::function<absl::StatusOr<std::unique_ptr<Transport>>(const StreamIdentity& self)>;

std::unique_ptr<Pair> CreateTransportPair(MakeTransport make, int64_t credit);
std::unique_ptr<Pair> CreateGrpcPair(int64_t credit, const Credentials& credentials = {});
// By a name of the table of transports, or of a variant: "grpc_by_tls", "tcp_of_four"
// (connections), "tcp_by_tls", "shm_that_is_short", "rdma_that_is_short", "switchboard" (the test double).
std::unique_ptr<Pair> CreatePair(const std::string& name, int64_t credit);
// The names of the table of transports, and these.
std::vector<std::string> TransportsWith(std::vector<std::string> variants);

// A tensor of equal bytes.
Tensor Filled(int64_t bytes, uint8_t value);
bool IsFilled(const Tensor& tensor, int64_t bytes, uint8_t value);

}  // namespace sluice::transport

#endif  // SLUICE_TESTS_TRANSPORT_ENDPOINT_H_
