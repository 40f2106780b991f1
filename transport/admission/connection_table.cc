// SPDX-License-Identifier: Apache-2.0
#include "transport/admission/connection_table.h"

#include <sys/resource.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <optional>
#include <vector>

#include "absl/time/clock.h"

namespace sluice::transport {
namespace {

// Between two searches for closed connections while the table is full.
constexpr absl::Duration kLookAgain = absl::Milliseconds(50);

constexpr int kOldest = 64;

constexpr int ThreeQuarters(int number) { return std::max(1, number - number / 4); }

bool Reaches(size_t number, int limit) { return number >= static_cast<size_t>(limit); }

ConnectionLimits Completed(ConnectionLimits limits) {
  if (limits.connections == 0) {
    rlimit descriptors = {};
    getrlimit(RLIMIT_NOFILE, &descriptors);
    limits.connections =
        ThreeQuarters(static_cast<int>(std::min<rlim_t>(descriptors.rlim_cur, INT_MAX)));
  }
  if (limits.per_address == 0) limits.per_address = ThreeQuarters(limits.connections);
  return limits;
}

}  // namespace

ConnectionTable::ConnectionTable(ConnectionLimits limits, AdmissionLog* log)
    : limits_(Completed(limits)),
      most_strangers_(
          std::max(1, static_cast<int>(std::ceil(limits_.connections * limits_.strangers)))),
      log_(log) {}

absl::StatusOr<std::shared_ptr<OpenConnection>> ConnectionTable::Add(int fd) {
  const std::optional<Endpoint> peer = PeerOf(fd);
  if (!peer) return Unavailable("its client has closed it");
  auto added = std::make_shared<OpenConnection>(fd, *peer);
  absl::MutexLock lock(&mu_);
  if (open_.contains(*peer)) Drop(*peer);  // closed, and the client uses its port again
  if (IsFull() || IsFull(peer->address)) ForgetClosed();
  const bool own = IsFull(peer->address);
  if (own || IsFull()) {
    const Strangers& strangers = own ? addresses_[peer->address].strangers : strangers_;
    if (strangers.empty())
      return ResourceExhausted(peer->ToString(), " is one too many: of ", open_.size(),
                               " connections, all have sessions");
    EndOldest(strangers);
  }
  open_[*peer] = {.connection = added, .number = ++last_number_};
  strangers_[last_number_] = *peer;
  Address& address = addresses_[peer->address];
  ++address.connections;
  address.strangers[last_number_] = *peer;
  return added;
}

std::shared_ptr<OpenConnection> ConnectionTable::Find(absl::string_view peer) const {
  const std::optional<Endpoint> endpoint = ParseEndpoint(peer);
  if (!endpoint) return nullptr;
  absl::MutexLock lock(&mu_);
  const auto found = open_.find(*endpoint);
  return found == open_.end() ? nullptr : found->second.connection;
}

void ConnectionTable::BecomesKnown(OpenConnection* connection) {
  if (!connection->BecomesKnown()) return;
  connection->HoldMuch();
  absl::MutexLock lock(&mu_);
  const auto found = open_.find(connection->peer());
  if (found == open_.end() || found->second.connection.get() != connection) return;
  strangers_.erase(found->second.number);
  const IpAddress& address = connection->peer().address;
  addresses_[address].strangers.erase(found->second.number);
  if (const auto calls = strangers_calls_.find(address); calls != strangers_calls_.end())
    calls->second.GiveBack(found->second.taken);
}

absl::Status ConnectionTable::MayCall(const OpenConnection& connection, int cost) {
  const Endpoint& peer = connection.peer();
  const bool known = connection.known();
  bool goes_on = false;
  {
    const absl::Time now = absl::Now();
    absl::MutexLock lock(&mu_);
    const auto found = open_.find(peer);
    if (found == open_.end())
      return Unavailable("the connection of ", peer.ToString(), " has ended");
    Entry& entry = found->second;
    TokenBucket& strangers =
        strangers_calls_.try_emplace(peer.address, kStrangersCalls, kStrangersBurst).first->second;
    if ((known ? entry.calls : strangers).Take(cost, now)) {
      if (!known) entry.taken += cost;
      return absl::OkStatus();
    }
    goes_on = !known && (++entry.refused > kMostRefused || IsHarmfulAt(peer.address, now));
  }
  const std::string why =
      Cat("makes too many calls a second",
          known ? "" : ", with others at its address that have no session either");
  if (goes_on) EndHarmful(connection, Cat("it ", why));
  return ResourceExhausted("the client at ", peer.ToString(), " ", why);
}

void ConnectionTable::Remove(const OpenConnection* connection) {
  absl::MutexLock lock(&mu_);
  const auto found = open_.find(connection->peer());
  if (found != open_.end() && found->second.connection.get() == connection)
    Drop(connection->peer());
}

void ConnectionTable::EndOldestStranger() {
  absl::MutexLock lock(&mu_);
  if (!strangers_.empty()) EndOldest(strangers_);
}

void ConnectionTable::EndHarmful(const OpenConnection& connection, absl::string_view why) {
  if (connection.Reset())
    log_->Refused("closes the connection of ", connection.peer().ToString(), ": ", why);
  absl::MutexLock lock(&mu_);
  harmful_until_[connection.peer().address] = absl::Now() + kHarmful;
}

bool ConnectionTable::IsHarmful(const IpAddress& address) const {
  absl::MutexLock lock(&mu_);
  return IsHarmfulAt(address, absl::Now());
}

bool ConnectionTable::IsHarmfulAt(const IpAddress& address, absl::Time now) const {
  const auto found = harmful_until_.find(address);
  return found != harmful_until_.end() && now < found->second;
}

void ConnectionTable::Check() {
  const absl::Time now = absl::Now();
  std::vector<std::shared_ptr<OpenConnection>> harmful;
  {
    absl::MutexLock lock(&mu_);
    looked_ = absl::InfinitePast();
    ForgetClosed();
    absl::erase_if(harmful_until_, [now](const auto& one) { return one.second <= now; });
    absl::erase_if(strangers_calls_, [now](auto& one) { return one.second.IsFull(now); });
    for (const auto& [peer, entry] : open_) {
      if (entry.connection->CheckBytes(now)) harmful.push_back(entry.connection);
    }
  }
  for (const auto& connection : harmful)
    EndHarmful(*connection,
               Cat("it goes on to send more than ", OpenConnection::kIdleBytesPerSecond,
                   " bytes a second that belong to no call"));
}

bool ConnectionTable::IsIdle() const {
  absl::MutexLock lock(&mu_);
  return open_.empty() && harmful_until_.empty() && strangers_calls_.empty();
}

bool ConnectionTable::IsFull() const {
  return Reaches(open_.size(), limits_.connections) || Reaches(strangers_.size(), most_strangers_);
}

bool ConnectionTable::IsFull(const IpAddress& address) const {
  const auto found = addresses_.find(address);
  return found != addresses_.end() &&
         (Reaches(found->second.connections, limits_.per_address) ||
          Reaches(found->second.strangers.size(), ThreeQuarters(limits_.per_address)));
}

void ConnectionTable::Drop(const Endpoint& peer) {
  const auto found = open_.find(peer);
  const uint64_t number = found->second.number;
  open_.erase(found);
  strangers_.erase(number);
  const auto address = addresses_.find(peer.address);
  address->second.strangers.erase(number);
  if (--address->second.connections == 0) addresses_.erase(address);
}

void ConnectionTable::ForgetClosed() {
  const absl::Time now = absl::Now();
  if (now - looked_ < kLookAgain) return;
  looked_ = now;
  std::vector<std::shared_ptr<OpenConnection>> closed;
  for (const auto& [peer, entry] : open_) {
    if (!entry.connection->IsOpen()) closed.push_back(entry.connection);
  }
  for (const auto& connection : closed) {
    if (!connection->admitted())
      log_->Refused("the connection of ", connection->peer().ToString(),
                    " ended before a call was admitted");
    Drop(connection->peer());
  }
}

void ConnectionTable::EndOldest(const Strangers& strangers) {
  // Of the oldest ones, one that has not even made a call.
  auto chosen = strangers.begin();
  int seen = 0;
  for (auto one = chosen; one != strangers.end() && seen < kOldest; ++one, ++seen) {
    if (open_.at(one->second).connection->admitted()) continue;
    chosen = one;
    break;
  }
  const Endpoint peer = chosen->second;
  log_->Refused("closes the connection of ", peer.ToString(),
                ": it is the oldest without a session, and a new one needs its place");
  open_.at(peer).connection->Reset();
  Drop(peer);
}

}  // namespace sluice::transport
