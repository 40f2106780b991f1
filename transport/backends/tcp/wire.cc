// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/tcp/wire.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "transport/backends/tcp/socket.h"

namespace sluice::transport {
namespace {

// Copies from tensor memory to tensor memory.
class PlainWire final : public Wire {
 public:
  explicit PlainWire(int socket) : socket_(socket) {}

  absl::StatusOr<Progress> Write(absl::Span<const iovec> pieces) override {
    msghdr header = {};
    header.msg_iov = const_cast<iovec*>(pieces.data());
    header.msg_iovlen = std::min<size_t>(pieces.size(), IOV_MAX);
    const ssize_t written = sendmsg(socket_, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written >= 0) return Progress{static_cast<size_t>(written)};
    if (NotNow(errno)) return Progress{0, Next::kAwait};
    return Unavailable("writing failed: ", strerror(errno));
  }

  absl::StatusOr<Progress> Read(absl::Span<const iovec> places) override {
    const ssize_t got = readv(socket_, places.data(), static_cast<int>(places.size()));
    if (got == 0) return Progress{0, Next::kEnded};
    if (got < 0 && NotNow(errno)) return Progress{0, Next::kAwait};
    if (got < 0) return Unavailable("reading failed: ", strerror(errno));
    size_t room = 0;
    for (const iovec& place : places) room += place.iov_len;
    const auto bytes = static_cast<size_t>(got);
    return Progress{bytes, bytes < room ? Next::kAwait : Next::kGoOn};
  }

  bool holds_bytes() const override { return false; }

 private:
  const int socket_;
};

}  // namespace

std::unique_ptr<Wire> CreatePlainWire(int socket) { return std::make_unique<PlainWire>(socket); }

}  // namespace sluice::transport
