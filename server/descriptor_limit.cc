// SPDX-License-Identifier: Apache-2.0
#include "server/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace sluice::server {

void RaiseDescriptorLimit() {
  constexpr rlim_t kEnough = 65'536;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough) return;
  limit.rlim_cur = std::min(limit.rlim_max, kEnough);
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace sluice::server
