// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RDMA_OPTIONS_H_
#define SLUICE_TRANSPORT_RDMA_OPTIONS_H_

#include <string>
#include <variant>

#include "absl/types/span.h"

namespace sluice::transport {

// Which device is used, and how. The defaults suit most networks.
struct RdmaSettings {
  std::string device = "";  // a name such as mlx5_0; empty: found
  int port = 0;             // 0: found
  int gid_index = -1;       // -1: found
  int mtu = 0;              // bytes of a packet; 0: what the port has
  int service_level = 0, traffic_class = 0;
  int timeout = 14;     // a packet is sent again after 4.096 us * 2^timeout ...
  int retry_count = 7;  // ... so many times
  int pinned_mb = 0;    // limit of the registered memory of this process; 0: found
  bool unencrypted = false;
};

// The options of RDMA, one row each. sluice-server declares them, docs/configuration.md lists them.
struct RdmaOption {
  const char* name;  // without dashes
  std::variant<std::string RdmaSettings::*, int RdmaSettings::*, bool RdmaSettings::*> field;
  const char* standard;  // what the default means
  const char* effect;
  int low = 0, high = 0;  // of a number
};
absl::Span<const RdmaOption> RdmaOptions();

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RDMA_OPTIONS_H_
