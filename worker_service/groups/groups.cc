// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/groups.h"

#include <algorithm>

#include "absl/container/btree_set.h"
#include "absl/time/clock.h"
#include "core/random_incarnation.h"
#include "core/runtime/kernel_table.h"
#include "transport/transport.h"

namespace sluice::worker {

using transport::EndGroup;
using transport::GroupMember;
using transport::GroupRoster;

namespace {

std::vector<std::string> TaskNames(const Groups::Options& options) {
  std::vector<std::string> tasks = {options.task};
  for (const auto& peer : options.peers) tasks.push_back(peer.task);
  std::sort(tasks.begin(), tasks.end());
  return tasks;
}

bool IsGpu(const Device* device) { return device != nullptr && device->type() == kGpu; }

}  // namespace

Groups::Groups(Options options, Peers* peers)
    : options_(std::move(options)),
      peers_(peers),
      default_leader_(TaskNames(options_).front()),
      process_(RandomIncarnation()),
      host_(transport::HostId()),
      leader_(std::make_shared<GroupLeader>(
          TaskNames(options_),
          [this](const std::string& task, const EndGroup& end) { SendEnd(task, end); })) {}

void Groups::Stop() {
  const absl::Status why = Unavailable(options_.task, " is stopping");
  std::vector<std::shared_ptr<CancelToken>> joining;
  std::vector<std::shared_ptr<Group>> groups;
  {
    absl::MutexLock lock(&mu_);
    stopped_ = why;
    for (auto& [key, member] : members_) {
      if (member.joining != nullptr) joining.push_back(member.joining);
    }
    for (auto& [incarnation, group] : groups_) groups.push_back(group);
  }
  for (const auto& group : groups) group->End(why);
  for (const auto& call : joining) call->Cancel(why);
  leader_->Stop(why);
  stop_.Cancel(why);
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(
      +[](int* calls) { return *calls == 0; }, &calls_));
}

bool Groups::BeginCall() {
  absl::MutexLock lock(&mu_);
  if (!stopped_.ok()) return false;
  ++calls_;
  return true;
}

void Groups::EndCall() {
  absl::MutexLock lock(&mu_);
  --calls_;
}

// Null if the cluster does not have the task, or nothing reaches it.
transport::GroupsApi* Groups::ApiOf(const std::string& task) {
  if (task == options_.task) return this;
  if (options_.connector == nullptr) return nullptr;
  const auto peer = std::find_if(options_.peers.begin(), options_.peers.end(),
                                 [&](const auto& one) { return one.task == task; });
  if (peer == options_.peers.end()) return nullptr;
  absl::MutexLock lock(&mu_);
  auto& api = apis_[task];
  if (api == nullptr) api = options_.connector->ConnectGroups(*peer);
  return api.get();
}

// --- Joining ---

// The other session may have a client that died without closing it.
std::string Groups::SuccessorOf(const MemberKey& key) const {
  std::string successor;
  {
    absl::MutexLock lock(&mu_);
    const auto it = members_.find(key);
    if (it == members_.end() || it->second.successor.empty()) return "";
    const auto other = members_.find(MemberKey{it->second.successor, key.device, key.key});
    if (other == members_.end() || other->second.closed) return "";
    successor = it->second.successor;
  }
  const bool gone = options_.client_gone != nullptr && !options_.client_gone(successor).empty();
  return gone ? "" : successor;
}

std::vector<Groups::GroupRank> Groups::ReplaceOthers(const MemberKey& key) {
  std::vector<GroupRank> replaced;
  for (auto& [other, member] : members_) {
    if (other.device != key.device || other.key != key.key) continue;
    member.successor = other.session == key.session ? "" : key.session;
    if (!member.successor.empty() && member.group != nullptr)
      replaced.push_back({member.group, member.rank});
  }
  return replaced;
}

absl::Status Groups::CheckSame(const MemberKey& key, const Member& member,
                               const JoinArgs& args) const {
  if (member.group == nullptr && member.waiters.empty()) return absl::OkStatus();
  if (member.size != args.size) {
    return InvalidArgument("group ", key.key, " has ", member.size,
                           " members, but an operation of ", Named(key.device), " says ",
                           args.size);
  }
  const int rank = member.group != nullptr ? member.rank : member.asked_rank;
  if (args.rank < 0 || args.rank == rank) return absl::OkStatus();
  return InvalidArgument("an operation of ", Named(key.device), " says that its rank is ",
                         args.rank, ", but group ", key.key, " was formed by operations that ",
                         rank < 0 ? "say no rank" : absl::StrCat("give it rank ", rank));
}

uint64_t Groups::Join(const MemberKey& key, const JoinArgs& args, Joined done) {
  if (const std::string successor = SuccessorOf(key); !successor.empty()) {
    done(FailedPrecondition(
             "two open sessions use group ", key.key, " as its member ", Named(key.device), ": ",
             key.session, ", and ", successor,
             ", which has joined after it. Close one of them, or give them different group keys"),
         true);
    return 0;
  }
  const int64_t instance = args.instance;
  absl::StatusOr<GroupRank> known = GroupRank();
  uint64_t waiter = 0;
  std::shared_ptr<CancelToken> call;
  std::shared_ptr<Group> failed;
  absl::Status cause;
  bool told = true, left = false;
  int rank = 0;
  std::vector<GroupRank> replaced;  // by this session
  {
    absl::MutexLock lock(&mu_);
    Member& member = members_[key];
    if (!stopped_.ok()) {
      known = stopped_;
    } else if (absl::Status same = CheckSame(key, member, args); !same.ok()) {
      known = cause = same;
      failed = std::move(member.group);
      told = failed != nullptr;
      if (told) failed->ErrorGiven(member.rank);
    } else if (member.group != nullptr &&
               (member.group->live() || member.group->ServesLate(member.rank, instance))) {
      known = GroupRank{member.group, member.rank};
    } else if (member.group != nullptr && member.group->OwesError(member.rank)) {
      failed = std::move(member.group);
      failed->ErrorGiven(member.rank);
      left = failed->left();
      rank = member.rank;
      cause = failed->cause();
      member.before = std::string(cause.message());
      known = Annotate(cause, Cat("group ", key.key, " has failed since its last use"));
    } else {
      waiter = next_waiter_++;
      if (member.group != nullptr) member.before = std::string(member.group->cause().message());
      member.group = nullptr;
      member.size = args.size;
      member.asked_rank = args.rank;
      member.fixed = args.fixed;
      member.device = args.device;
      member.use_library = args.use_library;
      member.leader = LeaderOr(args.leader);
      member.waiters.push_back({waiter, std::move(done)});
      if (member.waiters.size() == 1) {
        replaced = ReplaceOthers(key);
        call = member.joining = std::make_shared<CancelToken>();
        member.since = absl::Now();
        member.probed = absl::InfinitePast();
        member.missing.clear();
      }
    }
  }
  if (left)
    Leave(failed, rank, cause);
  else if (failed != nullptr)
    EndEverywhere(failed, cause);
  if (waiter == 0) {
    done(std::move(known), told);
    return 0;
  }
  for (const GroupRank& other : replaced) {
    Leave(other.group, other.rank,
          Aborted(other.group->NameOf(other.rank), " joined group ", key.key,
                  " again: ", "another session uses it, ", key.session),
          /*superseded=*/true);
  }
  if (call != nullptr) CallLeader(key, args, call);
  return waiter;
}

void Groups::OfferLibrary(const JoinArgs& args, GroupMember& member) const {
  if (!IsGpu(args.device)) return;
  if (!args.use_library) {
    member.no_library = "its session does not set collective_nccl";
    return;
  }
  absl::StatusOr<std::string> version = Unimplemented("its task has no library for GPUs");
  if (options_.library != nullptr) {
    member.hardware = options_.library->HardwareOf(*args.device);
    version = options_.library->Version();
  }
  if (version.ok())
    member.library = *std::move(version);
  else
    member.no_library = std::string(version.status().message());
}

void Groups::CallLeader(const MemberKey& key, const JoinArgs& args,
                        const std::shared_ptr<CancelToken>& call) {
  const std::string leader = LeaderOr(args.leader);
  transport::GroupsApi* const api = ApiOf(leader);
  if (api == nullptr || !BeginCall()) {
    return JoinAnswered(key, leader, call,
                        Unavailable("no way leads to ", leader, ", the leader of group ", key.key));
  }
  const auto device = DeviceName::Parse(key.device);
  transport::JoinGroup request;
  request.key = key.key;
  request.size = args.size;
  request.rank = args.rank;
  request.device_type = device.ok() && device->type ? *device->type : "CPU";
  request.member = {options_.task, key.device, host_, process_, options_.address, key.session};
  OfferLibrary(args, request.member);
  api->Join(request, {.cancel = call.get()},
            [this, key, leader, call](absl::StatusOr<GroupRoster> roster) {
              const absl::Status status = roster.ok() ? roster->member_gone : roster.status();
              if (!absl::IsUnavailable(status) || !RetryLater(key, call))
                JoinAnswered(key, leader, call, std::move(roster));
              EndCall();
            });
}

bool Groups::RetryLater(const MemberKey& key, const std::shared_ptr<CancelToken>& call) {
  absl::MutexLock lock(&mu_);
  const auto it = members_.find(key);
  if (it == members_.end() || it->second.joining != call) return false;
  Member& member = it->second;
  member.retry = absl::Now() - member.since < options_.leader_wait;
  return member.retry;
}

void Groups::JoinAnswered(const MemberKey& key, const std::string& leader,
                          const std::shared_ptr<CancelToken>& call,
                          absl::StatusOr<GroupRoster> roster) {
  absl::StatusOr<GroupRank> joined = GroupRank();
  const bool member_gone = roster.ok() && !roster->member_gone.ok();
  if (member_gone)
    joined = roster->member_gone;
  else if (roster.ok())
    joined = Enter(key, leader, *std::move(roster));
  else
    joined = roster.status();
  std::vector<Waiter> waiters;
  {
    absl::MutexLock lock(&mu_);
    const auto it = members_.find(key);
    if (it == members_.end() || it->second.joining != call) return;  // all have given up
    Member& member = it->second;
    member.joining = nullptr;
    waiters.swap(member.waiters);
    if (joined.ok()) {
      member.group = joined->group;
      member.rank = joined->rank;
    } else {
      const absl::Status why = member_gone
                                   ? Annotate(joined.status(), Cat("joining group ", key.key))
                                   : JoinError(key, leader, joined.status(), member);
      joined = member.fixed && absl::IsUnavailable(why) ? absl::UnknownError(why.message()) : why;
      if (member.closed) members_.erase(it);
    }
  }
  // Not on this thread: the waiters begin their operations.
  for (Waiter& waiter : waiters) {
    options_.pool->Schedule(
        [done = std::move(waiter.done), joined]() mutable { done(std::move(joined), true); });
  }
}

// If the leader has ended because another member was gone, the end of the incarnation before says
// who that was.
absl::Status Groups::JoinError(const MemberKey& key, const std::string& leader,
                               const absl::Status& status, const Member& member) const {
  const absl::Status error =
      Annotate(status, Cat("joining group ", key.key, " at its leader ", WhereIs(leader)));
  if (!absl::IsUnavailable(status) || member.before.empty()) return error;
  return Unavailable(error.message(), "; the group before has ended: ", member.before);
}

absl::StatusOr<Groups::GroupRank> Groups::Enter(const MemberKey& key, const std::string& leader,
                                                GroupRoster roster) {
  const auto it =
      std::find_if(roster.members.begin(), roster.members.end(),
                   [&](const GroupMember& member) { return member.device == key.device; });
  if (it == roster.members.end())
    return Internal("the members of group ", key.key, " do not include ", key.device);
  const int rank = static_cast<int>(it - roster.members.begin());
  std::shared_ptr<Group> group = FindOrExpect(roster.incarnation);
  bool asks = false;
  if (group == nullptr) {
    absl::MutexLock lock(&mu_);
    const auto ended = ended_.find(roster.incarnation);
    return ended != ended_.end() ? ended->second.cause : Unavailable(options_.task, " is stopping");
  }
  {
    absl::MutexLock lock(&mu_);
    last_round_[{roster.incarnation, rank, kJoin}] = steps_ended_ + 1;
    if (const auto member = members_.find(key); member != members_.end())
      asks = IsGpu(member->second.device) && member->second.use_library;
  }
  SLUICE_RETURN_IF_ERROR(
      group->SetRoster(key.key, std::move(roster.members), leader, options_.task));
  if (asks) group->ReportReductionsOnHost();
  return GroupRank{std::move(group), rank};
}

void Groups::GiveUp(const MemberKey& key, uint64_t waiter, const absl::Status& why) {
  Joined done;
  std::shared_ptr<CancelToken> call;
  std::string missing, leader;
  {
    absl::MutexLock lock(&mu_);
    const auto it = members_.find(key);
    if (it == members_.end()) return;
    Member& member = it->second;
    const auto found = std::find_if(member.waiters.begin(), member.waiters.end(),
                                    [&](const Waiter& one) { return one.id == waiter; });
    if (found == member.waiters.end()) return;
    done = std::move(found->done);
    member.waiters.erase(found);
    missing = member.missing;
    leader = member.leader;
    if (member.waiters.empty()) {
      call = std::exchange(member.joining, nullptr);
      if (member.closed) members_.erase(it);
    }
  }
  if (leader == options_.task) missing = leader_->Missing(key.key);
  if (missing.empty())
    missing = Cat("waiting for the members of group ", key.key, " at its leader ", WhereIs(leader));
  const absl::Status error = Annotate(why, missing);
  if (call != nullptr) {
    call->Cancel(why);
    // The others would wait for this member. The leader may have answered already.
    SendEnd(leader, {key.key, 0,
                     Aborted(Named(key.device), " left group ", key.key,
                             " before it was complete: ", error.message()),
                     false, key.device});
  }
  done(error, call != nullptr);
}

void Groups::SessionEnded(const std::string& session) {
  struct Left {
    GroupRank member;
    bool fixed;
  };
  std::vector<Left> left;
  {
    absl::MutexLock lock(&mu_);
    absl::erase_if(members_, [&](auto& item) {
      if (item.first.session != session) return false;
      Member& member = item.second;
      if (member.group != nullptr)
        left.push_back({{std::move(member.group), member.rank}, member.fixed});
      member.closed = true;
      return member.waiters.empty();
    });
  }
  for (const auto& [member, fixed] : left) {
    const std::string why = Cat(member.group->NameOf(member.rank), " has closed its session;",
                                " all members must run the same number of steps");
    Leave(member.group, member.rank, fixed ? absl::UnknownError(why) : Aborted(why));
  }
}

// --- Rounds ---

absl::Status Groups::Begin(const std::shared_ptr<Round>& round) {
  Group& group = round->group();
  {
    absl::MutexLock lock(&mu_);
    rounds_.insert(round);
    last_round_[{group.incarnation(), round->rank(), round->id().instance}] = steps_ended_ + 1;
  }
  if (group.left()) SLUICE_RETURN_IF_ERROR(group.LeftWithout(round->id()));
  const auto differs = group.Begin(round->id(), round->rank(), round->description());
  if (!differs) return absl::OkStatus();
  if (group.IsHere(differs->other))
    return group.ErrorOf(*differs, group.DescriptionOf(differs->other, differs->instance));
  if (auto shared = FindOrExpect(group.incarnation())) Settle(shared, *differs);
  return absl::OkStatus();
}

void Groups::Finish(const std::shared_ptr<Round>& round) {
  Group& group = round->group();
  group.Finish(round->id(), round->rank());
  absl::MutexLock lock(&mu_);
  rounds_.erase(round);
  last_round_[{group.incarnation(), round->rank(), round->id().instance}] = steps_ended_ + 1;
}

// Asks the other member what it runs, and tells all. They still finish the rounds before: one of
// them may not have all messages of these yet.
void Groups::Settle(const std::shared_ptr<Group>& group, const Disagreement& differs) {
  ProbeMember(group, differs.other, differs.instance,
              [this, group, differs](const absl::StatusOr<transport::GroupState>& state) {
                Leave(group, differs.rank,
                      group->ErrorOf(differs, state.ok() ? state->description : ""));
              });
}

void Groups::EndEverywhere(const std::shared_ptr<Group>& group, const absl::Status& cause) {
  if (!group->End(cause)) return;
  Remember(*group);
  SendEnds(*group, {group->key(), group->incarnation(), cause});
}

void Groups::Leave(const std::shared_ptr<Group>& group, int rank, const absl::Status& cause,
                   bool superseded) {
  const EndGroup end = {group->key(),
                        group->incarnation(),
                        cause,
                        superseded,
                        /*device=*/"",
                        /*step_failed=*/false,
                        rank,
                        group->CompletedBy(rank)};
  if (group->Leave(end)) SendEnds(*group, end);
}

// The leader passes it on too, in case this task does not reach all of them.
void Groups::SendEnds(const Group& group, const EndGroup& end) {
  absl::btree_set<std::string> tasks = {group.leader()};
  for (const GroupMember& member : group.members()) tasks.insert(member.task);
  for (const std::string& task : tasks) SendEnd(task, end);
}

absl::Status Groups::CauseOf(const std::string& text, const absl::Status& failure, bool fixed) {
  const bool runs_again = absl::IsAborted(failure) || absl::IsUnavailable(failure);
  return fixed && !runs_again ? absl::UnknownError(text) : Aborted(text);
}

void Groups::EndMember(const MemberKey& key, const std::string& leader, const std::string& text,
                       const absl::Status& failure) {
  GroupRank member;
  bool fixed = false;
  {
    absl::MutexLock lock(&mu_);
    const auto it = members_.find(key);
    if (it != members_.end()) {
      const Member& known = it->second;
      fixed = known.fixed;
      // The end of an incarnation is one error of each member. A step that fails after it is another.
      if (known.group != nullptr && (known.group->live() || known.group->OwesError(known.rank)))
        member = {known.group, known.rank};
    }
  }
  const absl::Status cause = CauseOf(text, failure, fixed);
  if (member.group != nullptr) {
    member.group->ErrorGiven(member.rank);
    return Leave(member.group, member.rank, cause);
  }
  if (!SuccessorOf(key).empty()) return;  // the others do not wait for this session
  SendEnd(LeaderOr(leader), {key.key, 0, cause, false, key.device, /*step_failed=*/true});
}

void Groups::SendEnd(const std::string& task, const EndGroup& end) {
  if (task == options_.task) return EndHere(end);
  transport::GroupsApi* const api = ApiOf(task);
  if (api == nullptr || !BeginCall()) return;
  // A member that cannot be reached finds out by its own probes.
  api->End(end, {absl::Now() + kAnswerTime, &stop_}, [this](const absl::Status&) { EndCall(); });
}

void Groups::EndHere(const EndGroup& end) {
  leader_->End(end);
  if (end.incarnation == 0) return;
  // The own join may still be on its way: what the others have sent is enough for its first rounds.
  if (end.leaver >= 0 || end.superseded) {
    const auto group = FindOrExpect(end.incarnation);
    if (group == nullptr) return;
    if (end.leaver >= 0)
      group->Leave(end);
    else
      group->Retire(end.cause, /*superseded=*/true);
    return;
  }
  std::shared_ptr<Group> group;
  {
    absl::MutexLock lock(&mu_);
    const auto it = groups_.find(end.incarnation);
    if (it != groups_.end()) group = it->second;
    if (group == nullptr) ended_.try_emplace(end.incarnation, Ended{absl::Now(), end.cause});
  }
  if (group == nullptr) return;
  if (group->End(end.cause)) Remember(*group);
}

void Groups::Remember(const Group& group) {
  const uint64_t incarnation = group.incarnation();
  const absl::Status cause = group.cause();
  std::shared_ptr<Group> dropped;  // outside the lock
  absl::MutexLock lock(&mu_);
  ended_[incarnation] = {absl::Now(), cause};
  if (const auto it = groups_.find(incarnation); it != groups_.end()) {
    dropped = std::move(it->second);
    groups_.erase(it);
  }
  absl::erase_if(waited_, [&](const auto& item) { return item.first.first == incarnation; });
  absl::erase_if(last_round_,
                 [&](const auto& item) { return std::get<0>(item.first) == incarnation; });
}

// --- Messages ---

std::shared_ptr<Group> Groups::FindOrExpect(uint64_t incarnation) {
  absl::MutexLock lock(&mu_);
  const auto it = groups_.find(incarnation);
  if (it != groups_.end()) return it->second;
  if (!stopped_.ok() || ended_.contains(incarnation)) return nullptr;
  return groups_.emplace(incarnation, std::make_shared<Group>(incarnation, peers_)).first->second;
}

absl::StatusOr<Tensor> Groups::Prepare(const transport::ParcelId& id, DType dtype,
                                       const Shape& shape) {
  const auto group = FindOrExpect(id.step.master);
  if (group == nullptr) return Aborted("the group has ended");
  return group->Prepare(id.key, dtype, shape);
}

void Groups::Deliver(const std::string& peer, const transport::ParcelId& id, Parcel parcel) {
  const auto group = FindOrExpect(id.step.master);
  if (group == nullptr) return;
  if (const auto differs = group->Arrived(peer, id.key, std::move(parcel))) Settle(group, *differs);
}

void Groups::Announce(int peer, const transport::ParcelId& id) {
  const auto group = FindOrExpect(id.step.master);
  if (group == nullptr) return;
  if (const auto differs = group->Announced(peer, id.key)) Settle(group, *differs);
}

void Groups::Broken(int peer, const absl::Status& status) {
  std::vector<std::shared_ptr<Group>> groups;
  {
    absl::MutexLock lock(&mu_);
    for (const auto& [incarnation, group] : groups_) groups.push_back(group);
  }
  for (const auto& group : groups) group->PeerBroken(peer, WhereIs(options_.task), status);
}

// --- Calls of other tasks ---

void Groups::Join(const transport::JoinGroup& request, const transport::CallOptions& options,
                  transport::Reply<GroupRoster> done) {
  leader_->Join(request, options, std::move(done));
}

void Groups::End(const EndGroup& request, const transport::CallOptions&, transport::Ack done) {
  EndHere(request);
  done(absl::OkStatus());
}

}  // namespace sluice::worker
