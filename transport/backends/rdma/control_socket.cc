// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/control_socket.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/io/coding.h"
#include "transport/backends/tcp/socket.h"

namespace sluice::transport {
namespace {

constexpr uint32_t kReading = EPOLLIN | EPOLLRDHUP;
constexpr size_t kPrefix = 2;

}  // namespace

absl::Status ControlSocket::Start() {
  return loop_->Watch(socket_.get(), kReading | EPOLLOUT, shared_from_this(), &watched_);
}

void ControlSocket::Send(absl::string_view packet) {
  absl::MutexLock lock(&mu_);
  if (error_ != 0) return;
  if (out_.size() > kMaxUnsent) {
    error_ = ENOBUFS;
    out_.clear();
    return;
  }
  AppendFixed(packet.size(), kPrefix, &out_);
  absl::StrAppend(&out_, packet);
  if (!waits_) WriteSome();
}

void ControlSocket::WriteSome() {
  const ssize_t written = send(socket_.get(), out_.data(), out_.size(), MSG_NOSIGNAL);
  if (written > 0) out_.erase(0, static_cast<size_t>(written));
  if (written < 0 && !NotNow(errno)) {
    error_ = errno;
    out_.clear();
  }
  waits_ = !out_.empty();
  if (waits_) loop_->Change(watched_, socket_.get(), kReading | EPOLLOUT);
}

void ControlSocket::Ready(uint32_t events) {
  if (closed_) return;
  int error = 0;
  {
    absl::MutexLock lock(&mu_);
    if ((events & EPOLLOUT) != 0) {
      loop_->Change(watched_, socket_.get(), kReading);
      waits_ = false;
      if (!out_.empty()) WriteSome();
    }
    error = error_;
  }
  const auto self = shared_from_this();
  bool ended = (events & (EPOLLHUP | EPOLLERR)) != 0;
  absl::Status status = ReadSome(&ended);
  if (status.ok() && error != 0) status = Unavailable("its control socket: ", strerror(error));
  if (!closed_ && (ended || !status.ok())) owner_->SocketEnded(status);
}

absl::Status ControlSocket::ReadSome(bool* ended) {
  constexpr int kMostReads = 16;  // then the other sockets of the loop have their turn
  char bytes[4096];
  for (int reads = 0; !closed_ && reads < kMostReads; ++reads) {
    const ssize_t got = recv(socket_.get(), bytes, sizeof(bytes), MSG_DONTWAIT);
    if (got == 0) *ended = true;
    if (got < 0 && !NotNow(errno)) return Unavailable("its control socket: ", strerror(errno));
    if (got <= 0) return absl::OkStatus();
    in_.append(bytes, static_cast<size_t>(got));
    while (!closed_ && in_.size() >= kPrefix) {
      const size_t length = DecodeFixed(absl::string_view(in_).substr(0, kPrefix));
      if (length > kMaxPacket) return InvalidArgument("a control packet of ", length, " bytes");
      if (in_.size() < kPrefix + length) break;
      const std::string packet = in_.substr(kPrefix, length);
      in_.erase(0, kPrefix + length);
      SLUICE_RETURN_IF_ERROR(owner_->ReceivePacket(packet));
    }
  }
  return absl::OkStatus();
}

void ControlSocket::Close() {
  if (std::exchange(closed_, true)) return;
  loop_->Forget(watched_, socket_.get());
  shutdown(socket_.get(), SHUT_RDWR);
}

}  // namespace sluice::transport
