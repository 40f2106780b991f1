// SPDX-License-Identifier: Apache-2.0
#include "worker_service/step_table.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/time/clock.h"
#include "core/tensor/memory_budget.h"

namespace sluice::worker {

namespace {

// A waiting step counts as so many bytes, so that their number is limited too.
constexpr int64_t kStepBytes = 1024;

int64_t LimitOf(int64_t given) {
  if (given > 0) return given;
  const int64_t all = MemoryLimit();
  return all > 0 ? all / 4 : std::numeric_limits<int64_t>::max();
}

// Steps to end after the table's lock is released, on every path.
struct Dropped : std::vector<std::shared_ptr<Step>> {
  ~Dropped() {
    for (auto& step : *this) step->End();
  }
};

}  // namespace

StepTable::StepTable(Peers* peers, int64_t limit) : peers_(peers), limit_(LimitOf(limit)) {}

absl::StatusOr<std::shared_ptr<Step>> StepTable::Begin(const transport::StepId& id,
                                                       uint64_t oldest_live) {
  Dropped dropped;
  std::shared_ptr<Step> step;
  {
    absl::MutexLock lock(&mu_);
    Master& master = masters_[id.master];
    master.heard = absl::Now();
    if (oldest_live > master.oldest_live) {
      master.oldest_live = oldest_live;
      absl::erase_if(master.ended, [&](uint64_t number) { return number < oldest_live; });
      absl::erase_if(steps_, [&](auto& item) {
        if (item.first.master != id.master || item.first.number >= oldest_live ||
            item.second.running)
          return false;
        Uncount(item.second);
        dropped.push_back(std::move(item.second.step));
        return true;
      });
    }
    if (id.number < master.oldest_live || master.ended.contains(id.number))
      return Aborted("step ", id, " has ended");
    Entry& entry = steps_[id];
    if (entry.running) return Aborted("step ", id, " runs already");
    if (entry.step == nullptr) entry.step = std::make_shared<Step>(id, peers_);
    entry.running = true;
    Uncount(entry);
    step = entry.step;
  }
  return step;
}

void StepTable::End(const transport::StepId& id) {
  std::shared_ptr<Step> step;
  {
    absl::MutexLock lock(&mu_);
    auto it = steps_.find(id);
    if (it == steps_.end()) return;
    Uncount(it->second);
    step = std::move(it->second.step);
    steps_.erase(it);
    Master& master = masters_[id.master];
    if (id.number >= master.oldest_live) master.ended.insert(id.number);
  }
  step->End();
}

// The step's entry, which is new if nothing is known of it; the end if it has ended.
StepTable::Steps::iterator StepTable::Expect(const transport::StepId& id) {
  if (auto it = steps_.find(id); it != steps_.end()) return it;
  auto master = masters_.find(id.master);
  if (master != masters_.end() &&
      (id.number < master->second.oldest_live || master->second.ended.contains(id.number))) {
    return steps_.end();
  }
  if (waiting_bytes_ > limit_ - kStepBytes) {
    masters_[id.master].ended.insert(id.number);
    return steps_.end();
  }
  const auto it = steps_.try_emplace(id).first;
  it->second.step = std::make_shared<Step>(id, peers_);
  it->second.bytes = kStepBytes;
  waiting_bytes_ += kStepBytes;
  return it;
}

std::shared_ptr<Step> StepTable::FindOrExpect(const transport::StepId& id) {
  absl::MutexLock lock(&mu_);
  const auto it = Expect(id);
  return it == steps_.end() || it->second.dropping ? nullptr : it->second.step;
}

std::shared_ptr<Step> StepTable::Keep(const transport::StepId& id, const std::string& peer,
                                      int64_t bytes) {
  std::shared_ptr<Step> dropped;
  {
    absl::MutexLock lock(&mu_);
    const auto it = Expect(id);
    if (it == steps_.end() || it->second.dropping) return nullptr;
    Entry& entry = it->second;
    if (entry.running) return entry.step;
    if (bytes <= limit_ - waiting_bytes_) {
      entry.bytes += bytes;
      waiting_bytes_ += bytes;
      if (std::find(entry.peers.begin(), entry.peers.end(), peer) == entry.peers.end())
        entry.peers.push_back(peer);
      return entry.step;
    }
    Drop(entry);
    dropped = entry.step;
  }
  dropped->Abort(ResourceExhausted("step ", id, " had not begun when a tensor of ", bytes,
                                   " bytes arrived for it from ", peer,
                                   ": the limit for such "
                                   "tensors is ",
                                   limit_, " bytes"));
  return nullptr;
}

void StepTable::Broken(const std::string& peer, const absl::Status& status) {
  std::vector<std::shared_ptr<Step>> dropped;
  {
    absl::MutexLock lock(&mu_);
    for (auto& [id, entry] : steps_) {
      if (std::find(entry.peers.begin(), entry.peers.end(), peer) == entry.peers.end()) continue;
      Drop(entry);
      dropped.push_back(entry.step);
    }
  }
  for (const auto& step : dropped) step->Abort(status);
}

// Its step, which the caller aborts, stays: a run that begins later gets the reason.
void StepTable::Drop(Entry& entry) {
  entry.dropping = true;
  Uncount(entry);
  entry.bytes = kStepBytes;
  waiting_bytes_ += kStepBytes;
}

void StepTable::Uncount(Entry& entry) {
  waiting_bytes_ -= std::exchange(entry.bytes, 0);
  entry.peers.clear();
}

std::vector<std::shared_ptr<Step>> StepTable::All() const {
  absl::MutexLock lock(&mu_);
  std::vector<std::shared_ptr<Step>> all;
  for (const auto& [id, entry] : steps_) all.push_back(entry.step);
  return all;
}

void StepTable::Expire(absl::Time limit) {
  Dropped dropped;
  {
    absl::MutexLock lock(&mu_);
    absl::erase_if(steps_, [&](auto& item) {
      if (item.second.running || item.second.step->created() > limit) return false;
      auto master = masters_.find(item.first.master);
      if (master != masters_.end() && master->second.heard > limit) return false;
      Uncount(item.second);
      dropped.push_back(std::move(item.second.step));
      return true;
    });
    absl::flat_hash_set<uint64_t> needed;
    for (const auto& [id, entry] : steps_) needed.insert(id.master);
    absl::erase_if(masters_, [&](const auto& item) {
      return item.second.heard <= limit && !needed.contains(item.first);
    });
  }
}

size_t StepTable::masters() const {
  absl::MutexLock lock(&mu_);
  return masters_.size();
}

size_t StepTable::size() const {
  absl::MutexLock lock(&mu_);
  return steps_.size();
}

}  // namespace sluice::worker
