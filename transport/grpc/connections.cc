// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/connections.h"

#include <dirent.h>
#include <ifaddrs.h>

#include <memory>
#include <optional>

#include "absl/strings/numbers.h"

namespace sluice::transport {

std::optional<absl::flat_hash_set<Endpoint>> ConnectedPeers() {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir("/proc/self/fd"), &closedir);
  if (open == nullptr) return std::nullopt;
  absl::flat_hash_set<Endpoint> peers;
  while (const dirent* const entry = readdir(open.get())) {
    int fd = 0;
    if (!absl::SimpleAtoi(entry->d_name, &fd)) continue;
    if (const std::optional<Endpoint> peer = PeerOf(fd)) peers.insert(*peer);
  }
  return peers;
}

bool IsConnected(const std::string& peer) {
  const std::optional<Endpoint> wanted = ParseEndpoint(peer);
  if (!wanted) return true;
  const auto peers = ConnectedPeers();
  return !peers || peers->contains(*wanted);
}

bool IsOfThisHost(const IpAddress& address) {
  if (IsLoopback(address)) return true;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return false;
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owned(list, &freeifaddrs);
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (const auto own = EndpointOf(one->ifa_addr); own && own->address == address) return true;
  }
  return false;
}

}  // namespace sluice::transport
