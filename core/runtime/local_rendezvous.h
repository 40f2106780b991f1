// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_LOCAL_RENDEZVOUS_H_
#define SLUICE_CORE_RUNTIME_LOCAL_RENDEZVOUS_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "core/runtime/rendezvous.h"

namespace sluice {

// A LocalRendezvous joins Sends and Recvs of one process. It is a table with values without a Recv,
// and callbacks without a value. Several entries of one key are served in order of arrival. The
// `peer` of a Recv names the task that sends the value: other tasks may announce values instead of
// sending them, and may go.
//
// Owner:    the Step, which passes on values from other tasks.
// Threads:  any; one mutex, never held while a callback or the source runs.
// Errors:   Send and Recv after Abort get its status; the first Abort wins. Unfetched values are
//           freed with the table.
class LocalRendezvous final : public Rendezvous {
 public:
  // The source of values of other tasks. Called while their Recv is pending.
  class Source {
   public:
    // A Recv needs a value that was announced.
    virtual void Pull(int peer, const EdgeKey& key) = 0;
    // A waiting Recv has received its value.
    virtual void Taken(int peer, const Parcel& parcel) = 0;

   protected:
    ~Source() = default;
  };

  explicit LocalRendezvous(Source* source = nullptr) : source_(source) {}
  ~LocalRendezvous() override;  // REQUIRES: no Recv is pending (Abort was called, or all served)
  absl::Status Send(const EdgeKey& key, int peer, Parcel parcel) override;  // `peer` is ignored
  void Recv(const EdgeKey& key, int peer, Received done) override;
  void Abort(const absl::Status& status) override;

  // A value is available for a Pull. Returns true if a Recv is already waiting; if not, a later
  // Recv pulls.
  bool Announce(const EdgeKey& key);
  // The task `peer` is gone. Present and later Recvs of its missing values get `status`. The first
  // status counts.
  void FailFrom(int peer, const absl::Status& status);
  absl::Status FailureOf(int peer) const;  // OK: the peer is not gone
  // Recvs of these keys that are pending get `status`. Later ones do not.
  void FailPending(absl::FunctionRef<bool(const EdgeKey&)> chosen, const absl::Status& status);
  // Whether a Recv of a value of `peer` is pending.
  bool AwaitsFrom(int peer) const;
  std::vector<int> awaited_peers() const;  // those of which a value is awaited, each once
  int64_t num_values() const;
  int64_t num_waiting() const;
  // At most `limit` keys with a pending Recv, for errors that name the cause of a stalled step.
  std::vector<EdgeKey> waiting(size_t limit) const;

 private:
  struct Waiter {
    int peer;
    Received done;
  };
  // At most one of the three is set.
  struct Entry {
    absl::InlinedVector<Parcel, 1> values;
    absl::InlinedVector<Waiter, 1> waiters;
    bool announced = false;
  };
  using Table = absl::flat_hash_map<EdgeKey, Entry>;

  // The state that a Recv finds: a value, a failure, an announced value to pull, or nothing yet.
  enum class Found { kValue, kFailure, kAnnounced, kNothing };
  Found Find(const EdgeKey& key, int peer, Received& done, Parcel& parcel, absl::Status& failure);
  void Hand(int peer, Received done, Parcel parcel);
  // Removes the entries whose waiters are chosen.
  std::vector<Received> TakeWaiters(
      absl::FunctionRef<bool(const EdgeKey&, const Waiter& first)> chosen)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  Source* const source_;  // null if all values are produced in this process
  mutable absl::Mutex mu_;
  absl::Status aborted_ ABSL_GUARDED_BY(mu_);
  Table table_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<int, absl::Status> gone_ ABSL_GUARDED_BY(mu_);
  int64_t num_values_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t num_waiting_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_LOCAL_RENDEZVOUS_H_
