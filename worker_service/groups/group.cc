// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/group.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "core/log.h"
#include "core/stable_hash.h"
#include "worker_service/groups/exchange.h"

namespace sluice::worker {

using transport::EndGroup;

namespace {

// What Group::KeyOf puts into a key.
struct KeyParts {
  RoundId id;
  uint32_t hash;
  int from, to;
};

KeyParts PartsOf(const EdgeKey& key) {
  // the low 48 bits, with their sign
  const auto instance = static_cast<int64_t>(key.edge << 16) >> 16;
  return {{instance, static_cast<uint32_t>(key.frame >> 32), static_cast<uint64_t>(key.iteration)},
          static_cast<uint32_t>(key.frame),
          static_cast<int>(key.call >> 48),
          static_cast<int>(key.call >> 32 & 0xffff)};
}

// In the description of reductions that were joined, see graph/passes/fuse_reductions.h.
constexpr absl::string_view kJoinedName = " named \"joined ";

// How many rounds of the instance a member has completed that leaves.
uint64_t RoundsOf(const EndGroup& leaver, int64_t instance) {
  const auto it = leaver.completed.find(instance);
  return it == leaver.completed.end() ? 0 : it->second;
}

std::vector<int> HostsOf(const std::vector<transport::GroupMember>& members) {
  std::vector<std::string> names;
  std::vector<int> hosts;
  for (const auto& member : members) {
    const auto it = std::find(names.begin(), names.end(), member.host);
    hosts.push_back(static_cast<int>(it - names.begin()));
    if (it == names.end()) names.push_back(member.host);
  }
  return hosts;
}

bool AreInOneTask(const std::vector<transport::GroupMember>& members) {
  return std::all_of(members.begin(), members.end(),
                     [&](const auto& member) { return member.task == members.front().task; });
}

std::string WhyOnHost(const std::vector<transport::GroupMember>& members,
                      const std::vector<int>& hosts) {
  const auto& first = members.front();
  if (AreInOneTask(members)) return Cat("all members are in ", first.task);
  for (size_t i = 0; i < members.size(); ++i) {
    const auto& member = members[i];
    if (member.library.empty()) {
      return Cat(member.ToString(), " has no library: ",
                 member.no_library.empty() ? "it does not offer one" : member.no_library);
    }
    if (member.library != first.library) {
      return Cat(first.ToString(), " has ", first.library, ", but ", member.ToString(), " has ",
                 member.library);
    }
    for (size_t k = 0; k < i; ++k) {
      const auto& other = members[k];
      if (other.task == member.task) return Cat("two members are in ", member.task);
      if (hosts[k] == hosts[i] && other.hardware == member.hardware) {
        return Cat(other.ToString(), " and ", member.ToString(), " are one GPU, ", member.hardware);
      }
    }
  }
  return "";
}

}  // namespace

uint32_t Group::HashOf(const std::string& description) {
  const uint64_t hash = StableHash(description);
  return static_cast<uint32_t>(hash ^ hash >> 32);
}

EdgeKey Group::KeyOf(const RoundId& id, uint32_t hash, int from, int to, uint32_t number) {
  return {kGroupEdge | (static_cast<uint64_t>(id.instance) & 0xffffffffffff),
          static_cast<uint64_t>(id.position) << 32 | hash, static_cast<int64_t>(id.round),
          static_cast<uint64_t>(from) << 48 | static_cast<uint64_t>(to) << 32 | number};
}

absl::Status Group::SetRoster(int64_t key, std::vector<transport::GroupMember> members,
                              std::string leader, const std::string& own_task) {
  std::vector<int> peer_of;
  for (const transport::GroupMember& member : members) {
    if (member.task == own_task) {
      peer_of.push_back(Rendezvous::kLocal);
    } else {
      SLUICE_ASSIGN(const int peer, peers_->Find(member.task));
      peer_of.push_back(peer);
    }
  }
  absl::MutexLock lock(&mu_);
  if (joined_) return absl::OkStatus();  // by another member of this task
  key_ = key;
  leader_ = std::move(leader);
  members_ = std::move(members);
  hosts_ = HostsOf(members_);
  peer_of_ = std::move(peer_of);
  why_on_host_ = WhyOnHost(members_, hosts_);
  joined_ = true;
  return absl::OkStatus();
}

void Group::ReportReductionsOnHost() {
  if (why_on_host_.empty() || AreInOneTask(members_) || reported_.exchange(true)) return;
  Log(LogLevel::kInfo, "group ", key_,
      " reduces the memory of its GPUs on the host: ", why_on_host_);
}

bool Group::joined() const {
  absl::MutexLock lock(&mu_);
  return joined_;
}

bool Group::live() const {
  absl::MutexLock lock(&mu_);
  return joined_ && cause_.ok();
}

bool Group::ServesLate(int rank, int64_t instance) const {
  constexpr absl::Duration kOnTheirWay = absl::Seconds(2);
  absl::MutexLock lock(&mu_);
  if (!joined_ || ended_) return false;
  if (!leavers_.empty()) {
    if (HasLeft(rank)) return false;
    const uint64_t limit = Limit(instance);
    const auto it = rounds_.find(std::pair(rank, instance));
    if (it == rounds_.end()) return limit > 0;
    // A step that runs the instance in a loop has begun its round.
    const auto& open = it->second.open;
    return it->second.next < limit ||
           std::any_of(open.begin(), open.end(), [&](uint64_t round) { return round < limit; });
  }
  if (!superseded_) return false;
  if (absl::Now() - retired_ < kOnTheirWay) return true;
  return std::any_of(expected_.begin(), expected_.end(), [&](const auto& item) {
    return item.first.first.instance == instance && item.first.second == rank &&
           item.second.from >= 0;
  });
}

std::string Group::NameOf(int rank) const {
  if (rank < 0 || static_cast<size_t>(rank) >= members_.size()) return "another member";
  return absl::StrCat("member ", rank, ", ", members_[static_cast<size_t>(rank)].ToString());
}

uint64_t Group::NextRound(int rank, int64_t instance) {
  absl::MutexLock lock(&mu_);
  Rounds& rounds = rounds_[{rank, instance}];
  rounds.open.push_back(rounds.next);
  return rounds.next++;
}

void Group::Complete(int rank, int64_t instance, uint64_t round) {
  absl::MutexLock lock(&mu_);
  auto& open = rounds_[{rank, instance}].open;
  open.erase(std::remove(open.begin(), open.end(), round), open.end());
}

transport::CompletedRounds Group::CompletedBy(int rank) const {
  transport::CompletedRounds completed;
  absl::MutexLock lock(&mu_);
  for (const auto& [member, rounds] : rounds_) {
    if (member.first != rank) continue;
    const auto& open = rounds.open;
    completed[member.second] =
        open.empty() ? rounds.next : *std::min_element(open.begin(), open.end());
  }
  return completed;
}

std::optional<Disagreement> Group::Begin(const RoundId& id, int rank,
                                         const std::string& description) {
  const uint32_t hash = HashOf(description);
  absl::MutexLock lock(&mu_);
  std::string& known = descriptions_[{rank, id.instance}];
  if (known != description) known = description;
  Expectation& expected = expected_[{id, rank}];
  expected.own = hash;
  if (expected.from >= 0 && expected.arrived != hash)
    return Disagreement{id.instance, rank, expected.from};
  if (expected.differs >= 0) return Disagreement{id.instance, rank, expected.differs};
  return std::nullopt;
}

void Group::Finish(const RoundId& id, int rank) {
  absl::MutexLock lock(&mu_);
  expected_.erase({id, rank});
}

std::string Group::DescriptionOf(int rank, int64_t instance) const {
  absl::MutexLock lock(&mu_);
  const auto it = descriptions_.find(std::pair(rank, instance));
  return it == descriptions_.end() ? "" : it->second;
}

absl::Status Group::ErrorOf(const Disagreement& differs, const std::string& other) const {
  const auto named = [&](int rank, const std::string& description) {
    return absl::StrCat(NameOf(rank), description.empty() ? " has run another operation"
                                                          : absl::StrCat(" runs ", description));
  };
  const std::string own = DescriptionOf(differs.rank, differs.instance);
  const bool one_joins =
      absl::StrContains(own, kJoinedName) != absl::StrContains(other, kJoinedName);
  const auto without_shape = [](absl::string_view text) { return text.substr(0, text.find('[')); };
  const bool only_shapes =
      !own.empty() && !other.empty() && without_shape(own) == without_shape(other);
  return InvalidArgument(only_shapes ? "Shape mismatch: " : "", "members of group ", key_,
                         " disagree about instance ", differs.instance, ": ",
                         named(differs.rank, own), "; ", named(differs.other, other),
                         one_joins ? ". One of them joins small reductions into one: "
                                     "scoped_allocator_optimization of all sessions must be equal"
                                   : "");
}

int Group::SenderOf(int from, int peer) const {
  if (from != kAnyone || !joined_ || std::count(peer_of_.begin(), peer_of_.end(), peer) != 1)
    return from;
  return static_cast<int>(std::find(peer_of_.begin(), peer_of_.end(), peer) - peer_of_.begin());
}

// Each message of a round has the hash of its sender's description.
std::optional<Disagreement> Group::Compare(const EdgeKey& key, int peer) {
  KeyParts parts = PartsOf(key);
  absl::MutexLock lock(&mu_);
  parts.from = SenderOf(parts.from, peer);
  Expectation& expected = expected_[{parts.id, parts.to}];
  if (expected.own) {
    if (*expected.own == parts.hash) return std::nullopt;
    return Disagreement{parts.id.instance, parts.to, parts.from};
  }
  if (expected.from < 0) {
    expected.from = parts.from;
    expected.arrived = parts.hash;
  } else if (expected.arrived != parts.hash) {
    expected.differs = parts.from;
  }
  return std::nullopt;
}

absl::StatusOr<Tensor> Group::Allocate(int to, DType dtype, const Shape& shape) {
  const int peer = peer_of_[static_cast<size_t>(to)];
  if (peer == Rendezvous::kLocal) return Tensor::Allocate(CpuAllocator(), dtype, shape);
  SLUICE_ASSIGN(transport::TensorChannel * channel, peers_->Channel(peer));
  return channel->Allocate(dtype, shape);
}

std::optional<Tensor> Group::AllocateForMany(int to, DType dtype, const Shape& shape) {
  const int peer = peer_of_[static_cast<size_t>(to)];
  if (peer == Rendezvous::kLocal) return std::nullopt;
  const absl::StatusOr<transport::TensorChannel*> channel = peers_->Channel(peer);
  return channel.ok() ? (*channel)->AllocateForMany(dtype, shape) : std::nullopt;
}

absl::Status Group::Send(const EdgeKey& key, int to, Tensor message) {
  const int peer = peer_of_[static_cast<size_t>(to)];
  if (peer == Rendezvous::kLocal) {
    if (const auto differs = Compare(key, peer))
      return ErrorOf(*differs, DescriptionOf(differs->other, differs->instance));
    return messages_.Send(key, Rendezvous::kLocal, {std::move(message), false});
  }
  SLUICE_RETURN_IF_ERROR(messages_.FailureOf(peer));
  {
    absl::MutexLock lock(&mu_);
    if (ended_) return cause_;
  }
  SLUICE_ASSIGN(transport::TensorChannel * channel, peers_->Channel(peer));
  return channel->Send({step(), key}, {std::move(message), false});
}

void Group::SetTarget(const EdgeKey& key, Tensor target) {
  const KeyParts parts = PartsOf(key);
  absl::MutexLock lock(&mu_);
  const auto expected = expected_.find({parts.id, parts.to});
  if (expected != expected_.end()) expected->second.targets[key.call] = std::move(target);
}

absl::StatusOr<Tensor> Group::Prepare(const EdgeKey& key, DType dtype, const Shape& shape) {
  const KeyParts parts = PartsOf(key);
  {
    absl::MutexLock lock(&mu_);
    const auto expected = expected_.find({parts.id, parts.to});
    if (expected != expected_.end() && expected->second.own == parts.hash) {
      auto& targets = expected->second.targets;
      const auto target = targets.find(key.call);
      if (target != targets.end() && target->second.dtype() == dtype &&
          target->second.shape() == shape) {
        return targets.extract(target).mapped();
      }
    }
  }
  return Tensor::Allocate(CpuAllocator(), dtype, shape);
}

void Group::Receive(const EdgeKey& key, int from, Rendezvous::Received done) {
  const int peer = from == Exchange::kAnyMember ? kAnyPeer : peer_of_[static_cast<size_t>(from)];
  messages_.Recv(key, peer, std::move(done));
  // Leave fails those that it finds. It sets left_ before it looks for them.
  if (!left()) return;
  if (absl::Status status = LeftWithout(PartsOf(key).id); !status.ok())
    messages_.FailPending([&](const EdgeKey& other) { return other == key; }, status);
}

void Group::Forget(const EdgeKey& key) {
  messages_.FailPending([&](const EdgeKey& other) { return other == key; },
                        absl::CancelledError("the message is not needed"));
}

std::optional<Disagreement> Group::Arrived(const std::string& peer, const EdgeKey& key,
                                           Parcel parcel) {
  const auto number = peers_->Find(peer);
  const std::optional<Disagreement> differs = Compare(key, number.ok() ? *number : kAnyPeer);
  // Its Recv does not know the sender.
  if (PartsOf(key).from == kAnyone && number.ok()) Taken(*number, parcel);
  (void)messages_.Send(key, Rendezvous::kLocal, std::move(parcel));  // unused after the end
  return differs;
}

std::optional<Disagreement> Group::Announced(int peer, const EdgeKey& key) {
  const std::optional<Disagreement> differs = Compare(key, peer);
  if (messages_.Announce(key) || PartsOf(key).from == kAnyone) Pull(peer, key);
  return differs;
}

bool Group::PeerBroken(int peer, const std::string& here, const absl::Status& broken) {
  absl::Status status;
  {
    absl::MutexLock lock(&mu_);
    const auto rank = std::find(peer_of_.begin(), peer_of_.end(), peer);
    if (!joined_ || rank == peer_of_.end()) return false;
    status = Annotate(broken,
                      Cat("the connection from ", NameOf(static_cast<int>(rank - peer_of_.begin())),
                          ", to ", here, " broke"));
  }
  Retire(status, /*superseded=*/false);
  messages_.FailFrom(peer, status);
  messages_.FailFrom(kAnyPeer, status);
  return true;
}

void Group::Retire(const absl::Status& cause, bool superseded) {
  absl::MutexLock lock(&mu_);
  if (!cause_.ok()) return;
  cause_ = cause;
  superseded_ = superseded;
  retired_ = absl::Now();
}

uint64_t Group::Limit(int64_t instance) const {
  uint64_t limit = std::numeric_limits<uint64_t>::max();
  for (const EndGroup& leaver : leavers_) limit = std::min(limit, RoundsOf(leaver, instance));
  return limit;
}

bool Group::Leave(const EndGroup& end) {
  bool ends_more = false;
  {
    absl::MutexLock lock(&mu_);
    if (ended_ || HasLeft(end.leaver)) return false;
    ends_more = leavers_.empty();
    if (!ends_more) {
      for (const auto& [instance, rounds] : leavers_.front().completed)
        ends_more = ends_more || RoundsOf(end, instance) < Limit(instance);
    }
    leavers_.push_back(end);
    if (cause_.ok()) {
      cause_ = end.cause;
      superseded_ = end.superseded;
      retired_ = absl::Now();
    }
  }
  left_.store(true, std::memory_order_relaxed);
  messages_.FailPending(
      [&](const EdgeKey& key) {
        const RoundId id = PartsOf(key).id;
        return id.round >= RoundsOf(end, id.instance);
      },
      end.cause);
  return ends_more;
}

bool Group::HasLeft(int rank) const {
  return std::any_of(leavers_.begin(), leavers_.end(),
                     [&](const EndGroup& leaver) { return leaver.leaver == rank; });
}

std::optional<EndGroup> Group::EndOf(int rank) const {
  absl::MutexLock lock(&mu_);
  for (const EndGroup& leaver : leavers_) {
    if (leaver.leaver == rank) return leaver;
  }
  return std::nullopt;
}

absl::Status Group::LeftWithout(const RoundId& id) const {
  absl::MutexLock lock(&mu_);
  for (const EndGroup& leaver : leavers_) {
    if (id.round >= RoundsOf(leaver, id.instance)) return leaver.cause;
  }
  return absl::OkStatus();
}

bool Group::OwesError(int rank) const {
  absl::MutexLock lock(&mu_);
  if (cause_.ok() || given_.contains(rank)) return false;
  if (!superseded_) return true;
  if (HasLeft(rank)) return false;
  return std::any_of(rounds_.begin(), rounds_.end(),
                     [&](const auto& item) { return item.first.first == rank; });
}

void Group::ErrorGiven(int rank) {
  absl::MutexLock lock(&mu_);
  given_.insert(rank);
}

bool Group::End(const absl::Status& cause) {
  std::vector<int> peers;
  absl::Status reason;
  {
    absl::MutexLock lock(&mu_);
    if (ended_) return false;
    ended_ = true;
    reason = cause_ = cause;
    peers = peer_of_;
  }
  messages_.Abort(reason);
  communicator_.End(reason);
  for (const int peer : peers) {
    if (peer != Rendezvous::kLocal) peers_->EndStep(peer, step());
  }
  return true;
}

absl::Status Group::cause() const {
  absl::MutexLock lock(&mu_);
  return cause_;
}

absl::Time Group::retired() const {
  absl::MutexLock lock(&mu_);
  return retired_;
}

void Group::Pull(int peer, const EdgeKey& key) {
  if (peer == kAnyPeer) return;  // it was pulled when it was announced
  peers_->returns().Pull(peers_->Task(peer), {step(), key});
}

void Group::Taken(int peer, const Parcel& parcel) {
  if (peer == kAnyPeer) return;  // it was reported when it arrived
  consumption_.Add(peer, parcel);
}

}  // namespace sluice::worker
