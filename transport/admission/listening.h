// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_ADMISSION_LISTENING_H_
#define SLUICE_TRANSPORT_ADMISSION_LISTENING_H_

#include <string>
#include <vector>

#include "core/status.h"
#include "transport/poll/descriptor.h"

namespace sluice::transport {

// Sockets that listen at `address`: "127.0.0.1:2222", "[::1]:0", "localhost:2222". There is one for
// each address of the host, all with the same port, which is stored in `*port`. The addresses
// "0.0.0.0" and "::" both mean IPv4 and IPv6.
//
// Accepted connections inherit their options: small writes are sent at once, and data that a peer
// does not acknowledge for 5 s ends the connection. poll reports the first bytes of a connection
// when kFirstBytes have arrived; WatchEveryByte ends that.
absl::StatusOr<std::vector<Descriptor>> ListenAt(const std::string& address, int* port);

inline constexpr int kFirstBytes = 24;  // the length of HTTP/2's preface
void WatchEveryByte(int connection);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ADMISSION_LISTENING_H_
