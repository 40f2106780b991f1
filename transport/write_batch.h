// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_WRITE_BATCH_H_
#define SLUICE_TRANSPORT_WRITE_BATCH_H_

#include <algorithm>
#include <atomic>

#include "absl/container/inlined_vector.h"

namespace sluice::transport {

// While a WriteBatch is alive, the tensors that its thread sends stay in the channels, and leave
// together at Flush. So a thread that runs many small nodes sends one message. If a thread has more
// than one WriteBatch, the newest counts.
//
// Owner:    the stack. Channels that received data outlive the next Flush.
// Threads:  one.
class WriteBatch {
 public:
  class Channel {
   public:
    virtual void WriteBatched() = 0;
    // True if some thread is going to call the function soon; other threads can leave the write to
    // it.
    bool batched() const { return batching_.load(std::memory_order_acquire) > 0; }

   protected:
    ~Channel() = default;

   private:
    friend class WriteBatch;
    std::atomic<int> batching_{0};  // threads
  };

  WriteBatch() : outer_(newest_) { newest_ = this; }
  ~WriteBatch() {
    newest_ = outer_;
    Flush();
  }
  WriteBatch(const WriteBatch&) = delete;
  WriteBatch& operator=(const WriteBatch&) = delete;

  bool empty() const { return waiting_.empty(); }
  // Writes all pending data.
  void Flush() {
    while (!waiting_.empty()) {
      Channel* const channel = waiting_.back();
      waiting_.pop_back();
      channel->batching_.fetch_sub(1, std::memory_order_acq_rel);
      channel->WriteBatched();
    }
  }

  // Called by a channel that has data to write. Returns false if no WriteBatch is active on this
  // thread.
  static bool Defer(Channel* channel) {
    if (newest_ == nullptr) return false;
    auto& waiting = newest_->waiting_;
    if (std::find(waiting.begin(), waiting.end(), channel) == waiting.end()) {
      waiting.push_back(channel);
      channel->batching_.fetch_add(1, std::memory_order_acq_rel);
    }
    return true;
  }

 private:
  static inline thread_local WriteBatch* newest_ = nullptr;
  WriteBatch* const outer_;
  absl::InlinedVector<Channel*, 4> waiting_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_WRITE_BATCH_H_
