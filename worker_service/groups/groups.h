// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_GROUPS_H_
#define SLUICE_WORKER_SERVICE_GROUPS_GROUPS_H_

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/runtime/device_library.h"
#include "transport/connector.h"
#include "transport/groups_api.h"
#include "transport/tensor_channel.h"
#include "worker_service/groups/group.h"
#include "worker_service/groups/leader.h"
#include "worker_service/groups/round.h"
#include "worker_service/peers/peers.h"

namespace sluice::worker {

// The groups of a task: those that it is a member of, and those that it leads.
//
// Owner:    Worker.
// Threads:  any; one mutex, never held during a call.
class Groups final : public transport::GroupsApi {
 public:
  struct Options {
    std::string task, address;
    std::vector<transport::PeerAddress> peers;
    transport::Connector* connector = nullptr;      // outlives this; null for a cluster of one
    WorkQueue* pool = nullptr;                      // inter-op; outlives this
    absl::Duration leader_wait = absl::Seconds(6);  // for a leader that has not started yet
    absl::Duration lease = absl::Seconds(60);       // how long messages wait for the own join
    // Why the client of a session is gone; empty: it is not, or nobody knows.
    std::function<std::string(const std::string& session)> client_gone = nullptr;
    absl::Duration client_wait = absl::Seconds(2);  // for a client that may connect again
    // For the memory of GPUs; outlives this; null: the task has none.
    const DeviceLibrary* library = nullptr;
  };
  Groups(Options options, Peers* peers);
  ~Groups() override { Stop(); }
  // Ends all groups and waits for the calls to other tasks. Idempotent.
  void Stop();

  // --- For the steps of this task ---

  struct MemberKey {
    std::string session, device;
    int64_t key = 0;
    bool operator==(const MemberKey&) const = default;
    template <typename H>
    friend H AbslHashValue(H h, const MemberKey& k) {
      return H::combine(std::move(h), k.session, k.device, k.key);
    }
  };
  struct GroupRank {
    std::shared_ptr<Group> group;
    int rank = 0;
  };
  struct JoinArgs {
    int size = 0;                    // of the group
    int64_t instance = 0;            // of the operation that joins
    std::string leader = "";         // the task; empty: the first by name
    int rank = -1;                   // that the program requires; -1: none
    bool fixed = false;              // see CollectiveCall::fixed_members
    const Device* device = nullptr;  // the member; outlives this
    bool use_library = false;        // the session asks for it
  };
  // `told`: after an error, the other members do not wait for this one.
  using Joined = absl::AnyInvocable<void(absl::StatusOr<GroupRank>, bool told)>;
  // Joins the group, unless the session's device is a member already. Returns a number for GiveUp;
  // 0 if `done` was called. FAILED_PRECONDITION if another open session of the device has taken the
  // membership of this one: the two would end each other's group again and again.
  uint64_t Join(const MemberKey& key, const JoinArgs& args, Joined done);
  // The caller of Join waits no longer: `done` is called with `why`, which names who is missing. If
  // no other caller of this task waits, the group that is being formed ends for all.
  void GiveUp(const MemberKey& key, uint64_t waiter, const absl::Status& why);

  // See Options.
  const DeviceLibrary* library() const { return options_.library; }

  // Begins a round: others can ask what is waited for until Finish.
  absl::Status Begin(const std::shared_ptr<Round>& round);
  void Finish(const std::shared_ptr<Round>& round);
  // Ends the incarnation everywhere.
  void EndEverywhere(const std::shared_ptr<Group>& group, const absl::Status& cause);
  // A member of this task leaves the incarnation. The others may finish the rounds that it has
  // completed, the rest fail with `cause`. `superseded`: see EndGroup.
  void Leave(const std::shared_ptr<Group>& group, int rank, const absl::Status& cause,
             bool superseded = false);
  // The session's device leaves the incarnation of which it is a member, or ends the group that is
  // being formed without it. `text` says what failed.
  void EndMember(const MemberKey& key, const std::string& leader, const std::string& text,
                 const absl::Status& failure);
  // The error of the other members when one member has failed. ABORTED makes their monitored
  // sessions run the step again. With fixed members it is UNKNOWN, unless `failure` makes the failed
  // member run its step again too.
  static absl::Status CauseOf(const std::string& text, const absl::Status& failure, bool fixed);
  // A device of this task with the task's address.
  std::string Named(const std::string& device) const {
    return absl::StrCat(device, " at ", options_.address);
  }
  // The member that the round waits for, for errors.
  std::string WaitsFor(const Round& round) const;
  // Asks that member what it does. `done` gets what WaitsFor says then, within `limit`.
  void AskWhatItDoes(const std::shared_ptr<Round>& round, absl::Duration limit,
                     absl::AnyInvocable<void(std::string waits_for)> done);

  void SessionEnded(const std::string& session);
  void StepEnded() { steps_ended_.fetch_add(1, std::memory_order_relaxed); }

  // --- For the transports: messages with kGroupEdge ---

  absl::StatusOr<Tensor> Prepare(const transport::ParcelId& id, DType dtype, const Shape& shape);
  void Deliver(const std::string& peer, const transport::ParcelId& id, Parcel parcel);
  void Announce(int peer, const transport::ParcelId& id);
  void Broken(int peer, const absl::Status& status);

  // --- transport::GroupsApi ---

  void Join(const transport::JoinGroup& request, const transport::CallOptions& options,
            transport::Reply<transport::GroupRoster> done) override;
  void End(const transport::EndGroup& request, const transport::CallOptions& options,
           transport::Ack done) override;
  void Probe(const transport::ProbeGroup& request, const transport::CallOptions& options,
             transport::Reply<transport::GroupState> done) override;

  // The groups that are being formed and the operations that have waited for a second: a line each.
  std::vector<std::string> Waiting(absl::Time now = absl::Now()) const;

  // Once a second: probes, reports and leases. Tests give the time.
  void Sweep(absl::Time now = absl::Now());

 private:
  static constexpr absl::Duration kAnswerTime = absl::Milliseconds(4500);  // of Probe and End

  struct Waiter {
    uint64_t id;
    Joined done;
  };
  // A session's device and a group key. It joins at the first use, and again after the end of the
  // incarnation.
  struct Member {
    std::shared_ptr<Group> group;  // null: it has not joined
    int rank = 0;
    int size = 0;
    int asked_rank = -1;  // see JoinArgs
    bool fixed = false;
    const Device* device = nullptr;
    bool use_library = false;
    std::string leader;
    std::string successor;                      // a session of the device that has joined after it
    std::vector<Waiter> waiters;                // not empty: it is joining
    bool retry = false;                         // the next Sweep calls the leader again
    bool closed = false;                        // its session has ended
    absl::Time alone = absl::InfiniteFuture();  // since when its client is known to be gone
    std::shared_ptr<CancelToken> joining;       // of the call to the leader
    absl::Time since, probed;                   // of the waiting
    std::string missing;                        // the leader's last answer
    std::string before;                         // why its last incarnation has ended; empty: none
  };
  struct Waited {  // a member that rounds wait for
    absl::Time probed = absl::InfinitePast();
    std::string state;  // its last answer
  };
  struct Ended {
    absl::Time when;
    absl::Status cause;
  };

  // In last_round_: the state when the member joined.
  static constexpr int64_t kJoin = std::numeric_limits<int64_t>::min();

  std::string WhereIs(const std::string& task) const;  // the task with its address
  const std::string& LeaderOr(const std::string& leader) const {
    return leader.empty() ? default_leader_ : leader;
  }
  transport::GroupsApi* ApiOf(const std::string& task);
  std::shared_ptr<Group> FindOrExpect(uint64_t incarnation);
  // Another open session of the member's device that has joined after it; empty: none.
  std::string SuccessorOf(const MemberKey& key) const;
  // The members whose place this one takes.
  std::vector<GroupRank> ReplaceOthers(const MemberKey& key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // INVALID_ARGUMENT if the operation and the member, which has joined or is joining, disagree.
  absl::Status CheckSame(const MemberKey& key, const Member& member, const JoinArgs& args) const;
  // Sets what the member says of its library, if it is a GPU.
  void OfferLibrary(const JoinArgs& args, transport::GroupMember& member) const;
  void CallLeader(const MemberKey& key, const JoinArgs& args,
                  const std::shared_ptr<CancelToken>& call);
  // Whether the leader is called again later, because it may not have started yet.
  bool RetryLater(const MemberKey& key, const std::shared_ptr<CancelToken>& call);
  void JoinAnswered(const MemberKey& key, const std::string& leader,
                    const std::shared_ptr<CancelToken>& call,
                    absl::StatusOr<transport::GroupRoster> roster);
  // The error of a join that the leader has not answered, or has refused.
  absl::Status JoinError(const MemberKey& key, const std::string& leader,
                         const absl::Status& status, const Member& member) const;
  absl::StatusOr<GroupRank> Enter(const MemberKey& key, const std::string& leader,
                                  transport::GroupRoster roster);
  void Settle(const std::shared_ptr<Group>& group, const Disagreement& differs);
  // Asks a task. `done` gets UNAVAILABLE if nothing reaches it.
  void Ask(const std::string& task, const transport::ProbeGroup& request,
           transport::Reply<transport::GroupState> done, absl::Duration limit = kAnswerTime);
  void ProbeMember(const std::shared_ptr<Group>& group, int rank, int64_t instance,
                   transport::Reply<transport::GroupState> done,
                   absl::Duration limit = kAnswerTime);
  void ProbeAnswered(const std::shared_ptr<Group>& group, int rank,
                     const absl::StatusOr<transport::GroupState>& state);
  void ProbeLeader(const MemberKey& key, const std::string& leader,
                   const std::shared_ptr<CancelToken>& call);
  void ProbeAbsent(int64_t key, const transport::GroupMember& member);
  void Remember(const Group& group);
  std::string StateOf(uint64_t incarnation, int rank, int64_t instance) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Why a member of this task takes no further step: its client is gone. OK if it is not.
  absl::Status ClientOf(const Group& group, int rank);
  void SendEnd(const std::string& task, const transport::EndGroup& end);
  void SendEnds(const Group& group, const transport::EndGroup& end);
  void EndHere(const transport::EndGroup& end);
  // Counts calls to other tasks, for Stop. False: stopping.
  bool BeginCall();
  void EndCall();

  const Options options_;
  Peers* const peers_;
  const std::string default_leader_;  // the first task by name
  const uint64_t process_;
  const std::string host_;
  const std::shared_ptr<GroupLeader> leader_;
  CancelToken stop_;
  mutable absl::Mutex mu_;
  absl::Status stopped_ ABSL_GUARDED_BY(mu_);
  int calls_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t next_waiter_ ABSL_GUARDED_BY(mu_) = 1;
  std::atomic<uint64_t> steps_ended_{0};
  absl::flat_hash_map<std::string, std::unique_ptr<transport::GroupsApi>> apis_
      ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<MemberKey, Member> members_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<uint64_t, std::shared_ptr<Group>> groups_ ABSL_GUARDED_BY(mu_);
  // Incarnations that ended here, so that late messages are dropped.
  absl::flat_hash_map<uint64_t, Ended> ended_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_set<std::shared_ptr<Round>> rounds_ ABSL_GUARDED_BY(mu_);  // in progress
  // by incarnation and rank
  absl::flat_hash_map<std::pair<uint64_t, int>, Waited> waited_ ABSL_GUARDED_BY(mu_);
  // steps_ended_ at the member's last round of an instance, by incarnation, rank and instance
  absl::flat_hash_map<std::tuple<uint64_t, int, int64_t>, uint64_t> last_round_
      ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_GROUPS_H_
