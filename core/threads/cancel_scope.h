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
  static bool Cancelled() { return token_ != nullptr && token_->cancelled(); }

 private:
  static inline constinit thread_local const CancelToken* token_ = nullptr;

  const CancelToken* const outer_;
};

// A long loop calls it about once a millisecond. ParallelFor calls it between its blocks, also if
// it has no pool.
inline void ThrowIfCancelled() {
  if (CancelScope::Cancelled()) [[unlikely]]
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

// The numbers [0, n), for a loop without ParallelFor: for (const int64_t i : Cancellable(n)) ...
// Looks at the cancellation before the first and then every 64 of them.
class Cancellable {
 public:
  explicit Cancellable(int64_t n) : n_(n) {}

  class Number {
   public:
    explicit Number(int64_t i) : i_(i) {}
    int64_t operator*() const { return i_; }
    void operator++() { ++i_; }
    bool operator!=(const Number& end) const {
      if ((i_ & 63) == 0) ThrowIfCancelled();
      return i_ < end.i_;
    }

   private:
    int64_t i_;
  };
  Number begin() const { return Number(0); }
  Number end() const { return Number(n_); }

 private:
  const int64_t n_;
};

// The order of a sort, which looks at the cancellation now and then. Algorithms copy their order,
// so `points` is outside of it.
template <typename Before>
auto CancellableOrder(CancelPoints& points, const Before& before) {
  return [&points, &before](const auto& a, const auto& b) {
    points.Pass();
    return before(a, b);
  };
}

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
