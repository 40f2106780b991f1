// SPDX-License-Identifier: Apache-2.0
#include "tests/worker_service/mesh.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/hash/hash.h"

namespace sluice::worker {
namespace {

uint64_t HashOf(const Tensor& message) {
  return absl::HashOf(std::string_view(static_cast<const char*>(message.raw()), message.bytes()));
}

}  // namespace

class Mesh::Member final : public Exchange {
 public:
  Member(Mesh& mesh, int rank) : Exchange(rank, mesh.hosts_), mesh_(mesh) {}

  absl::StatusOr<Tensor> Allocate(int /*to*/, DType dtype, int64_t elements) override {
    return Tensor(dtype, Shape{elements});
  }
  std::optional<Tensor> AllocateForMany(int /*to*/, DType dtype, int64_t elements) override {
    return Tensor(dtype, Shape{elements});
  }
  absl::Status Send(int to, uint32_t number, Tensor message) override {
    return mesh_.Send(rank(), to, number, std::move(message));
  }
  void SetTarget(int from, uint32_t number, Tensor target) override {
    mesh_.SetTarget({rank(), from, number}, std::move(target));
  }
  void Receive(int from, uint32_t number, DType dtype, int64_t elements, Received done) override {
    mesh_.Receive(rank(), from, number, {dtype, elements, std::move(done)});
  }

 private:
  Mesh& mesh_;
};

Mesh::Mesh(std::vector<int> hosts, uint64_t seed, int threads)
    : hosts_(std::move(hosts)), seed_(seed), threads_(threads) {}
Mesh::~Mesh() = default;

std::vector<absl::Status> Mesh::Run(const std::vector<CollectiveCall>& calls, Faults faults) {
  const size_t size = hosts_.size();
  std::vector<std::unique_ptr<Member>> members;
  std::vector<absl::Status> statuses(size, Internal("a member waits for a message nobody sends"));
  for (size_t i = 0; i < size; ++i) {
    members.push_back(std::make_unique<Member>(*this, static_cast<int>(i)));
  }
  {
    absl::MutexLock lock(&mu_);
    random_.seed(seed_);
    ended_ = violation_ = absl::OkStatus();
    running_ = finished_ = 0;
    messages_ = sent_bytes_ = most_pending_ = 0;
    pending_.clear();
    faults_ = faults;
    for (size_t i = 0; i < size; ++i) {
      tasks_.push_back([this, &call = calls[i], &member = *members[i], &status = statuses[i]] {
        RunCollective(call, member).Start([this, &status](absl::Status ended) {
          absl::MutexLock in(&mu_);
          status = std::move(ended);
          // As the kernel does: one member's failure ends the group.
          if (!status.ok()) EndGroup();
          ++finished_;
        });
      });
    }
  }
  std::vector<std::thread> threads;
  for (int i = 1; i < threads_; ++i) threads.emplace_back([this] { Work(); });
  Work();
  for (std::thread& thread : threads) thread.join();

  absl::MutexLock lock(&mu_);
  const absl::Status violations = Violations();
  if (!violations.ok()) statuses.assign(size, violations);
  arrived_.clear();
  targets_.clear();
  waiting_.clear();  // the routines that wait are never resumed: a leak, of a failed test
  sent_.clear();
  return statuses;
}

// Runs tasks until none is left that could make more.
void Mesh::Work() {
  mu_.Lock();
  for (;;) {
    mu_.Await(absl::Condition(
        +[](Mesh* mesh) ABSL_NO_THREAD_SAFETY_ANALYSIS {
          return !mesh->tasks_.empty() || mesh->running_ == 0;
        },
        this));
    if (tasks_.empty()) break;
    std::swap(tasks_[random_() % tasks_.size()], tasks_.back());
    Task task = std::move(tasks_.back());
    tasks_.pop_back();
    ++running_;
    mu_.Unlock();
    task();
    task = nullptr;
    mu_.Lock();
    --running_;
  }
  mu_.Unlock();
}

absl::Status Mesh::Send(int from, int to, uint32_t number, Tensor message) {
  const Key key{to, number >= Exchange::kAnonymous ? Exchange::kAnyMember : from, number};
  absl::MutexLock lock(&mu_);
  if (messages_ == faults_.fails_at) EndGroup();
  if (!ended_.ok()) return ended_;
  ++messages_;
  most_pending_ = std::max(most_pending_, ++pending_[{to, std::get<1>(key)}]);
  sent_bytes_ += static_cast<int64_t>(message.bytes());
  if (to == from || !sent_.insert({key, {message, HashOf(message)}}).second) {
    violation_ = Internal("member ", from, " sends ", number, " to member ", to, " again");
  }
  if (message.rank() != 1) violation_ = Internal("a message of shape ", message.shape());
  tasks_.push_back(
      [this, key, message = std::move(message)]() mutable { Deliver(key, std::move(message)); });
  return absl::OkStatus();
}

void Mesh::Deliver(const Key& key, Tensor message) {
  Wait wait;
  {
    absl::MutexLock lock(&mu_);
    if (!ended_.ok()) return;
    const auto target = targets_.find(key);
    if (target != targets_.end() && random_() % 4 != 0) {
      if (target->second.shape() == message.shape()) {
        std::memcpy(target->second.raw(), message.raw(), message.bytes());
        message = target->second;
      } else {
        violation_ = Internal("a target of ", target->second.shape(), " for ", message.shape());
      }
    }
    const auto it = waiting_.find(key);
    if (it == waiting_.end()) {
      arrived_[key] = std::move(message);
      return;
    }
    wait = std::move(it->second);
    waiting_.erase(it);
    --pending_[{std::get<0>(key), std::get<1>(key)}];
    if (message.dtype() != wait.dtype || message.num_elements() != wait.elements) {
      violation_ = Internal("expected ", wait.elements, ", got ", message.num_elements());
    }
  }
  wait.done(std::move(message));
}

void Mesh::SetTarget(const Key& key, Tensor target) {
  absl::MutexLock lock(&mu_);
  if (!targets_.emplace(key, std::move(target)).second)
    violation_ = Internal("two targets for message ", std::get<2>(key));
}

void Mesh::Receive(int to, int from, uint32_t number, Wait wait) {
  const Key key{to, from, number};
  Tensor message;
  absl::Status ended;
  {
    absl::MutexLock lock(&mu_);
    ended = ended_;
    const auto it = arrived_.find(key);
    if (ended.ok() && it == arrived_.end()) {
      waiting_.emplace(key, std::move(wait));
      return;
    }
    if (ended.ok()) {
      message = std::move(it->second);
      arrived_.erase(it);
      --pending_[{to, from}];
      if (message.dtype() != wait.dtype || message.num_elements() != wait.elements) {
        violation_ = Internal("expected ", wait.elements, ", got ", message.num_elements());
      }
    }
  }
  if (!ended.ok()) return wait.done(ended);
  wait.done(std::move(message));
}

void Mesh::EndGroup() {
  if (!ended_.ok()) return;
  ended_ = MakeStatus(absl::StatusCode::kUnavailable, "the group ended");
  for (auto& [key, wait] : waiting_) {
    tasks_.push_back([done = std::move(wait.done), why = ended_]() mutable { done(why); });
  }
  waiting_.clear();
}

absl::Status Mesh::Violations() {
  if (!violation_.ok()) return violation_;
  for (const auto& [key, sent] : sent_) {
    if (HashOf(sent.message) != sent.hash) {
      return Internal("message ", std::get<2>(key), " from member ", std::get<1>(key),
                      " was written after it was sent");
    }
  }
  if (finished_ != static_cast<int>(hosts_.size())) return Internal("a member never ends");
  if (ended_.ok() && !arrived_.empty()) {
    return Internal(arrived_.size(), " messages were not received");
  }
  return absl::OkStatus();
}

}  // namespace sluice::worker
