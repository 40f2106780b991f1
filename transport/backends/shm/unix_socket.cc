// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/shm/unix_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sluice::transport {
namespace {

constexpr int kMaxDescriptors = 4;
constexpr size_t kMaxPacket = 16 << 10;

struct Address {
  explicit Address(const std::string& name) {
    address.sun_family = AF_UNIX;  // the path begins with a zero byte: an abstract name
    const size_t length = std::min(name.size(), sizeof(address.sun_path) - 1);
    std::memcpy(address.sun_path + 1, name.data(), length);
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
  sockaddr_un address = {};
  socklen_t size = 0;
};

Descriptor NewSocket() {
  return Descriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Abstract names have no owner and no permissions: any user may connect, or bind a name that was
// released.
bool IsSameUser(int socket) {
  ucred peer = {};
  socklen_t size = sizeof(peer);
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

}  // namespace

absl::StatusOr<Descriptor> ListenUnix(const std::string& name) {
  const Address address(name);
  Descriptor listener = NewSocket();
  if (!listener.valid() || bind(listener.get(), address.get(), address.size) != 0 ||
      listen(listener.get(), SOMAXCONN) != 0)
    return Unavailable("cannot listen at the socket \"", name, "\": ", strerror(errno));
  return listener;
}

absl::StatusOr<Descriptor> ConnectUnix(const std::string& name) {
  const Address address(name);
  Descriptor out = NewSocket();
  if (!out.valid() || connect(out.get(), address.get(), address.size) != 0)
    return Unavailable("cannot connect to the socket \"", name, "\": ", strerror(errno));
  if (!IsSameUser(out.get()))
    return Unavailable("another user listens at the socket \"", name, "\"");
  return out;
}

Descriptor AcceptUnix(int listener) {
  while (true) {
    Descriptor in(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!in.valid() || IsSameUser(in.get())) return in;
  }
}

absl::Status SendPacket(int socket, absl::string_view bytes, const std::vector<int>& descriptors) {
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptors * sizeof(int))] = {};
  iovec piece = {const_cast<char*>(bytes.data()), bytes.size()};
  msghdr message = {};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    const size_t length = descriptors.size() * sizeof(int);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(length);
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(length);
    std::memcpy(CMSG_DATA(head), descriptors.data(), length);
  }
  if (sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
    return Unavailable("cannot send a packet: ", strerror(errno));
  return absl::OkStatus();
}

absl::StatusOr<Packet> ReceivePacket(int socket) {
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptors * sizeof(int))] = {};
  char buffer[kMaxPacket];
  iovec piece = {buffer, sizeof(buffer)};
  msghdr message = {};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  const ssize_t got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (got < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return Unavailable("no packet");
    return Internal("cannot receive a packet: ", strerror(errno));
  }
  Packet packet;
  for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr;
       head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = 0; CMSG_LEN(at + sizeof(int)) <= head->cmsg_len; at += sizeof(int)) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(head) + at, sizeof(int));
      packet.descriptors.emplace_back(descriptor);
    }
  }
  packet.bytes.assign(buffer, static_cast<size_t>(got));
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0)
    return InvalidArgument("a packet that is too long");
  return packet;
}

}  // namespace sluice::transport
