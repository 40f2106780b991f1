// SPDX-License-Identifier: Apache-2.0
#include "server/short_slices.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace sluice::server {
namespace {

constexpr int kHere = 0;  // the calling thread

// The first version of what sched_setattr(2) calls sched_attr. <linux/sched/types.h> and <sched.h>
// cannot be included together.
struct Attributes {
  uint32_t size = sizeof(Attributes);
  uint32_t policy = 0;
  uint64_t flags = 0;
  int32_t nice = 0;
  uint32_t priority = 0;
  uint64_t slice_ns = 0;  // of a real-time thread: its runtime
  uint64_t deadline_ns = 0;
  uint64_t period_ns = 0;
};

bool Get(Attributes& attributes) {
  return syscall(SYS_sched_getattr, kHere, &attributes, sizeof(attributes), 0) == 0;
}

}  // namespace

void UseShortSlices() {
  Attributes attributes;
  // Whoever started the process may have chosen another policy.
  if (!Get(attributes) || attributes.policy != SCHED_OTHER) return;
  attributes.slice_ns = static_cast<uint64_t>(absl::ToInt64Nanoseconds(kShortSlice));
  syscall(SYS_sched_setattr, kHere, &attributes, 0);
}

absl::Duration SliceHere() {
  Attributes attributes;
  return Get(attributes) ? absl::Nanoseconds(attributes.slice_ns) : absl::ZeroDuration();
}

}  // namespace sluice::server
