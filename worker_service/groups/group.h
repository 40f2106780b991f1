// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_GROUP_H_
#define SLUICE_WORKER_SERVICE_GROUPS_GROUP_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "core/runtime/local_rendezvous.h"
#include "transport/groups_api.h"
#include "worker_service/groups/group_communicator.h"
#include "worker_service/peers/consumption.h"
#include "worker_service/peers/peers.h"

namespace sluice::worker {

// Set in EdgeKey::edge of the messages of groups. The rest of the key is:
//   edge       the instance key (48 bits)
//   frame      a hash of the position in loops (32 bits), and of the operation's description
//   iteration  the round
//   call       the ranks of sender and receiver (16 bits each), and the message's number
// A message that its receiver takes from any member has kAnyone as its sender.
// The step of the parcel is the group's incarnation, with number 0.
inline constexpr uint64_t kGroupEdge = uint64_t{1} << 60;

// One run of an operation in a group: the position is a hash of the frame and the iteration of a
// loop, 0 outside of loops. The round counts the runs of the instance by a member.
struct RoundId {
  int64_t instance = 0;
  uint32_t position = 0;
  uint64_t round = 0;
  bool operator==(const RoundId&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const RoundId& r) {
    return H::combine(std::move(h), r.instance, r.position, r.round);
  }
};

// A member and another run different operations in one round.
struct Disagreement {
  int64_t instance = 0;
  int rank = 0;   // of this task
  int other = 0;  // rank, or kAnyone
};

// One incarnation of a group, at one of its tasks. It carries the messages of all its members here.
//
// from      when                                  to        does
// expected  the roster comes                      live      messages that came before are there
// expected  no roster within the lease            ended     drops its messages
// live      a member joined again, or its         retired   no new round begins; rounds that have
//           channel broke                                   begun may finish
// live,     a member leaves                       retired   rounds that it has completed may begin
// retired                                                   and finish, the others fail
// any       End                                   ended     every pending and later call fails
//
// Owner:    Groups; rounds share it.
// Threads:  any; one mutex, and that of the rendezvous.
class Group final : private LocalRendezvous::Source {
 public:
  Group(uint64_t incarnation, Peers* peers) : incarnation_(incarnation), peers_(peers) {}

  static constexpr int kAnyone = 0xffff;

  uint64_t incarnation() const { return incarnation_; }
  absl::Time created() const { return created_; }

  // Once. INVALID_ARGUMENT if a member's task is not in this task's cluster.
  absl::Status SetRoster(int64_t key, std::vector<transport::GroupMember> members,
                         std::string leader, const std::string& own_task);
  // REQUIRES for the next: the roster is set.
  int64_t key() const { return key_; }
  const std::vector<transport::GroupMember>& members() const { return members_; }
  const std::string& leader() const { return leader_; }     // the task
  const std::vector<int>& hosts() const { return hosts_; }  // see Exchange::hosts
  std::string NameOf(
      int rank) const;  // "member 1, /job:worker/replica:0/task:1/device:CPU:0 at x:1"
  // Why the members' device memory is reduced on the host; empty: by the library that all have.
  const std::string& why_on_host() const { return why_on_host_; }
  // Logs it once, if the members are in several tasks.
  void ReportReductionsOnHost();
  // False for kAnyone.
  bool IsHere(int rank) const {
    const auto i = static_cast<size_t>(rank);
    return i < peer_of_.size() && peer_of_[i] == Rendezvous::kLocal;
  }
  bool joined() const;
  // Whether new rounds may begin.
  bool live() const;
  // Whether a round of the instance may begin after another member has left or joined again. That
  // member may have sent all that this one needs, and its messages are here or on their way.
  bool ServesLate(int rank, int64_t instance) const;

  // The number of the next round of this member.
  uint64_t NextRound(int rank, int64_t instance);
  // The step of this round has ended without an error, so the member will not run it again.
  void Complete(int rank, int64_t instance, uint64_t round);
  transport::CompletedRounds CompletedBy(int rank) const;
  // A round begins. `description` is equal on all members. Returns the first member whose messages
  // have another description, if any.
  std::optional<Disagreement> Begin(const RoundId& id, int rank, const std::string& description);
  void Finish(const RoundId& id, int rank);
  // The description of the last round of a member of this task; empty: it had none.
  std::string DescriptionOf(int rank, int64_t instance) const;
  absl::Status ErrorOf(const Disagreement& differs, const std::string& description_of_other) const;

  // Of the member here, if why_on_host() is empty.
  GroupCommunicator& communicator() { return communicator_; }

  // The messages of a round. `hash` is that of its description.
  absl::StatusOr<Tensor> Allocate(int to, DType dtype, const Shape& shape);
  std::optional<Tensor> AllocateForMany(int to, DType dtype, const Shape& shape);
  absl::Status Send(const EdgeKey& key, int to, Tensor message);
  // Until the round finishes; see Exchange.
  void SetTarget(const EdgeKey& key, Tensor target);
  // From any member if `from` is Exchange::kAnyMember.
  void Receive(const EdgeKey& key, int from, Rendezvous::Received done);
  // Ends the Receive of the key with CANCELLED, if it is pending.
  void Forget(const EdgeKey& key);
  static uint32_t HashOf(const std::string& description);
  static EdgeKey KeyOf(const RoundId& id, uint32_t hash, int from, int to, uint32_t number);

  // On the channel's loop.
  absl::StatusOr<Tensor> Prepare(const EdgeKey& key, DType dtype, const Shape& shape);
  std::optional<Disagreement> Arrived(const std::string& peer, const EdgeKey& key, Parcel parcel);
  std::optional<Disagreement> Announced(int peer, const EdgeKey& key);
  // Rounds that miss messages of the peer fail. `here` is this task with its address. False if no
  // member is there.
  bool PeerBroken(int peer, const std::string& here, const absl::Status& broken);

  // `superseded`: it is not a failure; see OwesError.
  void Retire(const absl::Status& cause, bool superseded);
  // A member leaves: the rounds that it has not completed fail. Returns whether there can be such
  // rounds that members before it have not ended; false after the end.
  bool Leave(const transport::EndGroup& end);
  // What Leave was told of this member; none: it has not left.
  std::optional<transport::EndGroup> EndOf(int rank) const;
  // Whether a member has left. If so, the rounds in progress are those that all of them completed.
  bool left() const { return left_.load(std::memory_order_relaxed); }
  // Why the round cannot be finished: a member has left without it. OK: none has.
  absl::Status LeftWithout(const RoundId& id) const;
  // Whether a member of this task has not had an error since the incarnation ended. Each member
  // gets one, so that no member is a round ahead of the others in the next incarnation. If the
  // incarnation was superseded, those that have begun no round or been replaced get none.
  bool OwesError(int rank) const;
  void ErrorGiven(int rank);
  // Only the first call has an effect: it returns true.
  bool End(const absl::Status& cause);
  absl::Status cause() const;  // of the end or the retirement; OK: live
  absl::Time retired() const;  // InfiniteFuture: it is not

 private:
  struct Expectation {
    std::optional<uint32_t> own;  // set when the round begins here
    uint32_t arrived = 0;         // of the first message that came before
    int from = -1;                // its sender; -1: none yet
    int differs = -1;             // a sender whose messages differ from the first; -1: none
    absl::flat_hash_map<uint64_t, Tensor> targets = {};  // by EdgeKey::call
  };
  static constexpr int kAnyPeer = -2;        // of a Recv from any member
  using Expected = std::pair<RoundId, int>;  // with the receiver's rank

  struct Rounds {  // of a member and an instance
    uint64_t next = 0;
    absl::InlinedVector<uint64_t, 2> open;  // have begun, and are not completed
  };

  // `peer`: the number of the sender's task, which tells its rank if the key does not.
  std::optional<Disagreement> Compare(const EdgeKey& key, int peer);
  int SenderOf(int from, int peer) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool HasLeft(int rank) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // How many rounds of the instance all leavers have completed.
  uint64_t Limit(int64_t instance) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // LocalRendezvous::Source
  void Pull(int peer, const EdgeKey& key) override;
  void Taken(int peer, const Parcel& parcel) override;
  transport::StepId step() const { return {incarnation_, 0}; }

  const uint64_t incarnation_;
  Peers* const peers_;  // outlives every group
  const absl::Time created_ = absl::Now();
  Consumption consumption_{peers_, step(), /*reported=*/64 << 10};

  // Constant after SetRoster.
  int64_t key_ = 0;
  std::string leader_;
  std::vector<transport::GroupMember> members_;
  std::vector<int> peer_of_;  // by rank; kLocal: in this task
  std::vector<int> hosts_;
  std::string why_on_host_;

  std::atomic<bool> reported_{false};  // why_on_host_
  mutable absl::Mutex mu_;
  bool joined_ ABSL_GUARDED_BY(mu_) = false;
  bool ended_ ABSL_GUARDED_BY(mu_) = false;
  absl::Status cause_ ABSL_GUARDED_BY(mu_);
  bool superseded_ ABSL_GUARDED_BY(mu_) = false;
  absl::flat_hash_set<int> given_ ABSL_GUARDED_BY(mu_);  // ranks that had an error
  absl::Time retired_ ABSL_GUARDED_BY(mu_) = absl::InfiniteFuture();
  std::atomic<bool> left_{false};  // leavers_ is not empty
  std::vector<transport::EndGroup> leavers_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<std::pair<int, int64_t>, Rounds> rounds_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<Expected, Expectation> expected_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<std::pair<int, int64_t>, std::string> descriptions_ ABSL_GUARDED_BY(mu_);

  GroupCommunicator communicator_;
  LocalRendezvous messages_{this};  // last: its callbacks use the members above
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_GROUP_H_
