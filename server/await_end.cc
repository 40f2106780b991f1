// SPDX-License-Identifier: Apache-2.0
#include "server/await_end.h"

#include <time.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace sluice::server {
namespace {

constexpr timespec kLookAfter = {.tv_sec = 0, .tv_nsec = 200'000'000};

std::string Named(int signal) { return absl::StrCat("signal ", signal); }

}  // namespace

std::string AwaitEnd(const sigset_t& signals, pid_t parent) {
  int signal = 0;
  if (parent == 0) {
    sigwait(&signals, &signal);
    return Named(signal);
  }
  // An orphan gets another parent process.
  while (getppid() == parent) {
    signal = sigtimedwait(&signals, nullptr, &kLookAfter);
    if (signal > 0) return Named(signal);
  }
  return absl::StrCat("the end of process ", parent);
}

}  // namespace sluice::server
