// SPDX-License-Identifier: Apache-2.0
#include "transport/transport.h"

#include <unistd.h>

#include <climits>
#include <fstream>
#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace sluice::transport {

namespace {

const std::string& MachineId() {
  static const auto* const id = [] {
    std::string boot;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
    char net[PATH_MAX] = "";
    const ssize_t length = readlink("/proc/self/ns/net", net, sizeof(net));
    return new std::string(boot + "/" + std::string(net, length > 0 ? length : 0));
  }();
  return *id;
}

std::string& MutableHostId() {
  static auto* const id = new std::string(MachineId());
  return *id;
}

}  // namespace

const std::string& HostId() { return MutableHostId(); }

void SetHostName(const std::string& name) {
  MutableHostId() = absl::StrCat(MachineId(), "/host:", name);
}

bool IsThisMachine(absl::string_view host_id) {
  return host_id == MachineId() || absl::StartsWith(host_id, absl::StrCat(MachineId(), "/host:"));
}

std::string RandomToken() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) absl::StrAppendFormat(&token, "%08x", random());
  return token;
}

}  // namespace sluice::transport
