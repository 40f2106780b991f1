#ifndef SLUICE_CORE_LOCAL_RENDEZVOUS_H_
#define SLUICE_CORE_LOCAL_RENDEZVOUS_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/synchronization/mutex.h"
#include "core/rendezvous.h"

namespace sluice {

// A LocalRendezvous joins Sends and Recvs of one process: a table with either values that nobody
// has asked for or callbacks that nobody has served. Several of one key are served in the order
// they came. `peer` is ignored.
//
// Owner:    the Step, or the rendezvous that reaches other tasks and keeps its own here.
// Threads:  any; one mutex, never held while a callback runs.
// Errors:   Send and Recv after Abort get its status; the first Abort wins. Values nobody fetched
// die with the table.
class LocalRendezvous final : public Rendezvous {
 public:
  ~LocalRendezvous() override;  // REQUIRES: nobody waits (Abort was called, or all was served)
  absl::Status Send(const EdgeKey& key, int peer, Parcel parcel) override;
  void Recv(const EdgeKey& key, int peer, Received done) override;
  void Abort(const absl::Status& status) override;

  // Takes a value that is there; false when there is none (and no callback is kept).
  bool TryRecv(const EdgeKey& key, Parcel* parcel);
  // Answers those who wait for this key with `status`: the task that would have sent it is gone.
  void FailRecv(const EdgeKey& key, const absl::Status& status);
  int64_t num_values() const;
  int64_t num_waiting() const;
  // The keys somebody waits for, at most `limit`: for errors that say what a step hangs on.
  std::vector<EdgeKey> waiting(size_t limit) const;

 private:
  // One of the two is empty.
  struct Entry {
    absl::InlinedVector<Parcel, 1> values;
    absl::InlinedVector<Received, 1> waiters;
  };

  mutable absl::Mutex mu_;
  absl::Status aborted_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<EdgeKey, Entry> table_ ABSL_GUARDED_BY(mu_);
  int64_t num_values_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t num_waiting_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace sluice

#endif  // SLUICE_CORE_LOCAL_RENDEZVOUS_H_
