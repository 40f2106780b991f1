// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PEER_ADDRESS_H_
#define SLUICE_TRANSPORT_PEER_ADDRESS_H_

#include <string>
#include <vector>

namespace sluice::transport {

// Names of transports in order of preference.
using TransportNames = std::vector<std::string>;

// The address of a peer task, from the view of this task.
struct PeerAddress {
  std::string task;     // "/job:worker/replica:0/task:1"
  std::string address;  // "host:port"
  // The name of this task at the peer; empty: its own name. A session with its own cluster gives
  // tasks other names, which end in "#" and the session.
  std::string as = "";
  // Allowed transports for tensors, for a session with its own choice. If empty, those of this
  // task's configuration.
  TransportNames transports = {};
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PEER_ADDRESS_H_
