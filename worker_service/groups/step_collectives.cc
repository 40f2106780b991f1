// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/step_collectives.h"

#include <utility>

#include "absl/time/clock.h"
#include "core/stable_hash.h"
#include "worker_service/groups/agreement.h"
#include "worker_service/groups/algorithms.h"
#include "worker_service/groups/device_reduction.h"

namespace sluice::worker {
namespace {

// 0 outside of loops.
uint32_t PositionOf(const CollectiveCall& call) {
  if (call.frame == 0 && call.iteration == 0) return 0;
  const uint64_t hash = StableHash(absl::StrCat(call.frame, ":", call.iteration));
  return static_cast<uint32_t>(hash ^ hash >> 32) | 1;
}

absl::Status CheckKeys(const CollectiveCall& call) {
  // Keys of TensorFlow are int32. Group::KeyOf has 48 bits for them.
  constexpr int64_t kLimit = int64_t{1} << 47;
  if (call.instance_key < -kLimit || call.instance_key >= kLimit)
    return InvalidArgument("an instance key must have 48 bits, got ", call.instance_key);
  if (call.group_size < 1 || call.group_size > 0xffff)
    return InvalidArgument("a group has 1 to 65535 members, not ", call.group_size);
  return CheckHint(call.op, call.hint);
}

// What the step gets. Members that disagree end with INVALID_ARGUMENT, as TensorFlow's operations
// do. The programs that fix the members are Horovod's, which expect FAILED_PRECONDITION.
absl::Status ErrorOfStep(const absl::Status& status, bool fixed_members) {
  const bool disagree = fixed_members && absl::IsInvalidArgument(status);
  return disagree ? FailedPrecondition(status.message()) : status;
}

// The round outlives the routine.
Routine RunRound(Round& round) {
  if (NeedsAgreement(round)) SLUICE_CO_RETURN_IF_ERROR(co_await Agree(round));
  co_return co_await RunCollective(round.call(), round);
}

}  // namespace

// One operation of the step, until `done`.
//
// from      when                        to        does
// parked    others have begun           joining   joins the group
// parked    cancelled, timed out        ended
// joining   the group is complete       running   starts the algorithm
// joining   cancelled, timed out        ended     gives up the join
// running   the algorithm ends          ended
// running   cancelled, timed out        running   ends the group, which ends the algorithm
//
// Owner:    its callbacks.
// Threads:  any; one mutex.
class StepCollectives::Operation : public std::enable_shared_from_this<Operation> {
 public:
  Operation(StepCollectives* step, Device& device, Groups::MemberKey key, CollectiveCall call,
            Done done)
      : step_(step),
        device_(device),
        groups_(step->session_.groups),
        key_(std::move(key)),
        call_(std::move(call)),
        done_(std::move(done)) {}

  void Start() {
    const auto self = shared_from_this();
    const auto stop = [self](const absl::Status& why) {
      self->Stop(why, absl::IsDeadlineExceeded(why) ? kAskAtDeadline : absl::ZeroDuration());
    };
    cancel_id_ = step_->cancel_->Register(stop);
    if (cancel_id_ == 0) return Finish(step_->cancel_->status(), /*told=*/false);
    if (call_.timeout > absl::ZeroDuration()) {
      const absl::Duration timeout = call_.timeout;
      const int64_t timer = session().timer->At(absl::Now() + timeout, [self, timeout] {
        self->Stop(DeadlineExceeded("the operation took longer than its timeout of ",
                                    absl::FormatDuration(timeout)),
                   kAskInTime);
      });
      absl::MutexLock lock(&mu_);
      timer_ = timer;
    }
    if (!call_.wait_for.empty()) {
      {
        absl::MutexLock lock(&mu_);
        parked_ = true;
      }
      const absl::StatusOr<bool> waits = step_->MustWait(self);
      if (!waits.ok()) return Finish(waits.status(), /*told=*/false);
      if (*waits) return;
      absl::MutexLock lock(&mu_);
      if (!std::exchange(parked_, false)) return;  // it was stopped
    }
    Join();
  }

  // The operations that it waits for have begun.
  void Resume() {
    {
      absl::MutexLock lock(&mu_);
      if (!std::exchange(parked_, false)) return;
    }
    Join();
  }

  CollectiveUse use() const { return {key_.device, key_.key, call_.instance_key}; }
  const std::vector<int64_t>& wait_for() const { return call_.wait_for; }

 private:
  // How long the member that is waited for may take to say what it does.
  static constexpr absl::Duration kAskInTime = absl::Milliseconds(200);
  static constexpr absl::Duration kAskAtDeadline = absl::Milliseconds(10);  // the step's

  const SessionGroups& session() const { return step_->session_; }

  void Join() {
    const auto self = shared_from_this();
    const uint64_t waiter =
        groups_->Join(key_,
                      {call_.group_size, call_.instance_key, session().leader, call_.rank,
                       call_.fixed_members, &device_, session().use_library},
                      [self](const absl::StatusOr<Groups::GroupRank>& joined, bool told) {
                        self->Joined(joined, told);
                      });
    absl::Status stopped;
    {
      absl::MutexLock lock(&mu_);
      waiter_ = waiter;
      stopped = stopped_;
    }
    if (!stopped.ok() && waiter != 0) groups_->GiveUp(key_, waiter, stopped);
  }

  void Joined(const absl::StatusOr<Groups::GroupRank>& joined, bool told) {
    if (!joined.ok()) return Finish(joined.status(), told);
    Group& group = *joined->group;
    const int rank = joined->rank;
    const uint32_t position = PositionOf(call_);
    const auto number = step_->RoundOf(joined->group, rank, call_.instance_key, position);
    if (!number.ok()) {
      group.ErrorGiven(rank);
      groups_->EndEverywhere(joined->group, number.status());
      return Finish(number.status());
    }
    const RoundId id = {call_.instance_key, position, *number};
    const auto round = std::make_shared<Round>(joined->group, rank, id, call_, session().pool);
    absl::Status stopped;
    {
      absl::MutexLock lock(&mu_);
      round_ = round;
      group_ = joined->group;
      stopped = stopped_;
    }
    if (!stopped.ok()) return Finish(stopped);
    if (absl::Status begun = groups_->Begin(round); !begun.ok()) return Finish(begun);
    step_->Begun(use());
    Routine routine = call_.set_output != nullptr
                          ? ReduceDeviceMemory(device_, groups_->library(), *session().pool, *round)
                          : RunRound(*round);
    std::move(routine).Start(
        [self = shared_from_this(), round](const absl::Status& status) { self->Finish(status); });
  }

  // The step is cancelled, or the operation has taken too long. The member that it waits for may
  // say within `ask` what it does.
  void Stop(const absl::Status& why, absl::Duration ask) {
    uint64_t waiter = 0;
    std::shared_ptr<Round> round;
    bool parked = false;
    {
      absl::MutexLock lock(&mu_);
      if (ended_ || !stopped_.ok()) return;
      stopped_ = why;
      waiter = waiter_;
      round = round_;
      parked = std::exchange(parked_, false);
    }
    if (parked) {
      return Finish(Annotate(why, Cat("instance ", call_.instance_key, " of group ", key_.key,
                                      " waits, by its wait_for, for an operation that has not"
                                      " begun")),
                    /*told=*/false);
    }
    if (round == nullptr) {
      if (waiter != 0) groups_->GiveUp(key_, waiter, why);
      return;
    }
    if (ask == absl::ZeroDuration()) {
      const std::string waits_for = groups_->WaitsFor(*round);
      return groups_->Leave(group_, round->rank(), CauseOf(*round, why, waits_for));
    }
    groups_->AskWhatItDoes(round, ask, [self = shared_from_this(), why](std::string waits_for) {
      self->EndGroup(why, std::move(waits_for));
    });
  }

  void EndGroup(const absl::Status& why, std::string waits_for) {
    std::shared_ptr<Round> round;
    {
      absl::MutexLock lock(&mu_);
      if (ended_) return;
      waits_for_ = waits_for;
      round = round_;
    }
    groups_->EndEverywhere(group_, CauseOf(*round, why, waits_for));
  }

  // The cause of the end, for the other members.
  absl::Status CauseOf(const Round& round, const absl::Status& status,
                       const std::string& waits_for) const {
    if (absl::IsInvalidArgument(status)) return status;
    return Groups::CauseOf(
        Cat(group_->NameOf(round.rank()), " ended group ", group_->key(), ": its ",
            round.description(), " (instance ", call_.instance_key, ") failed",
            waits_for.empty() ? "" : " ", waits_for, ": ", status.message()),
        status, call_.fixed_members);
  }

  // `told`: after an error, the other members do not wait for this one.
  void Finish(absl::Status status, bool told = true) {
    std::shared_ptr<Round> round;
    std::string waits_for;
    int64_t timer = 0;
    {
      absl::MutexLock lock(&mu_);
      if (ended_) return;
      ended_ = true;
      round = round_;
      timer = timer_;
      waits_for = waits_for_;
      // Another member ended the group before: its error says more than this step's time limit.
      if (!status.ok() && !stopped_.ok() && round != nullptr && status != stopped_)
        status = waits_for.empty() ? Annotate(stopped_, status.message()) : stopped_;
    }
    // What it waited for when it failed.
    if (!status.ok() && waits_for.empty() && round != nullptr && !absl::IsInvalidArgument(status))
      waits_for = groups_->WaitsFor(*round);
    if (cancel_id_ != 0) step_->cancel_->Deregister(cancel_id_);
    if (timer != 0) session().timer->Forget(timer);
    if (!status.ok() && told) step_->Failed(key_, status);
    if (round != nullptr) {
      groups_->Finish(round);
      if (!status.ok()) {
        group_->ErrorGiven(round->rank());
        const absl::Status cause = CauseOf(*round, status, waits_for);
        if (group_->left() || absl::IsInvalidArgument(status))
          groups_->Leave(group_, round->rank(), cause);
        else
          groups_->EndEverywhere(group_, cause);
        status = Annotate(status, Cat(round->description(), ", instance ", call_.instance_key,
                                      " of group ", call_.group_key, ", round ", round->id().round,
                                      waits_for.empty() ? "" : ", ", waits_for));
      }
    }
    if (status.ok())
      step_->Completed(key_, call_.instance_key);
    else
      step_->Begun(use());  // those that wait for it fail like it
    // The step may end within `done`.
    std::exchange(done_, Done())(ErrorOfStep(status, call_.fixed_members));
  }

  StepCollectives* const step_;  // lives until `done` is called; Stop may still run then
  Device& device_;               // outlives the step
  Groups* const groups_;
  const Groups::MemberKey key_;
  const CollectiveCall call_;
  Done done_;              // used once, by the thread that sets ended_
  int64_t cancel_id_ = 0;  // set by Start, before the operation can end
  absl::Mutex mu_;
  bool ended_ ABSL_GUARDED_BY(mu_) = false;
  absl::Status stopped_ ABSL_GUARDED_BY(mu_);
  bool parked_ ABSL_GUARDED_BY(mu_) = false;  // see wait_for
  uint64_t waiter_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t timer_ ABSL_GUARDED_BY(mu_) = 0;
  std::string waits_for_ ABSL_GUARDED_BY(mu_);
  std::shared_ptr<Group> group_;  // with round_, set before the round begins
  std::shared_ptr<Round> round_ ABSL_GUARDED_BY(mu_);
};

void StepCollectives::Start(Device& device, CollectiveCall call, Done done) {
  if (!session_.refused.empty()) return done(Unimplemented(session_.refused));
  if (absl::Status status = CheckKeys(call); !status.ok()) return done(std::move(status));
  // The messages refer to the input, which a reference variable may share.
  if (call.input.valid() && call.set_output == nullptr) {
    absl::StatusOr<Tensor> fixed = call.input.Snapshot();
    if (!fixed.ok()) return done(fixed.status());
    call.input = *std::move(fixed);
  }
  Groups::MemberKey key = {session_.session, device.name(), call.group_key};
  if (const absl::Status failed = FailureIn(key); !failed.ok())
    return done(ErrorOfStep(failed, call.fixed_members));
  std::make_shared<Operation>(this, device, std::move(key), std::move(call), std::move(done))
      ->Start();
}

absl::StatusOr<bool> StepCollectives::MustWait(const std::shared_ptr<Operation>& operation) {
  const CollectiveUse use = operation->use();
  const absl::flat_hash_set<CollectiveUse> in_graph = uses_->all();
  absl::MutexLock lock(&mu_);
  WaitingOperation waiting{use, {}, operation};
  for (const int64_t instance : operation->wait_for()) {
    const CollectiveUse other = {use.device, use.group, instance};
    if (other == use || (in_graph.contains(other) && !begun_.contains(other)))
      waiting.missing.push_back(other);
  }
  if (waiting.missing.empty()) return false;
  std::vector<CollectiveUse> open = waiting.missing;
  absl::flat_hash_set<CollectiveUse> seen;
  while (!open.empty()) {
    const CollectiveUse next = open.back();
    open.pop_back();
    if (next == use) {
      return InvalidArgument("instance ", use.instance, " of group ", use.group,
                             " waits for itself, by the wait_for of its operation and others");
    }
    if (!seen.insert(next).second) continue;
    for (const WaitingOperation& other : waiting_) {
      if (other.use == next) open.insert(open.end(), other.missing.begin(), other.missing.end());
    }
  }
  waiting_.push_back(std::move(waiting));
  return true;
}

void StepCollectives::Begun(const CollectiveUse& use) {
  std::vector<std::shared_ptr<Operation>> resumed;
  {
    absl::MutexLock lock(&mu_);
    if (!begun_.insert(use).second) return;
    std::erase_if(waiting_, [&](WaitingOperation& waiting) {
      std::erase(waiting.missing, use);
      if (waiting.missing.empty()) resumed.push_back(std::move(waiting.operation));
      return waiting.missing.empty();
    });
  }
  for (const auto& operation : resumed) operation->Resume();
}

// Iterations of a loop share the round of their step.
absl::StatusOr<uint64_t> StepCollectives::RoundOf(const std::shared_ptr<Group>& group, int rank,
                                                  int64_t instance, uint32_t position) {
  absl::MutexLock lock(&mu_);
  const auto [it, is_new] = rounds_.try_emplace({group->incarnation(), rank, instance});
  InstanceRound& known = it->second;
  if (is_new) known = {group, group->NextRound(rank, instance)};
  if (position == 0 && std::exchange(known.ran, true)) {
    return InvalidArgument(group->NameOf(rank), " runs two operations with instance key ", instance,
                           " of group ", group->key(), " in one step");
  }
  return known.round;
}

void StepCollectives::Failed(const Groups::MemberKey& key, const absl::Status& status) {
  absl::MutexLock lock(&mu_);
  failed_.try_emplace(key, status);
}

absl::Status StepCollectives::FailureIn(const Groups::MemberKey& key) const {
  absl::MutexLock lock(&mu_);
  const auto it = failed_.find(key);
  return it == failed_.end() ? absl::OkStatus() : it->second;
}

void StepCollectives::Completed(const Groups::MemberKey& key, int64_t instance) {
  absl::MutexLock lock(&mu_);
  completed_.insert({key.device, key.key, instance});
}

void StepCollectives::End(const absl::Status& status) {
  session_.groups->StepEnded();
  absl::flat_hash_set<CollectiveUse> completed;
  {
    absl::MutexLock lock(&mu_);
    completed.swap(completed_);
    if (status.ok()) {
      for (const auto& [key, known] : rounds_)
        known.group->Complete(std::get<1>(key), std::get<2>(key), known.round);
    }
  }
  if (!completed.empty()) uses_->Add(completed);
  if (status.ok()) return;
  // By group: a use that the step did not complete, or else one that it did.
  absl::flat_hash_map<Groups::MemberKey, CollectiveUse> ended;
  for (const CollectiveUse& use : uses_->all()) {
    const auto [it, is_new] = ended.try_emplace({session_.session, use.device, use.group}, use);
    if (!is_new && completed.contains(it->second)) it->second = use;
  }
  for (const auto& [key, use] : ended) {
    if (!FailureIn(key).ok()) continue;  // an operation that has failed has told the others
    session_.groups->EndMember(
        key, session_.leader,
        Cat("the step of ", session_.groups->Named(use.device), " failed ",
            completed.contains(use) ? "after" : "before", " its collective operation (group ",
            use.group, ", instance ", use.instance, "): ", status.message()),
        status);
  }
}

}  // namespace sluice::worker
