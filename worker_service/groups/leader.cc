// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/leader.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "core/device_name.h"
#include "core/random_incarnation.h"

namespace sluice::worker {

using transport::EndGroup;
using transport::GroupMember;
using transport::GroupRoster;
using transport::JoinGroup;

namespace {

// The order of ranks: as the programs require, or else job, replica, task, device type and number.
bool RanksBefore(const JoinGroup& a, const JoinGroup& b) {
  if (a.rank != b.rank) return a.rank < b.rank;
  const auto name_a = DeviceName::Parse(a.member.device);
  const auto name_b = DeviceName::Parse(b.member.device);
  if (!name_a.ok() || !name_b.ok()) return a.member.device < b.member.device;
  const auto order = [](const DeviceName& name) {
    return std::tie(name.job, name.replica, name.task, name.type, name.id);
  };
  return order(*name_a) < order(*name_b);
}

std::string Describe(const JoinGroup& join) {
  return absl::StrCat(join.member.ToString(), " joins group ", join.key, " with ", join.size, " ",
                      join.device_type, " members",
                      join.rank < 0 ? "" : absl::StrCat(" as rank ", join.rank));
}

// Why a device joins again.
std::string Again(const GroupMember& now, const GroupMember& before) {
  if (now.process != before.process) return "its task was restarted";
  if (now.session == before.session) return "its session has joined once more";
  return absl::StrCat("session ", now.session, " uses the group that session ", before.session,
                      " has used");
}

auto MemberOf(const GroupRoster& roster, const std::string& device) {
  return std::find_if(roster.members.begin(), roster.members.end(),
                      [&](const GroupMember& member) { return member.device == device; });
}

bool HasDevice(const GroupRoster& roster, const std::string& device) {
  return MemberOf(roster, device) != roster.members.end();
}

// Whether two requests cannot belong to one group.
bool Contradict(const JoinGroup& a, const JoinGroup& b) {
  if (a.size != b.size || a.device_type != b.device_type || (a.rank < 0) != (b.rank < 0))
    return true;
  return a.rank >= 0 && a.rank == b.rank && a.member.device != b.member.device;
}

}  // namespace

void GroupLeader::Join(const JoinGroup& join, const transport::CallOptions& options,
                       transport::Reply<GroupRoster> done) {
  if (join.size < 1)
    return done(InvalidArgument("group ", join.key, " must have members, got ", join.size));
  if (join.rank >= join.size)
    return done(InvalidArgument(Describe(join), ": its rank must be less than their number"));
  auto request = std::make_unique<Request>();
  request->join = join;
  request->done = std::move(done);
  Answers answers;
  {
    absl::MutexLock lock(&mu_);
    const uint64_t id = request->id = next_id_++;
    if (options.cancel != nullptr) {
      request->cancel = options.cancel;
      request->cancel_id = options.cancel->Register(
          [leader = weak_from_this(), key = join.key, id](const absl::Status& why) {
            if (const auto alive = leader.lock()) alive->Remove(key, id, why);
          });
    }
    if (options.cancel != nullptr && request->cancel_id == 0) {
      answers.roster = options.cancel->status();
      answers.requests.push_back(std::move(request));
    } else {
      Add(std::move(request), answers);
    }
  }
  Send(std::move(answers));
}

void GroupLeader::Add(std::unique_ptr<Request> request, Answers& answers) {
  const JoinGroup& join = request->join;
  if (!stopped_.ok()) {
    answers.roster = stopped_;
    answers.requests.push_back(std::move(request));
    return;
  }
  Entry& group = groups_[join.key];
  if (group.complete.incarnation != 0) {
    const auto& members = group.complete.members;
    if (!HasDevice(group.complete, join.member.device)) {
      answers.roster = InvalidArgument(
          Describe(join), ", but this group has its ", members.size(), " members: ",
          absl::StrJoin(members, ", ", [](std::string* out, const GroupMember& member) {
            absl::StrAppend(out, member.ToString());
          }));
      answers.requests.push_back(std::move(request));
      return;
    }
    Supersede(join.key, group,
              Aborted(join.member.ToString(), " joined group ", join.key, " again: ",
                      Again(join.member, *MemberOf(group.complete, join.member.device))),
              answers);
  }
  if (Refuses(group, request, answers) || Disagrees(group, request, answers)) return;
  if (group.forming.empty()) group.reported = absl::Now();
  // The same device from another session or a restarted task: the earlier request is void.
  const auto same = std::find_if(group.forming.begin(), group.forming.end(), [&](const auto& one) {
    return one->join.member.device == join.member.device;
  });
  if (same != group.forming.end()) {
    answers.roster = Aborted(join.member.ToString(), " joined group ", join.key,
                             " again: ", Again(join.member, (*same)->join.member));
    answers.requests.push_back(std::move(*same));
    group.forming.erase(same);
  }
  const auto size = static_cast<size_t>(join.size);
  group.forming.push_back(std::move(request));
  if (group.forming.size() < size) return;
  std::sort(group.forming.begin(), group.forming.end(),
            [](const auto& a, const auto& b) { return RanksBefore(a->join, b->join); });
  GroupRoster roster{RandomIncarnation(), {}};
  for (const auto& one : group.forming) roster.members.push_back(one->join.member);
  group.complete = roster;
  group.before.clear();
  group.why.clear();
  group.failures.clear();
  answers.roster = std::move(roster);
  answers.requests = std::move(group.forming);
  group.forming.clear();
}

bool GroupLeader::Disagrees(Entry& group, std::unique_ptr<Request>& request, Answers& answers) {
  const JoinGroup& join = request->join;
  const auto other = std::find_if(group.forming.begin(), group.forming.end(),
                                  [&](const auto& one) { return Contradict(one->join, join); });
  if (other == group.forming.end()) return false;
  const absl::Status why = InvalidArgument(
      "members of a group disagree: ", Describe((*other)->join), ", ", Describe(join));
  answers.roster = why;
  answers.requests = std::exchange(group.forming, {});
  answers.requests.push_back(std::move(request));
  AddFailure(group, why, answers.requests);
  return true;
}

void GroupLeader::AddFailure(Entry& group, const absl::Status& why,
                             const std::vector<std::unique_ptr<Request>>& answered) {
  Failure& failure = group.failures.emplace_back(Failure{why, absl::Now(), {}});
  for (const auto& one : answered) failure.told.insert(one->join.member.device);
}

GroupLeader::Failure* GroupLeader::FirstUntold(Entry& group, const std::string& device) {
  constexpr absl::Duration kRemembered = absl::Seconds(10);
  constexpr size_t kMost = 100;
  auto& failures = group.failures;
  const absl::Time now = absl::Now();
  while (!failures.empty() &&
         (failures.size() > kMost || now - failures.front().when > kRemembered))
    failures.pop_front();
  const auto untold = std::find_if(failures.begin(), failures.end(), [&](const Failure& failure) {
    return !failure.told.contains(device);
  });
  return untold == failures.end() ? nullptr : &*untold;
}

bool GroupLeader::Refuses(Entry& group, std::unique_ptr<Request>& request, Answers& answers) {
  const std::string& device = request->join.member.device;
  Failure* const failure = FirstUntold(group, device);
  if (failure == nullptr) return false;
  failure->told.insert(device);
  answers.roster = failure->why;
  answers.requests.push_back(std::move(request));
  return true;
}

void GroupLeader::Supersede(int64_t key, Entry& group, const absl::Status& why, Answers& answers) {
  answers.end = {key, group.complete.incarnation, why, /*superseded=*/true};
  answers.ended = std::move(group.complete);
  group.before = answers.ended.members;
  group.why = std::string(why.message());
  group.complete = GroupRoster();
}

void GroupLeader::EndForming(Entry& group, const absl::Status& why, Answers& answers) {
  answers.roster = group.forming.empty() ? why : Annotate(why, MissingOf(group));
  answers.requests = std::exchange(group.forming, {});
}

void GroupLeader::StepFailed(Entry& group, const EndGroup& request, Answers& answers) {
  if (group.complete.incarnation != 0) {
    if (!HasDevice(group.complete, request.device)) return;
    Supersede(request.key, group, request.cause, answers);  // another session of it was a member
  }
  // Steps of several members may fail for one reason, as at the end of their data.
  Failure* failure = FirstUntold(group, request.device);
  if (failure == nullptr) {
    EndForming(group, request.cause, answers);
    AddFailure(group, request.cause, answers.requests);
    failure = &group.failures.back();
  }
  failure->told.insert(request.device);
}

// The answers go out without the lock, because they may call back.
void GroupLeader::Send(Answers answers) {
  for (const GroupMember& member : answers.ended.members) pass_on_(member.task, answers.end);
  for (auto& request : answers.requests) {
    if (request->cancel != nullptr && request->cancel_id != 0)
      request->cancel->Deregister(request->cancel_id);
    request->done(answers.roster);
  }
}

void GroupLeader::Remove(int64_t key, uint64_t id, const absl::Status& why) {
  Answers answers;
  answers.roster = why;
  {
    absl::MutexLock lock(&mu_);
    const auto found = groups_.find(key);
    if (found == groups_.end()) return;
    auto& forming = found->second.forming;
    const auto it = std::find_if(forming.begin(), forming.end(),
                                 [&](const auto& request) { return request->id == id; });
    if (it == forming.end()) return;
    answers.requests.push_back(std::move(*it));
    forming.erase(it);
  }
  Send(std::move(answers));
}

void GroupLeader::End(const EndGroup& request) {
  Answers answers;
  {
    absl::MutexLock lock(&mu_);
    if (!stopped_.ok() || (!request.step_failed && !groups_.contains(request.key))) return;
    Entry& group = groups_[request.key];
    bool ends = request.incarnation == group.complete.incarnation;
    if (request.step_failed) {
      StepFailed(group, request, answers);
      ends = false;
    } else if (request.incarnation == 0) {
      EndForming(group, request.cause, answers);
      ends = HasDevice(group.complete, request.device);
    }
    if (ends) {
      answers.end = request;
      answers.end.incarnation = group.complete.incarnation;
      answers.ended = std::exchange(group.complete, {});
      group.before = answers.ended.members;
      group.why = std::string(request.cause.message());
    }
  }
  Send(std::move(answers));
}

void GroupLeader::MemberGone(int64_t key, const absl::Status& why) {
  Answers answers;
  {
    absl::MutexLock lock(&mu_);
    const auto it = groups_.find(key);
    if (it == groups_.end() || it->second.forming.empty()) return;
    Entry& group = it->second;
    answers.roster = GroupRoster{0, {}, Annotate(why, MissingOf(group))};
    answers.requests = std::exchange(group.forming, {});
  }
  Send(std::move(answers));
}

std::string GroupLeader::Missing(int64_t key) const {
  absl::MutexLock lock(&mu_);
  const auto it = groups_.find(key);
  return it == groups_.end() || it->second.forming.empty() ? "" : MissingOf(it->second);
}

std::vector<std::string> GroupLeader::Forming() const {
  std::vector<std::string> lines;
  absl::MutexLock lock(&mu_);
  for (const auto& [key, group] : groups_) {
    if (!group.forming.empty()) lines.push_back(MissingOf(group));
  }
  return lines;
}

std::string GroupLeader::MissingOf(const Entry& group) const {
  std::vector<std::string> joined, missing = tasks_;
  for (const auto& request : group.forming) {
    joined.push_back(request->join.member.ToString());
    std::erase(missing, request->join.member.task);
  }
  const JoinGroup& join = group.forming.front()->join;
  std::string text = absl::StrCat(joined.size(), " of ", join.size, " members have joined group ",
                                  join.key, ": ", absl::StrJoin(joined, ", "));
  if (!missing.empty())
    absl::StrAppend(&text, "; no member of ", absl::StrJoin(missing, ", "), " has joined");
  if (!missing.empty() && !group.why.empty())
    absl::StrAppend(&text, "; the group before has ended: ", group.why);
  return text;
}

std::vector<std::pair<int64_t, GroupMember>> GroupLeader::Absent(absl::Time now) {
  std::vector<std::pair<int64_t, GroupMember>> absent;
  absl::MutexLock lock(&mu_);
  for (auto& [key, group] : groups_) {
    if (group.forming.empty() || now - group.probed < absl::Seconds(5)) continue;
    group.probed = now;
    for (const GroupMember& member : group.before) {
      if (std::none_of(group.forming.begin(), group.forming.end(), [&](const auto& request) {
            return request->join.member.task == member.task;
          }))
        absent.emplace_back(key, member);
    }
  }
  return absent;
}

std::vector<std::string> GroupLeader::Reports(absl::Time now) {
  std::vector<std::string> lines;
  absl::MutexLock lock(&mu_);
  for (auto& [key, group] : groups_) {
    if (group.forming.empty() || now - group.reported < absl::Minutes(1)) continue;
    group.reported = now;
    lines.push_back(absl::StrCat("waiting for members: ", MissingOf(group)));
  }
  return lines;
}

void GroupLeader::Stop(const absl::Status& why) {
  Answers answers;
  answers.roster = why;
  {
    absl::MutexLock lock(&mu_);
    stopped_ = why;
    for (auto& [key, group] : groups_) {
      for (auto& request : group.forming) answers.requests.push_back(std::move(request));
    }
    groups_.clear();
  }
  Send(std::move(answers));
}

}  // namespace sluice::worker
