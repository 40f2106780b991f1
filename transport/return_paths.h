// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RETURN_PATHS_H_
#define SLUICE_TRANSPORT_RETURN_PATHS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/runtime/rendezvous.h"
#include "transport/messages.h"

namespace sluice::transport {

struct ParcelId {
  StepId step;
  EdgeKey key;
  bool operator==(const ParcelId&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const ParcelId& p) {
    return H::combine(std::move(h), p.step, p.key);
  }
};

// A ReturnPath leads back to a peer, on the stream by which the peer's tensors arrive. So a task
// that only receives opens no stream of its own, and credit ends with its stream.
//
// Threads:  any; calls never block. After the stream ended they do nothing.
class ReturnPath {
 public:
  virtual ~ReturnPath() = default;
  // Asks the peer for a tensor that it announced.
  virtual void Pull(const ParcelId& id) = 0;
  // Reports to the peer that `bytes` of the step's tensors were consumed here. This restores
  // credit.
  virtual void Consumed(const StepId& step, int64_t bytes) = 0;
  // The step ended here: the peer may drop the tensors that it keeps for this task.
  virtual void EndStep(const StepId& step) = 0;
  // The peer has opened another stream, which replaces this one.
  virtual void Replaced() = 0;
  virtual const std::string& transport() const = 0;  // "grpc"
};

// The return path to each peer that has a stream to this task; the newest stream of a peer counts.
//
// Owner:    the TensorSink.
// Threads:  any.
class ReturnPaths {
 public:
  using Path = std::shared_ptr<ReturnPath>;
  // Returns the previous path, or null.
  Path Exchange(const std::string& peer, Path path) {
    absl::MutexLock lock(&mu_);
    std::swap(paths_[peer], path);
    return path;
  }
  Path Find(const std::string& peer) const {
    absl::ReaderMutexLock lock(&mu_);
    auto it = paths_.find(peer);
    return it == paths_.end() ? nullptr : it->second;
  }
  // The functions of ReturnPath, on the peer's path if it has one.
  void Pull(const std::string& peer, const ParcelId& id) const {
    if (const Path path = Find(peer); path != nullptr) path->Pull(id);
  }
  void Consumed(const std::string& peer, const StepId& step, int64_t bytes) const {
    if (const Path path = Find(peer); path != nullptr) path->Consumed(step, bytes);
  }
  void EndStep(const std::string& peer, const StepId& step) const {
    if (const Path path = Find(peer); path != nullptr) path->EndStep(step);
  }
  // False if another path has replaced it.
  bool Remove(const std::string& peer, const ReturnPath* path) {
    Path dropped;  // destroyed outside the lock
    absl::MutexLock lock(&mu_);
    auto it = paths_.find(peer);
    if (it == paths_.end() || it->second.get() != path) return false;
    dropped = std::move(it->second);
    paths_.erase(it);
    return true;
  }

 private:
  mutable absl::Mutex mu_;
  absl::flat_hash_map<std::string, Path> paths_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RETURN_PATHS_H_
