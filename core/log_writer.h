// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_LOG_WRITER_H_
#define SLUICE_CORE_LOG_WRITER_H_

#include <atomic>
#include <deque>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace sluice {

// `text` without control characters, which become "\n", "\t", "\x1b": a name that another program
// chose does not begin a line of its own, and does not control a terminal.
std::string EscapeControls(absl::string_view text);

// A LogWriter writes lines to a descriptor and never waits for its reader. What a pipe does not
// take at once is kept, up to a limit, and written later by a thread that lives as long as there
// are such lines. Lines beyond the limit are dropped. The next line that is written counts them.
//
// Owner:    the process; never destroyed.
// Threads:  any.
class LogWriter {
 public:
  explicit LogWriter(int descriptor) : descriptor_(descriptor) {}

  void Write(std::string line);
  // Later lines, and those that are kept, go there.
  void set_descriptor(int descriptor) { descriptor_.store(descriptor, std::memory_order_relaxed); }
  // Waits until the thread has written what is kept. Returns false at the timeout.
  bool Flush(absl::Duration timeout);

 private:
  int descriptor() const { return descriptor_.load(std::memory_order_relaxed); }
  void Keep(std::string line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void StartDraining() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Drain();
  void Forget() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  std::atomic<int> descriptor_;
  absl::Mutex mu_;
  std::deque<std::string> kept_ ABSL_GUARDED_BY(mu_);  // the first may be a rest of a line
  size_t kept_bytes_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t dropped_ ABSL_GUARDED_BY(mu_) = 0;
  bool draining_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace sluice

#endif  // SLUICE_CORE_LOG_WRITER_H_
