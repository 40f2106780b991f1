// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/connections.h"

#include <dirent.h>

#include <memory>
#include <optional>

#include "absl/strings/numbers.h"
#include "transport/admission/endpoint.h"

namespace sluice::transport {
bool IsConnected(const std::string& peer) {
  const std::optional<Endpoint> wanted = ParseEndpoint(peer);
  if (!wanted) return true;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir("/proc/self/fd"), &closedir);
  if (open == nullptr) return true;
  while (const dirent* const entry = readdir(open.get())) {
    int fd = 0;
    if (absl::SimpleAtoi(entry->d_name, &fd) && PeerOf(fd) == wanted) return true;
  }
  return false;
}

}  // namespace sluice::transport
