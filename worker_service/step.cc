#include "worker_service/step.h"

#include "absl/time/clock.h"

namespace sluice::worker {

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
  {
    absl::MutexLock lock(&mu_);
    if (auto it = broken_.find(peer); it != broken_.end()) return it->second;
    used_.insert(peer);
  }
  SLUICE_ASSIGN(transport::TensorChannel * channel, peers_->Channel(peer));
  // A copy is made at once where the tensor leaves from.
  SLUICE_ASSIGN(parcel.tensor, parcel.tensor.Snapshot([channel](DType dtype, const Shape& shape) {
    return channel->Allocate(dtype, shape);
  }));
  return channel->Send({id_, key}, std::move(parcel));
}

void Step::TraceTransfers() {
  absl::MutexLock lock(&mu_);
  traced_ = true;
}

std::vector<Step::Transfer> Step::transfers() const {
  absl::MutexLock lock(&mu_);
  return transfers_;
}

void Step::Recv(const EdgeKey& key, int peer, Received done) {
  if (auto client = ClientOf(key)) return client->Recv(key, kLocal, std::move(done));
  if (peer == kLocal) return local_.Recv(key, kLocal, std::move(done));
  absl::Status broken;
  bool pull = false;
  int64_t start_ns = 0;
  {
    absl::MutexLock lock(&mu_);
    if (traced_) start_ns = absl::GetCurrentTimeNanos();
    used_.insert(peer);
    if (auto it = broken_.find(peer); it != broken_.end()) {
      broken = it->second;
    } else {
      waiting_[key] = peer;
      pull = announced_.erase(key) > 0;
    }
  }
  if (!broken.ok()) {
    Parcel parcel;  // what arrived before the channel broke is still good
    if (local_.TryRecv(key, &parcel))
      done(std::move(parcel));
    else
      done(broken);
    return;
  }
  if (pull) Pull(peer, key);
  local_.Recv(
      key, kLocal,
      [this, key, peer, start_ns, done = std::move(done)](absl::StatusOr<Parcel> parcel) mutable {
        {
          absl::MutexLock lock(&mu_);
          waiting_.erase(key);
          if (start_ns != 0 && parcel.ok()) {
            const int64_t bytes = parcel->dead ? 0 : static_cast<int64_t>(parcel->tensor.bytes());
            transfers_.push_back({key, peer, bytes, start_ns, absl::GetCurrentTimeNanos()});
          }
        }
        if (parcel.ok()) Consume(peer, *parcel);
        done(std::move(parcel));
      });
}

void Step::Consume(int peer, const Parcel& parcel) {
  auto channel =
      peers_->Channel(peer);  // of a peer that only sends to us, this may be the first need of it
  if (channel.ok()) (*channel)->Consumed(id_, transport::ParcelBytes(parcel));
}

void Step::Pull(int peer, const EdgeKey& key) {
  auto channel = peers_->Channel(peer);
  if (channel.ok())
    (*channel)->Pull({id_, key});
  else
    PeerBroken(peer, channel.status());
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
  {
    absl::MutexLock lock(&mu_);
    announced_.erase(key);  // it came before it was pulled
  }
  (void)local_.Send(key, kLocal, std::move(parcel));  // after an abort nobody wants it
}

void Step::Announced(int peer, const EdgeKey& key) {
  {
    absl::MutexLock lock(&mu_);
    used_.insert(peer);
    if (!waiting_.contains(key)) {
      announced_[key] = peer;
      return;
    }
  }
  Pull(peer, key);
}

void Step::PeerBroken(int peer, const absl::Status& status) {
  std::vector<EdgeKey> keys;
  {
    absl::MutexLock lock(&mu_);
    broken_.emplace(peer,
                    status);  // also for a Recv to come: its tensor may have been lost on the way
    for (const auto& [key, from] : waiting_) {
      if (from == peer) keys.push_back(key);
    }
  }
  for (const EdgeKey& key : keys) local_.FailRecv(key, status);
}

void Step::End() {
  absl::flat_hash_set<int> used;
  {
    absl::MutexLock lock(&mu_);
    used.swap(used_);
    announced_.clear();
  }
  for (int peer : used) {
    if (auto channel = peers_->Channel(peer); channel.ok()) (*channel)->EndStep(id_);
  }
}

}  // namespace sluice::worker
