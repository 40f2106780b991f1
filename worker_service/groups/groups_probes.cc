// SPDX-License-Identifier: Apache-2.0
// How the members of groups ask each other, and what they report of those that wait.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "core/log.h"
#include "worker_service/groups/groups.h"

namespace sluice::worker {

using transport::GroupMember;
using transport::GroupState;

namespace {

constexpr absl::Duration kProbeEvery = absl::Seconds(5);
constexpr absl::Duration kWaits = absl::Seconds(1);  // longer than this: probes and reports
// After a member has left, rounds may wait for messages that it has sent before.
constexpr absl::Duration kRetirement = absl::Seconds(3);
constexpr absl::Duration kEndsRemembered = absl::Minutes(10);

// Whether the instance is a part of a joined reduction, whose name is "joined KEY:NAME:SIZE ...".
bool Joins(const CollectiveCall& call, int64_t instance) {
  return absl::StartsWith(call.name, "joined ") &&
         absl::StrContains(call.name, absl::StrCat(" ", instance, ":"));
}

}  // namespace

void Groups::Probe(const transport::ProbeGroup& request, const transport::CallOptions&,
                   transport::Reply<GroupState> done) {
  GroupState state;
  state.process = process_;
  std::shared_ptr<Group> group;
  if (request.incarnation == 0) {
    state.state = leader_->Missing(request.key);
  } else {
    absl::MutexLock lock(&mu_);
    if (const auto it = groups_.find(request.incarnation); it != groups_.end()) group = it->second;
    if (const auto it = ended_.find(request.incarnation); it != ended_.end())
      state.ended = it->second.cause;
    if (state.ended.ok())
      state.state = StateOf(request.incarnation, request.rank, request.instance);
  }
  if (group != nullptr) {
    // The caller asks for a member that has left: it did not receive that message.
    if (const auto end = group->EndOf(request.rank)) SendEnds(*group, *end);
    state.description = group->DescriptionOf(request.rank, request.instance);
    if (absl::Status gone = ClientOf(*group, request.rank); !gone.ok()) {
      EndEverywhere(group, gone);
      state.ended = std::move(gone);
    }
  }
  done(std::move(state));
}

// A client may lose its connection and make another one at once. So two probes must find it gone.
absl::Status Groups::ClientOf(const Group& group, int rank) {
  if (options_.client_gone == nullptr || !group.joined() || !group.IsHere(rank))
    return absl::OkStatus();
  const auto is_member = [&](const auto& item) {
    return item.second.group.get() == &group && item.second.rank == rank;
  };
  std::string session;
  {
    absl::MutexLock lock(&mu_);
    // The call of a step in progress ends by itself when the client goes.
    for (const auto& round : rounds_) {
      if (&round->group() == &group && round->rank() == rank) return absl::OkStatus();
    }
    const auto member = std::find_if(members_.begin(), members_.end(), is_member);
    if (member == members_.end()) return absl::OkStatus();
    session = member->first.session;
  }
  const std::string gone = options_.client_gone(session);
  absl::MutexLock lock(&mu_);
  const auto member = std::find_if(members_.begin(), members_.end(), is_member);
  if (member == members_.end()) return absl::OkStatus();
  absl::Time& alone = member->second.alone;
  alone = gone.empty() ? absl::InfiniteFuture() : std::min(alone, absl::Now());
  if (absl::Now() - alone < options_.client_wait) return absl::OkStatus();
  return Unavailable(group.NameOf(rank), " takes no further step: ", gone);
}

// The state of a member of this task, for another one that waits for its part of an instance.
std::string Groups::StateOf(uint64_t incarnation, int rank, int64_t instance) const {
  for (const auto& round : rounds_) {
    if (round->group().incarnation() != incarnation || round->rank() != rank ||
        round->id().instance != instance)
      continue;
    const int rank_there = round->waiting_for();
    return rank_there == Round::kNobody                            ? "is running it"
           : rank_there < 0 && round->call().set_output != nullptr ? "is running it on its GPU"
           : rank_there < 0 ? "is running it and waits for the source"
                            : absl::StrCat("is running it and waits for member ", rank_there);
  }
  for (const auto& round : rounds_) {
    if (round->group().incarnation() == incarnation && round->rank() == rank &&
        Joins(round->call(), instance))
      return absl::StrCat("has joined it to instance ", round->id().instance, ", which it runs");
  }
  const auto group = groups_.find(incarnation);
  if (group != groups_.end() && group->second->joined() && !group->second->live())
    return absl::StrCat("runs it no more: ", group->second->cause().message());
  const auto last = last_round_.find(std::tuple(incarnation, rank, instance));
  const auto since =
      last != last_round_.end() ? last : last_round_.find(std::tuple(incarnation, rank, kJoin));
  if (since == last_round_.end()) return "has not joined the group yet";
  const uint64_t ended = steps_ended_.load(std::memory_order_relaxed);
  const uint64_t steps = ended > since->second ? ended - since->second : 0;
  if (steps == 0) return "has not begun it";
  return absl::StrCat("has ended ", steps, steps == 1 ? " step" : " steps",
                      " without it since its ",
                      last != last_round_.end() ? "last run of it" : "join");
}

void Groups::Ask(const std::string& task, const transport::ProbeGroup& request,
                 transport::Reply<GroupState> done, absl::Duration limit) {
  transport::GroupsApi* const api = ApiOf(task);
  if (api == nullptr || !BeginCall()) return done(Unavailable("no way leads to ", task));
  api->Probe(request, {absl::Now() + limit, &stop_},
             [this, done = std::move(done)](absl::StatusOr<GroupState> state) mutable {
               done(std::move(state));
               EndCall();
             });
}

void Groups::ProbeMember(const std::shared_ptr<Group>& group, int rank, int64_t instance,
                         transport::Reply<GroupState> done, absl::Duration limit) {
  // The sender of a broadcast does not give its rank.
  if (rank < 0 || static_cast<size_t>(rank) >= group->members().size())
    return done(Unavailable("the group has no member ", rank));
  Ask(group->members()[static_cast<size_t>(rank)].task,
      {group->key(), group->incarnation(), instance, rank}, std::move(done), limit);
}

void Groups::AskWhatItDoes(const std::shared_ptr<Round>& round, absl::Duration limit,
                           absl::AnyInvocable<void(std::string)> done) {
  const int rank = round->waiting_for();
  const auto group = FindOrExpect(round->group().incarnation());
  if (rank < 0 || round->group().IsHere(rank) || group == nullptr) return done(WaitsFor(*round));
  ProbeMember(
      group, rank, round->id().instance,
      [this, round, rank, done = std::move(done)](const absl::StatusOr<GroupState>& state) mutable {
        // Another member was faster: its error says what it waited for.
        if (state.ok() && !state->ended.ok()) {
          if (const auto group = FindOrExpect(round->group().incarnation()); group != nullptr)
            EndEverywhere(group, state->ended);
          return done("");
        }
        if (state.ok()) {
          absl::MutexLock lock(&mu_);
          if (groups_.contains(round->group().incarnation()))
            waited_[{round->group().incarnation(), rank}].state = state->state;
        }
        done(WaitsFor(*round));
      },
      limit);
}

void Groups::ProbeAnswered(const std::shared_ptr<Group>& group, int rank,
                           const absl::StatusOr<GroupState>& state) {
  if (stop_.cancelled()) return;
  if (!state.ok()) {
    return EndEverywhere(
        group, Unavailable(group->NameOf(rank), " does not answer ", WhereIs(options_.task), ": ",
                           state.status().message()));
  }
  if (state->process != group->members()[static_cast<size_t>(rank)].process)
    return EndEverywhere(group, Unavailable(group->NameOf(rank), " was restarted"));
  if (!state->ended.ok()) return EndEverywhere(group, state->ended);
  absl::MutexLock lock(&mu_);
  if (groups_.contains(group->incarnation()))
    waited_[{group->incarnation(), rank}].state = state->state;
}

// A leader that is gone fails the call to Join. One that does not answer is taken for gone.
void Groups::ProbeLeader(const MemberKey& key, const std::string& leader,
                         const std::shared_ptr<CancelToken>& call) {
  Ask(leader, {key.key, 0, 0, 0},
      [this, key, leader, call](const absl::StatusOr<GroupState>& state) {
        if (absl::IsDeadlineExceeded(state.status())) {
          JoinAnswered(key, leader, call, Unavailable("the leader does not answer"));
          return call->Cancel(Unavailable(leader, " does not answer"));
        }
        if (!state.ok()) return;
        absl::MutexLock lock(&mu_);
        const auto it = members_.find(key);
        if (it != members_.end()) it->second.missing = state->state;
      });
}

// The leader's part.
void Groups::ProbeAbsent(int64_t key, const GroupMember& member) {
  Ask(member.task, {key, 0, 0, 0}, [this, key, member](const absl::StatusOr<GroupState>& state) {
    if (state.ok() || stop_.cancelled()) return;
    leader_->MemberGone(key, Unavailable(member.ToString(), ", a member of group ", key,
                                         ", does not answer: ", state.status().message()));
  });
}

std::string Groups::WaitsFor(const Round& round) const {
  const int rank = round.waiting_for();
  if (rank == Round::kNobody) return "";
  const Group& group = round.group();
  absl::MutexLock lock(&mu_);
  const auto state_of = [&](int other) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (group.IsHere(other)) return StateOf(group.incarnation(), other, round.id().instance);
    const auto it = waited_.find(std::pair(group.incarnation(), other));
    return it == waited_.end() ? "" : it->second.state;
  };
  if (rank >= 0) {
    const std::string state = state_of(rank);
    return absl::StrCat("waiting for ", group.NameOf(rank),
                        state.empty() ? "" : absl::StrCat(", which ", state));
  }
  std::string text = round.call().set_output != nullptr
                         ? "waiting for the operation of all members on their GPUs"
                         : "waiting for the member that is the source";
  for (int other = 0; other < round.size(); ++other) {
    if (other == round.rank()) continue;
    if (const std::string state = state_of(other); !state.empty())
      absl::StrAppend(&text, "; ", group.NameOf(other), " ", state);
  }
  return text;
}

std::string Groups::WhereIs(const std::string& task) const {
  if (task == options_.task) return absl::StrCat(task, " at ", options_.address);
  for (const auto& peer : options_.peers) {
    if (peer.task == task) return absl::StrCat(task, " at ", peer.address);
  }
  return task;
}

std::vector<std::string> Groups::Waiting(absl::Time now) const {
  std::vector<std::string> lines = leader_->Forming();
  std::vector<std::shared_ptr<Round>> rounds;
  {
    absl::MutexLock lock(&mu_);
    for (const auto& [key, member] : members_) {
      if (member.waiters.empty() || now - member.since < kWaits || member.leader == options_.task)
        continue;
      lines.push_back(Cat(key.device, " joins group ", key.key, " at its leader ",
                          WhereIs(member.leader), member.missing.empty() ? "" : ": ",
                          member.missing));
    }
    for (const auto& round : rounds_) {
      if (round->waiting_for() != Round::kNobody && now - round->began() >= kWaits)
        rounds.push_back(round);
    }
  }
  for (const auto& round : rounds) {
    lines.push_back(Cat(round->group().NameOf(round->rank()), " runs ", round->description(),
                        ", instance ", round->id().instance, " of group ", round->group().key(),
                        ", ", WaitsFor(*round)));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

void Groups::Sweep(absl::Time now) {
  struct Asked {
    std::shared_ptr<Group> group;
    int rank;
    int64_t instance;
  };
  std::vector<Asked> members;
  struct Call {
    MemberKey key;
    JoinArgs args;
    std::shared_ptr<CancelToken> call;
  };
  std::vector<Call> retried, leaders;
  std::vector<std::shared_ptr<Group>> expired, retired;
  {
    absl::MutexLock lock(&mu_);
    for (const auto& round : rounds_) {
      const int waited_for = round->waiting_for();
      const auto group = groups_.find(round->group().incarnation());
      if (waited_for == Round::kNobody || now - round->began() < kWaits || group == groups_.end())
        continue;
      for (int rank = 0; rank < round->size(); ++rank) {
        if (round->group().IsHere(rank) || (waited_for >= 0 && rank != waited_for)) continue;
        Waited& waited = waited_[{group->first, rank}];
        if (now - waited.probed < kProbeEvery) continue;
        waited.probed = now;
        members.push_back({group->second, rank, round->id().instance});
      }
    }
    for (auto& [key, member] : members_) {
      if (std::exchange(member.retry, false) && member.joining != nullptr)
        retried.push_back({key,
                           {member.size, 0, member.leader, member.asked_rank, member.fixed,
                            member.device, member.use_library},
                           member.joining});
      if (member.waiters.empty() || now - member.since < kWaits ||
          now - member.probed < kProbeEvery)
        continue;
      member.probed = now;
      leaders.push_back({key, {member.size, 0, member.leader}, member.joining});
    }
    for (const auto& [incarnation, group] : groups_) {
      if (!group->joined() && now - group->created() > options_.lease) expired.push_back(group);
      bool runs = false;
      absl::Duration longest = absl::ZeroDuration();  // that a round has run since the retirement
      for (const auto& round : rounds_) {
        if (&round->group() != group.get()) continue;
        runs = true;
        longest = std::max(longest, now - std::max(group->retired(), round->began()));
      }
      const bool old = now - group->retired() > options_.lease;
      // Rounds that can be finished although a member has left take their time.
      if (group->left()) {
        if (old && !runs) expired.push_back(group);
      } else if (old || longest > kRetirement) {
        retired.push_back(group);
      }
    }
    absl::erase_if(ended_,
                   [&](const auto& item) { return now - item.second.when > kEndsRemembered; });
  }
  for (const Asked& asked : members) {
    ProbeMember(asked.group, asked.rank, asked.instance,
                [this, asked](const absl::StatusOr<GroupState>& state) {
                  ProbeAnswered(asked.group, asked.rank, state);
                });
  }
  for (const Call& call : leaders) ProbeLeader(call.key, call.args.leader, call.call);
  for (const Call& call : retried) CallLeader(call.key, call.args, call.call);
  for (const auto& group : expired) {
    const absl::Status cause = group->cause();
    if (group->End(cause.ok() ? Aborted("this task did not join the group") : cause))
      Remember(*group);
  }
  for (const auto& group : retired) EndEverywhere(group, group->cause());
  for (const auto& [key, member] : leader_->Absent(now)) ProbeAbsent(key, member);
  for (const std::string& line : leader_->Reports(now)) Log(LogLevel::kInfo, line);
}

}  // namespace sluice::worker
