// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_ROUTINE_H_
#define SLUICE_WORKER_SERVICE_GROUPS_ROUTINE_H_

#include <coroutine>
#include <exception>
#include <utility>

#include "core/runtime/kernel.h"
#include "core/status.h"

namespace sluice::worker {

// A Routine is a coroutine that ends with a Status. An algorithm written as a Routine reads like a
// program that blocks, but holds no thread while it waits.
//
//   Routine Twice(Exchange& exchange) {
//     SLUICE_CO_RETURN_IF_ERROR(co_await Once(exchange));
//     co_return co_await Once(exchange);
//   }
//
// Threads:  a Routine runs on one thread at a time: the one that starts it, or that completes what
//           it waits for.
class Routine {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type {
    absl::Status status;
    Done done;                             // of a Routine that was started
    std::coroutine_handle<> waiting = {};  // of one that is awaited

    Routine get_return_object() { return Routine(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    void return_value(absl::Status value) { status = std::move(value); }
    void unhandled_exception() { std::terminate(); }

    struct End {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(Handle ended) noexcept {
        promise_type& promise = ended.promise();
        if (promise.waiting) return promise.waiting;  // its owner destroys it
        Done done = std::move(promise.done);
        absl::Status status = std::move(promise.status);
        ended.destroy();
        done(std::move(status));
        return std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };
    End final_suspend() noexcept { return {}; }
  };

  Routine(Routine&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Routine& operator=(Routine&&) = delete;
  ~Routine() {
    if (handle_) handle_.destroy();
  }

  // Runs it until it first waits. `done` is called at its end, maybe before this returns.
  void Start(Done done) && {
    const Handle handle = std::exchange(handle_, {});
    handle.promise().done = std::move(done);
    handle.resume();
  }

  // co_await runs another Routine within this one.
  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    handle_.promise().waiting = waiting;
    return handle_;
  }
  absl::Status await_resume() { return std::move(handle_.promise().status); }

 private:
  explicit Routine(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace sluice::worker

// As SLUICE_RETURN_IF_ERROR and SLUICE_ASSIGN, within a Routine.
#define SLUICE_CO_ASSIGN(decl, expr) \
  SLUICE_CO_ASSIGN_INNER(SLUICE_CONCAT(sluice_or_, __LINE__), decl, expr)
#define SLUICE_CO_ASSIGN_INNER(tmp, decl, expr)     \
  auto tmp = (expr);                                \
  if (!tmp.ok()) co_return std::move(tmp).status(); \
  decl = *std::move(tmp)
#define SLUICE_CO_RETURN_IF_ERROR(...) \
  if (absl::Status sluice_status = (__VA_ARGS__); !sluice_status.ok()) co_return sluice_status

#endif  // SLUICE_WORKER_SERVICE_GROUPS_ROUTINE_H_
