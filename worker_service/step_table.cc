// SPDX-License-Identifier: Apache-2.0
#include "worker_service/step_table.h"

#include "absl/time/clock.h"

namespace sluice::worker {

namespace {

// Steps to end after the table's lock is released, on every path.
struct Dropped : std::vector<std::shared_ptr<Step>> {
  ~Dropped() {
    for (auto& step : *this) step->End();
  }
};

}  // namespace

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
    step = std::move(it->second.step);
    steps_.erase(it);
    Master& master = masters_[id.master];
    if (id.number >= master.oldest_live) master.ended.insert(id.number);
  }
  step->End();
}

std::shared_ptr<Step> StepTable::FindOrExpect(const transport::StepId& id) {
  absl::MutexLock lock(&mu_);
  auto it = steps_.find(id);
  if (it != steps_.end()) return it->second.step;
  auto master = masters_.find(id.master);
  if (master != masters_.end() &&
      (id.number < master->second.oldest_live || master->second.ended.contains(id.number))) {
    return nullptr;
  }
  return steps_.emplace(id, Entry{std::make_shared<Step>(id, peers_), false}).first->second.step;
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
