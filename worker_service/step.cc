// SPDX-License-Identifier: Apache-2.0
#include "worker_service/step.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "core/tensor/variant.h"

namespace sluice::worker {
namespace {

// The error of the first object in a tensor that has no wire form; OK if there is none. Objects in
// objects count.
absl::Status CheckHasWireForm(const Tensor& tensor) {
  if (tensor.dtype() != kVariant) return absl::OkStatus();
  for (const Variant& element : tensor.flat<Variant>()) {
    if (element.empty()) continue;
    std::string metadata;
    std::vector<Tensor> nested;
    SLUICE_RETURN_IF_ERROR(element.get()->Encode(&metadata, &nested));
    for (const Tensor& inner : nested) SLUICE_RETURN_IF_ERROR(CheckHasWireForm(inner));
  }
  return absl::OkStatus();
}

}  // namespace

void Step::FollowClient(std::shared_ptr<Rendezvous> client) {
  absl::MutexLock lock(&mu_);
  client_ = std::move(client);
}

std::shared_ptr<Rendezvous> Step::ClientOf(const EdgeKey& key) {
  if ((key.edge & transport::kClientEdge) == 0) return nullptr;
  absl::MutexLock lock(&mu_);
  return client_;
}

absl::Status Step::Send(const EdgeKey& key, int peer, Parcel parcel) {
  if (auto client = ClientOf(key)) return client->Send(key, kLocal, std::move(parcel));
  if (peer == kLocal) return local_.Send(key, kLocal, std::move(parcel));
  SLUICE_RETURN_IF_ERROR(local_.FailureOf(peer));
  Use(peer);
  // A channel that is still to be opened keeps the tensor, and could fail no step later.
  SLUICE_RETURN_IF_ERROR(CheckHasWireForm(parcel.tensor));
  SLUICE_ASSIGN(transport::TensorChannel * channel, peers_->Channel(peer));
  // A snapshot is made at once, where the tensor leaves.
  SLUICE_ASSIGN(parcel.tensor, parcel.tensor.Snapshot([channel](DType dtype, const Shape& shape) {
    return channel->Allocate(dtype, shape);
  }));
  return channel->Send({id_, key}, std::move(parcel));
}

void Step::TraceTransfers() { traced_ = true; }

std::vector<Step::Transfer> Step::transfers() const {
  absl::MutexLock lock(&mu_);
  return transfers_;
}

void Step::Recv(const EdgeKey& key, int peer, Received done) {
  if (auto client = ClientOf(key)) return client->Recv(key, kLocal, std::move(done));
  if (peer != kLocal) {
    Use(peer);
    if (traced_) done = Traced(key, peer, std::move(done));
  }
  local_.Recv(key, peer, std::move(done));
}

Rendezvous::Received Step::Traced(const EdgeKey& key, int peer, Received done) {
  return [this, key, peer, start_ns = absl::GetCurrentTimeNanos(),
          done = std::move(done)](absl::StatusOr<Parcel> parcel) mutable {
    if (parcel.ok()) {
      const int64_t bytes = parcel->dead ? 0 : static_cast<int64_t>(parcel->tensor.bytes());
      absl::MutexLock lock(&mu_);
      transfers_.push_back({key, peer, bytes, start_ns, absl::GetCurrentTimeNanos()});
    }
    done(std::move(parcel));
  };
}

// The peers whose channels are told that the step has ended.
void Step::Use(int peer) {
  if (last_used_.load(std::memory_order_relaxed) == peer) return;
  absl::MutexLock lock(&mu_);
  used_.insert(peer);
  last_used_.store(peer, std::memory_order_relaxed);
}

void Step::Taken(int peer, const Parcel& parcel) { consumption_.Add(peer, parcel); }

void Step::Pull(int peer, const EdgeKey& key) {
  peers_->returns().Pull(peers_->Task(peer), {id_, key});
}

void Step::Abort(const absl::Status& status) {
  local_.Abort(status);
  std::shared_ptr<Rendezvous> client;
  {
    absl::MutexLock lock(&mu_);
    client = client_;
  }
  if (client != nullptr) client->Abort(status);
}

void Step::Arrived(const EdgeKey& key, Parcel parcel) {
  (void)local_.Send(key, kLocal, std::move(parcel));  // unused after an abort
}

void Step::Announced(int peer, const EdgeKey& key) {
  Use(peer);
  if (local_.Announce(key)) Pull(peer, key);
}

// This also fails a later Recv, because its tensor may be lost.
void Step::PeerBroken(int peer, const absl::Status& status) { local_.FailFrom(peer, status); }

std::vector<std::string> Step::AwaitedTasks() const {
  std::vector<std::string> tasks;
  for (int peer : local_.awaited_peers()) tasks.push_back(peers_->Task(peer));
  std::sort(tasks.begin(), tasks.end());
  return tasks;
}

void Step::End() {
  absl::flat_hash_set<int> used;
  {
    absl::MutexLock lock(&mu_);
    used.swap(used_);
  }
  for (int peer : used) peers_->EndStep(peer, id_);
}

}  // namespace sluice::worker
