// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_LEADER_H_
#define SLUICE_WORKER_SERVICE_GROUPS_LEADER_H_

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "transport/groups_api.h"

namespace sluice::worker {

// A GroupLeader gathers the members of groups. Each group key is in one of these states:
//
// from      when                             to        does
// (none)    a member joins                   forming   keeps its request, unless it owes the member
//                                                      an error (see below)
// forming   a member joins with another size (none)    INVALID_ARGUMENT for all: a failure
//           or the rank of another
// (none),   a member's step fails before     (none)    if the failure is a new one, answers all;
// forming   it joined                                  else stays
// forming   a member gives up                forming   removes it; (none) if it was the last
// forming   MemberGone                       (none)    answers all
// forming   the last member joins            complete  draws the incarnation, answers all
// complete  a member joins again, or its     forming,  ends the incarnation as superseded
//           step fails before it joined      (none)
// complete  End of this incarnation, or      (none)    passes it on to all members
//           of a member that gave up
//
// Each member has one error for each failure: its own step that fails, or the answer to its next
// request. So members that go on after errors stay at the same step, although some have failed
// several steps before others begin the first of them. Failures are forgotten when the group is
// complete, or after 10 s.
//
// Owner:    Groups.
// Threads:  any; one mutex.
class GroupLeader : public std::enable_shared_from_this<GroupLeader> {
 public:
  // Sends the end of an incarnation to a member's task. Must not block.
  using PassOn = std::function<void(const std::string& task, const transport::EndGroup&)>;
  // `tasks` are those of the cluster, for reports of who is missing.
  GroupLeader(std::vector<std::string> tasks, PassOn pass_on)
      : tasks_(std::move(tasks)), pass_on_(std::move(pass_on)) {}

  void Join(const transport::JoinGroup& request, const transport::CallOptions& options,
            transport::Reply<transport::GroupRoster> done);
  // With incarnation 0, it ends the group that is being formed, and a complete one whose member gave
  // up before it had the answer. If a step has failed, see the table above.
  void End(const transport::EndGroup& request);
  // Ends the group that is being formed: `why` names a member that is gone.
  void MemberGone(int64_t key, const absl::Status& why);
  // The members that have joined, and those that are missing. Empty if no group is being formed.
  std::string Missing(int64_t key) const;
  // What Missing says of each group that is being formed.
  std::vector<std::string> Forming() const;
  // Members of the incarnation before that have not joined again while others wait for them. If
  // their tasks are gone, the caller calls MemberGone.
  std::vector<std::pair<int64_t, transport::GroupMember>> Absent(absl::Time now);
  // Once a minute for each group that is being formed. Returns the lines to log.
  std::vector<std::string> Reports(absl::Time now);
  // Ends all requests.
  void Stop(const absl::Status& why);

 private:
  struct Request {
    uint64_t id = 0;
    transport::JoinGroup join;
    transport::Reply<transport::GroupRoster> done;
    CancelToken* cancel = nullptr;
    int64_t cancel_id = 0;
  };
  // Why steps of members would wait in vain.
  struct Failure {
    absl::Status why;
    absl::Time when;
    absl::flat_hash_set<std::string> told;  // devices that have had an error of it
  };
  struct Entry {  // of a group key
    std::vector<std::unique_ptr<Request>> forming;
    absl::Time reported;                         // when `forming` was last reported, or began
    absl::Time probed = absl::InfinitePast();    // when Absent reported it
    transport::GroupRoster complete;             // incarnation 0: none
    std::vector<transport::GroupMember> before;  // of the incarnation that has ended
    std::string why;                             // it has ended
    std::deque<Failure> failures;                // that some members may not know, in their order
  };
  // Requests to answer, and members to tell, after the lock is released.
  struct Answers {
    std::vector<std::unique_ptr<Request>> requests;
    absl::StatusOr<transport::GroupRoster> roster;
    transport::GroupRoster ended;
    transport::EndGroup end;
  };

  void Add(std::unique_ptr<Request> request, Answers& answers) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // True if the request is answered, because it disagrees with the others.
  static bool Disagrees(Entry& group, std::unique_ptr<Request>& request, Answers& answers);
  // The first failure of which the device has had no error; null: none.
  static Failure* FirstUntold(Entry& group, const std::string& device);
  // True if the request is answered with a failure.
  static bool Refuses(Entry& group, std::unique_ptr<Request>& request, Answers& answers);
  static void AddFailure(Entry& group, const absl::Status& why,
                         const std::vector<std::unique_ptr<Request>>& answered);
  // A step of the device has failed before the device joined.
  void StepFailed(Entry& group, const transport::EndGroup& request, Answers& answers)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Answers all requests with `why`.
  void EndForming(Entry& group, const absl::Status& why, Answers& answers)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Ends the incarnation, because a member of it has begun anew.
  static void Supersede(int64_t key, Entry& group, const absl::Status& why, Answers& answers);
  void Remove(int64_t key, uint64_t id, const absl::Status& why);
  std::string MissingOf(const Entry& group) const;
  void Send(Answers answers);

  const std::vector<std::string> tasks_;
  const PassOn pass_on_;
  mutable absl::Mutex mu_;
  absl::Status stopped_ ABSL_GUARDED_BY(mu_);
  uint64_t next_id_ ABSL_GUARDED_BY(mu_) = 1;
  absl::flat_hash_map<int64_t, Entry> groups_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_LEADER_H_
