// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_BOUNDED_TABLE_H_
#define SLUICE_KERNELS_CUDA_COMMON_BOUNDED_TABLE_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace sluice::kernels {

// Values by key, at most `limit` of them: the oldest goes first.
//
// Threads:  any.
template <typename Key, typename Value>
class BoundedTable {
 public:
  explicit BoundedTable(size_t limit) : limit_(limit) {}

  // Null if there is none.
  std::shared_ptr<Value> Find(const Key& key) {
    absl::MutexLock lock(&mu_);
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : found->second;
  }
  // Returns the value that is kept: another thread's, if that came first.
  std::shared_ptr<Value> Insert(const Key& key, std::shared_ptr<Value> value) {
    absl::MutexLock lock(&mu_);
    const auto [entry, is_new] = values_.try_emplace(key, std::move(value));
    std::shared_ptr<Value> kept = entry->second;
    if (!is_new) return kept;
    order_.push_back(key);
    if (order_.size() > limit_) {
      values_.erase(order_.front());
      order_.pop_front();
    }
    return kept;
  }
  size_t size() {
    absl::MutexLock lock(&mu_);
    return order_.size();
  }

 private:
  const size_t limit_;
  absl::Mutex mu_;
  absl::flat_hash_map<Key, std::shared_ptr<Value>> values_ ABSL_GUARDED_BY(mu_);
  std::deque<Key> order_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COMMON_BOUNDED_TABLE_H_
