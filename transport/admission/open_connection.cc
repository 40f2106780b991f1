// SPDX-License-Identifier: Apache-2.0
#include "transport/admission/open_connection.h"

#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

#include "transport/poll/descriptor.h"

namespace sluice::transport {
namespace {

// What may come without a call: the beginning of a message may be here before its call is.
constexpr double kIdleBytes = 16 << 20, kStrangersIdleBytes = 1 << 20;
constexpr int64_t kHeaderBytes = 1024, kStrangersHeaderBytes = 256;  // of a call
constexpr int kStrangersMessages = 16;
constexpr int kStrangersBuffer = 128 << 10;

#ifndef SO_BUF_LOCK
#define SO_BUF_LOCK 72
#endif

// The number that the kernel gives to a socket, and to no other; 0 if `fd` is not a socket.
uint64_t CookieOf(int fd) {
  uint64_t cookie = 0;
  socklen_t size = sizeof(cookie);
  return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

}  // namespace

OpenConnection::OpenConnection(int fd, Endpoint peer)
    : fd_(fd), cookie_(CookieOf(fd)), peer_(std::move(peer)) {}

bool OpenConnection::IsOpen() const { return CookieOf(fd_) == cookie_; }

bool OpenConnection::Reset() const {
  // The copy cannot become another file between the comparison and the call.
  const Descriptor copy(fcntl(fd_, F_DUPFD_CLOEXEC, 0));
  // As shutdown, but what the client has sent is dropped too.
  const sockaddr none = {.sa_family = AF_UNSPEC, .sa_data = {}};
  return copy.valid() && CookieOf(copy.get()) == cookie_ &&
         connect(copy.get(), &none, sizeof(none)) == 0 && !was_reset_.exchange(true);
}

void OpenConnection::HoldLittle() const {
  int locked = 0;
  socklen_t size = sizeof(locked);
  // A kernel that cannot undo it (before 5.14) is left alone.
  if (getsockopt(fd_, SOL_SOCKET, SO_BUF_LOCK, &locked, &size) != 0) return;
  setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &kStrangersBuffer, sizeof(kStrangersBuffer));
}

void OpenConnection::HoldMuch() const {
  const int unlocked = 0;
  if (IsOpen()) setsockopt(fd_, SOL_SOCKET, SO_BUF_LOCK, &unlocked, sizeof(unlocked));
}

bool OpenConnection::CheckBytes(absl::Time now) {
  cancelled_.store(0, std::memory_order_relaxed);
  if (streams_.load(std::memory_order_relaxed)) return false;
  // The length of a message is known at its end. A stranger has few at a time.
  const int reading = reading_.load(std::memory_order_relaxed);
  if (reading > 0 && (known() || reading <= kStrangersMessages)) return false;
  tcp_info info = {};
  socklen_t size = sizeof(info);
  if (getsockopt(fd_, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return false;
  // A message has frames around it. The client also acknowledges what it receives.
  const int64_t messages = bytes_.load(std::memory_order_relaxed);
  const int64_t of_calls =
      calls_.load(std::memory_order_relaxed) * (known() ? kHeaderBytes : kStrangersHeaderBytes) +
      messages + messages / 16 + static_cast<int64_t>(info.tcpi_bytes_acked) / 16;
  const int64_t idle = static_cast<int64_t>(info.tcpi_bytes_received) - of_calls;
  const double more = static_cast<double>(idle - std::exchange(idle_bytes_, idle));
  const double seconds = absl::ToDoubleSeconds(now - std::exchange(checked_, now));
  excess_ = std::max(0.0, excess_ + more - seconds * kIdleBytesPerSecond);
  return excess_ > (known() ? kIdleBytes : kStrangersIdleBytes);
}

}  // namespace sluice::transport
