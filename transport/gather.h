#ifndef SLUICE_TRANSPORT_GATHER_H_
#define SLUICE_TRANSPORT_GATHER_H_

#include <algorithm>
#include <atomic>

#include "absl/container/inlined_vector.h"

namespace sluice::transport {

// While a Gather is alive, what its thread sends waits in the channels and leaves together at
// Flush: a thread that runs one small node after the other makes one message of what they send. The
// newest of a thread counts.
//
// Owner:    the stack. Channels that were given something outlive the next Flush.
// Threads:  one.
class Gather {
 public:
  class Channel {
   public:
    virtual void WriteGathered() = 0;
    // True if some thread is going to call the function soon; other threads can leave the write to
    // it.
    bool gathered() const { return gathering_.load(std::memory_order_acquire) > 0; }

   protected:
    ~Channel() = default;

   private:
    friend class Gather;
    std::atomic<int> gathering_{0};  // threads
  };

  Gather() : outer_(newest_) { newest_ = this; }
  ~Gather() {
    newest_ = outer_;
    Flush();
  }
  Gather(const Gather&) = delete;
  Gather& operator=(const Gather&) = delete;

  bool empty() const { return waiting_.empty(); }
  // Writes what waits.
  void Flush() {
    while (!waiting_.empty()) {
      Channel* const channel = waiting_.back();
      waiting_.pop_back();
      channel->gathering_.fetch_sub(1, std::memory_order_acq_rel);
      channel->WriteGathered();
    }
  }

  // Called by a channel that has data to write. Returns false if no Gather is active on this
  // thread.
  static bool Defer(Channel* channel) {
    if (newest_ == nullptr) return false;
    auto& waiting = newest_->waiting_;
    if (std::find(waiting.begin(), waiting.end(), channel) == waiting.end()) {
      waiting.push_back(channel);
      channel->gathering_.fetch_add(1, std::memory_order_acq_rel);
    }
    return true;
  }

 private:
  static inline thread_local Gather* newest_ = nullptr;
  Gather* const outer_;
  absl::InlinedVector<Channel*, 4> waiting_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GATHER_H_
