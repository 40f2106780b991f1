// SPDX-License-Identifier: Apache-2.0
#include "transport/transport.h"

#include <unistd.h>

#include <climits>
#include <fstream>
#include <random>

#include "absl/strings/str_format.h"

namespace sluice::transport {

const std::string& HostId() {
  static const auto* const id = [] {
    std::string boot;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
    char net[PATH_MAX] = "";
    const ssize_t length = readlink("/proc/self/ns/net", net, sizeof(net));
    return new std::string(boot + "/" + std::string(net, length > 0 ? length : 0));
  }();
  return *id;
}

std::string RandomToken() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) absl::StrAppendFormat(&token, "%08x", random());
  return token;
}

}  // namespace sluice::transport
