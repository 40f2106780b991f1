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
// they came. A Recv's `peer` says which task's value it is: other tasks may announce values instead
// of sending them, and may go.
//
// Owner:    the Step, which sends here what comes from other tasks.
// Threads:  any; one mutex, never held while a callback or the source runs.
// Errors:   Send and Recv after Abort get its status; the first Abort wins. Values nobody fetched
// die with the table.
class LocalRendezvous final : public Rendezvous {
 public:
  // Where values of other tasks come from. Called while their Recv is not answered.
  class Source {
   public:
    // A value that was announced is wanted.
    virtual void Pull(int peer, const EdgeKey& key) = 0;
    // A value goes to who waited for it.
    virtual void Taken(int peer, const Parcel& parcel) = 0;

   protected:
    ~Source() = default;
  };

  explicit LocalRendezvous(Source* source = nullptr) : source_(source) {}
  ~LocalRendezvous() override;  // REQUIRES: nobody waits (Abort was called, or all was served)
  absl::Status Send(const EdgeKey& key, int peer, Parcel parcel) override;  // `peer` is ignored
  void Recv(const EdgeKey& key, int peer, Received done) override;
  void Abort(const absl::Status& status) override;

  // A value can be had for a Pull. True: it is waited for already; if not, the Recv to come pulls.
  bool Announce(const EdgeKey& key);
  // The task `peer` is gone: answers with `status` those who wait for its values, and those who
  // will for what has not come. The first status counts.
  void FailFrom(int peer, const absl::Status& status);
  absl::Status FailureOf(int peer) const;  // OK: not gone
  int64_t num_values() const;
  int64_t num_waiting() const;
  // The keys somebody waits for, at most `limit`: for errors that say what a step hangs on.
  std::vector<EdgeKey> waiting(size_t limit) const;

 private:
  struct Waiter {
    int peer;
    Received done;
  };
  // At most one of the three.
  struct Entry {
    absl::InlinedVector<Parcel, 1> values;
    absl::InlinedVector<Waiter, 1> waiters;
    bool announced = false;
  };
  using Table = absl::flat_hash_map<EdgeKey, Entry>;

  // What a Recv finds: a value, a failure, that it has to pull first, or that it waits.
  enum class Found { kValue, kFailure, kAnnounced, kNothing };
  Found Find(const EdgeKey& key, int peer, Received& done, Parcel& parcel, absl::Status& failure);
  void Hand(int peer, Received done, Parcel parcel);

  Source* const source_;  // null: all values come from here
  mutable absl::Mutex mu_;
  absl::Status aborted_ ABSL_GUARDED_BY(mu_);
  Table table_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<int, absl::Status> gone_ ABSL_GUARDED_BY(mu_);
  int64_t num_values_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t num_waiting_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace sluice

#endif  // SLUICE_CORE_LOCAL_RENDEZVOUS_H_
