// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_FREE_PORT_H_
#define SLUICE_BENCH_FREE_PORT_H_

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace sluice {

// A loopback port without a listener. Ends the benchmark if there is none.
inline int FreePort() {
  const int probe = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (bind(probe, reinterpret_cast<sockaddr*>(&address), size) != 0) {
    std::perror("binding a free port");
    std::exit(1);
  }
  getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
  close(probe);
  return ntohs(address.sin_port);
}

}  // namespace sluice

#endif  // SLUICE_BENCH_FREE_PORT_H_
