// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_READY_LIST_H_
#define SLUICE_WORKER_SERVICE_READY_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sluice::worker {

struct Activation;

// A node that may run. It is copied field by field: a wide load right after narrow stores stalls.
struct Ready {
  Ready(uint32_t node, bool dead, Activation* where) : node(node), dead(dead), where(where) {}
  Ready(const Ready& other) : Ready(other.node, other.dead, other.where) {}
  Ready& operator=(const Ready& other) {  // NOLINT(bugprone-unhandled-self-assignment)
    node = other.node;
    dead = other.dead;
    where = other.where;
    return *this;
  }

  uint32_t node;
  bool dead;
  Activation* where;
};

// The nodes that one thread will run, in the order in which they became ready. So a program that
// does not order a variable's read and update gives the same results as in TensorFlow.
//
// Threads:  one.
class ReadyList {
 public:
  ReadyList() = default;
  explicit ReadyList(const Ready& one) : list_{one} {}
  ReadyList(ReadyList&& other) noexcept
      : list_(std::move(other.list_)), next_(std::exchange(other.next_, 0)) {}
  ReadyList& operator=(ReadyList&& other) noexcept {
    list_ = std::move(other.list_);
    next_ = std::exchange(other.next_, 0);
    return *this;
  }

  bool empty() const { return list_.empty(); }
  size_t size() const { return list_.size() - next_; }
  Ready& operator[](size_t i) { return list_[next_ + i]; }

  void Add(const Ready& ready) { list_.push_back(ready); }
  void Add(uint32_t node, bool dead, Activation* where) { list_.emplace_back(node, dead, where); }
  Ready TakeFirst() {
    const Ready first = list_[next_];
    if (++next_ == list_.size())
      Clear();
    else if (next_ >= most_taken_)
      DropTaken();
    return first;
  }
  void Truncate(size_t size) {
    if (size == 0) return Clear();
    list_.erase(list_.begin() + static_cast<ptrdiff_t>(next_ + size), list_.end());
  }

 private:
  static constexpr size_t kMostTaken = 1024;

  void Clear() {
    list_.clear();
    next_ = 0;
  }
  void DropTaken() {
    list_.erase(list_.begin(), list_.begin() + static_cast<ptrdiff_t>(next_));
    next_ = 0;
    most_taken_ = std::max(kMostTaken, list_.size());
  }

  std::vector<Ready> list_;  // empty, or its first entry is at next_
  size_t next_ = 0;
  size_t most_taken_ = kMostTaken;  // limit of taken entries before their space is reused
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_READY_LIST_H_
