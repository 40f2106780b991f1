// SPDX-License-Identifier: Apache-2.0
// Tells ThreadSanitizer the order that absl::Mutex, Notification, BlockingCounter and the reference
// count of a Status establish.
//
// Debian's Abseil is not built with ThreadSanitizer. It takes its locks by atomics that TSan does
// not see, so data guarded by an absl::Mutex would be reported as a race. These definitions
// override those of libabsl_synchronization.so (a program's symbols win over a library's), call
// them, and add the edges: acquire after a lock, release before an unlock. TSan's deadlock detector
// gets no information; Abseil has its own.
//
// While Unlock runs, Abseil evaluates the conditions of waiters on this thread. The lock is still
// held, but TSan sees it as released, so reads are ignored there, and while a wait evaluates its
// own condition.
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <string>

#include "absl/status/status.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"

extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
}

namespace absl {
ABSL_NAMESPACE_BEGIN
namespace {

#define SLUICE_STRING(x) #x
#define SLUICE_VALUE_STRING(x) SLUICE_STRING(x)
constexpr char kInlineNamespace[] = SLUICE_VALUE_STRING(ABSL_OPTION_INLINE_NAMESPACE_NAME);

// The library's member function; `mangled` is its name without the namespace, after a K if it is
// const. It is called with `this` first.
template <class Function>
Function* Real(const char* mangled) {
  const std::string space = kInlineNamespace;
  const bool is_const = mangled[0] == 'K';
  const std::string name = (is_const ? "_ZNK4absl" : "_ZN4absl") + std::to_string(space.size()) +
                           space + (mangled + is_const);
  void* found = dlsym(RTLD_NEXT, name.c_str());
  if (found == nullptr) __builtin_trap();  // not the Abseil for which this file was written
  return reinterpret_cast<Function*>(found);
}

void Release(void* mutex) { __tsan_release(mutex); }

struct AcquireAtEnd {
  const void* mutex;
  ~AcquireAtEnd() { __tsan_acquire(const_cast<void*>(mutex)); }
};

struct IgnoreReads {
  IgnoreReads() { AnnotateIgnoreReadsBegin(__FILE__, __LINE__); }
  ~IgnoreReads() { AnnotateIgnoreReadsEnd(__FILE__, __LINE__); }
};

}  // namespace

// The last holder deletes the object that the others have read.
void Status::UnrefNonInlined(uintptr_t rep) {
  static auto* const real = Real<void(uintptr_t)>("6Status15UnrefNonInlinedEm");
  void* const count = RepToPointer(rep);
  __tsan_release(count);
  __tsan_acquire(count);
  real(rep);
}

void Mutex::Lock() {
  static auto* const real = Real<void(Mutex*)>("5Mutex4LockEv");
  const AcquireAtEnd acquire{this};
  real(this);
}

void Mutex::ReaderLock() {
  static auto* const real = Real<void(Mutex*)>("5Mutex10ReaderLockEv");
  const AcquireAtEnd acquire{this};
  real(this);
}

bool Mutex::TryLock() {
  static auto* const real = Real<bool(Mutex*)>("5Mutex7TryLockEv");
  const AcquireAtEnd acquire{this};
  return real(this);
}

bool Mutex::ReaderTryLock() {
  static auto* const real = Real<bool(Mutex*)>("5Mutex13ReaderTryLockEv");
  const AcquireAtEnd acquire{this};
  return real(this);
}

void Mutex::Unlock() {
  static auto* const real = Real<void(Mutex*)>("5Mutex6UnlockEv");
  Release(this);
  const IgnoreReads ignore;
  real(this);
}

void Mutex::ReaderUnlock() {
  static auto* const real = Real<void(Mutex*)>("5Mutex12ReaderUnlockEv");
  Release(this);
  const IgnoreReads ignore;
  real(this);
}

void Mutex::Await(const Condition& condition) {
  static auto* const real = Real<void(Mutex*, const Condition&)>("5Mutex5AwaitERKNS0_9ConditionE");
  Release(this);
  const AcquireAtEnd acquire{this};
  const IgnoreReads ignore;
  real(this, condition);
}

bool Mutex::AwaitWithTimeout(const Condition& condition, Duration timeout) {
  static auto* const real = Real<bool(Mutex*, const Condition&, Duration)>(
      "5Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE");
  Release(this);
  const AcquireAtEnd acquire{this};
  const IgnoreReads ignore;
  return real(this, condition, timeout);
}

bool Mutex::AwaitWithDeadline(const Condition& condition, Time deadline) {
  static auto* const real = Real<bool(Mutex*, const Condition&, Time)>(
      "5Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE");
  Release(this);
  const AcquireAtEnd acquire{this};
  const IgnoreReads ignore;
  return real(this, condition, deadline);
}

void Mutex::LockWhen(const Condition& condition) {
  static auto* const real =
      Real<void(Mutex*, const Condition&)>("5Mutex8LockWhenERKNS0_9ConditionE");
  const AcquireAtEnd acquire{this};
  const IgnoreReads ignore;
  real(this, condition);
}

bool Mutex::LockWhenWithTimeout(const Condition& condition, Duration timeout) {
  static auto* const real = Real<bool(Mutex*, const Condition&, Duration)>(
      "5Mutex19LockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE");
  const AcquireAtEnd acquire{this};
  const IgnoreReads ignore;
  return real(this, condition, timeout);
}

bool Mutex::LockWhenWithDeadline(const Condition& condition, Time deadline) {
  static auto* const real = Real<bool(Mutex*, const Condition&, Time)>(
      "5Mutex20LockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE");
  const AcquireAtEnd acquire{this};
  const IgnoreReads ignore;
  return real(this, condition, deadline);
}

void Mutex::ReaderLockWhen(const Condition& condition) {
  static auto* const real =
      Real<void(Mutex*, const Condition&)>("5Mutex14ReaderLockWhenERKNS0_9ConditionE");
  const AcquireAtEnd acquire{this};
  const IgnoreReads ignore;
  real(this, condition);
}

bool Mutex::ReaderLockWhenWithTimeout(const Condition& condition, Duration timeout) {
  static auto* const real = Real<bool(Mutex*, const Condition&, Duration)>(
      "5Mutex25ReaderLockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE");
  const AcquireAtEnd acquire{this};
  const IgnoreReads ignore;
  return real(this, condition, timeout);
}

bool Mutex::ReaderLockWhenWithDeadline(const Condition& condition, Time deadline) {
  static auto* const real = Real<bool(Mutex*, const Condition&, Time)>(
      "5Mutex26ReaderLockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE");
  const AcquireAtEnd acquire{this};
  const IgnoreReads ignore;
  return real(this, condition, deadline);
}

void CondVar::Wait(Mutex* mutex) {
  static auto* const real = Real<void(CondVar*, Mutex*)>("7CondVar4WaitEPNS0_5MutexE");
  Release(mutex);
  const AcquireAtEnd acquire{mutex};
  real(this, mutex);
}

bool CondVar::WaitWithTimeout(Mutex* mutex, Duration timeout) {
  static auto* const real = Real<bool(CondVar*, Mutex*, Duration)>(
      "7CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE");
  Release(mutex);
  const AcquireAtEnd acquire{mutex};
  return real(this, mutex, timeout);
}

bool CondVar::WaitWithDeadline(Mutex* mutex, Time deadline) {
  static auto* const real =
      Real<bool(CondVar*, Mutex*, Time)>("7CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE");
  Release(mutex);
  const AcquireAtEnd acquire{mutex};
  return real(this, mutex, deadline);
}

// These two have a fast path that takes no lock.
void Notification::Notify() {
  static auto* const real = Real<void(Notification*)>("12Notification6NotifyEv");
  Release(this);
  real(this);
}

void Notification::WaitForNotification() const {
  static auto* const real =
      Real<void(const Notification*)>("K12Notification19WaitForNotificationEv");
  const AcquireAtEnd acquire{this};
  real(this);
}

bool Notification::WaitForNotificationWithTimeout(Duration timeout) const {
  static auto* const real = Real<bool(const Notification*, Duration)>(
      "K12Notification30WaitForNotificationWithTimeoutENS0_8DurationE");
  const AcquireAtEnd acquire{this};
  return real(this, timeout);
}

bool Notification::WaitForNotificationWithDeadline(Time deadline) const {
  static auto* const real = Real<bool(const Notification*, Time)>(
      "K12Notification31WaitForNotificationWithDeadlineENS0_4TimeE");
  const AcquireAtEnd acquire{this};
  return real(this, deadline);
}

bool BlockingCounter::DecrementCount() {
  static auto* const real = Real<bool(BlockingCounter*)>("15BlockingCounter14DecrementCountEv");
  Release(this);
  return real(this);
}

void BlockingCounter::Wait() {
  static auto* const real = Real<void(BlockingCounter*)>("15BlockingCounter4WaitEv");
  const AcquireAtEnd acquire{this};
  real(this);
}

ABSL_NAMESPACE_END
}  // namespace absl
