// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_THREADS_CANCEL_SCOPE_H_
#define SLUICE_CORE_THREADS_CANCEL_SCOPE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "core/status.h"
#include "core/threads/cancel.h"

namespace sluice {

// Thrown in a CancelScope once its token is cancelled; UntilCancelled catches it.
struct WorkCancelled {};

// While a CancelScope lives, its thread does work that `token` ends, and somebody catches
// WorkCancelled. Null: nothing ends the work.
class CancelScope {
 public:
  // `token` outlives this.
  explicit CancelScope(const CancelToken* token) : outer_(token_) { token_ = token; }
  ~CancelScope() { token_ = outer_; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  static const CancelToken* OfThread() { return token_; }

 private:
  static inline constinit thread_local const CancelToken* token_ = nullptr;

  const CancelToken* const outer_;
};

// A long loop calls it about once a millisecond. ParallelFor calls it between its blocks, also if
// it has no pool.
inline void ThrowIfCancelled() {
  const CancelToken* token = CancelScope::OfThread();
  if (token != nullptr && token->cancelled()) [[unlikely]]
    throw WorkCancelled();
}

// Calls ThrowIfCancelled after every `units` of work.
class CancelPoints {
 public:
  explicit CancelPoints(int64_t units) : units_(units), left_(units) {}
  void Pass(int64_t units = 1) {
    if ((left_ -= units) > 0) return;
    left_ = units_;
    ThrowIfCancelled();
  }

 private:
  const int64_t units_;
  int64_t left_;
};

// Calls `work`, which returns a Status. A derived error with the token's reason if `token`, which
// may be null, ended it.
template <typename Work>
absl::Status UntilCancelled(const CancelToken* token, const Work& work) {
  try {
    const CancelScope scope(token);
    return work();
  } catch (const WorkCancelled&) {
    return MarkDerived(token->status());
  }
}

}  // namespace sluice

#endif  // SLUICE_CORE_THREADS_CANCEL_SCOPE_H_
