// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_SHM_UNIX_SOCKET_H_
#define SLUICE_TRANSPORT_BACKENDS_SHM_UNIX_SOCKET_H_

#include <string>
#include <vector>

#include "transport/poll/poll_loop.h"

namespace sluice::transport {

// Sockets of this machine that carry packets and descriptors. Their names are abstract, so no file
// is left behind. Only processes of one user are accepted. No call waits.
absl::StatusOr<Descriptor> ListenUnix(const std::string& name);
absl::StatusOr<Descriptor> ConnectUnix(const std::string& name);
// The next connection; not valid if none is pending.
Descriptor AcceptUnix(int listener);

struct Packet {
  std::string bytes;  // empty if the peer has closed
  std::vector<Descriptor> descriptors;
};
absl::Status SendPacket(int socket, absl::string_view bytes, const std::vector<int>& descriptors);
// The next packet. UNAVAILABLE if there is none now.
absl::StatusOr<Packet> ReceivePacket(int socket);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_SHM_UNIX_SOCKET_H_
