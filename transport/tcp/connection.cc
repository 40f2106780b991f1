#include "transport/tcp/connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

namespace sluice::transport {
namespace {

constexpr size_t kBorrowedBytes = 64 << 10;  // what a thread that sends writes itself
constexpr size_t kTurnBytes = 4 << 20;       // what the loop reads or writes of one connection
constexpr uint32_t kReading = EPOLLIN | EPOLLRDHUP;
constexpr size_t kBufferBytes = 64 << 10;
constexpr size_t kDirectBytes = 16 << 10;  // content from which reading straight to its place pays

}  // namespace

Connection::Connection(PollLoop* loop, Descriptor socket, Owner* owner)
    : loop_(loop), socket_(std::move(socket)), owner_(owner), buffer_(kBufferBytes) {}

absl::Status Connection::Start() {
  {
    absl::MutexLock lock(&mu_);
    state_ = State::kWaiting;  // for the connection; the loop writes first
  }
  return loop_->Watch(socket_.get(), kReading | EPOLLOUT, shared_from_this(), &watched_);
}

void Connection::Write() {
  {
    absl::MutexLock lock(&mu_);
    more_ = true;
    if (state_ != State::kIdle) return;
    state_ = State::kWriting;
  }
  WriteOn();
}

// REQUIRES: this thread took the connection to kWriting.
void Connection::WriteOn() {
  const size_t turn = loop_->InLoop() ? kTurnBytes : kBorrowedBytes;
  for (size_t done = 0;;) {
    if (first_piece_ == pieces_.size() && !TakeNext()) return;
    // A borrowed thread does not even begin what is large.
    const bool enough = done >= turn || (turn < kTurnBytes && message_.size() > turn);
    const auto written = enough ? absl::StatusOr<size_t>(0) : WriteSome();
    if (!written.ok()) return Close(written.status());
    done += *written;
    if (*written > 0) continue;
    absl::MutexLock lock(&mu_);
    if (state_ == State::kClosed) return;
    state_ = State::kWaiting;
    loop_->Change(watched_, socket_.get(), kReading | EPOLLOUT);
    return;
  }
}

// False: there is nothing more to write, and the connection is idle.
bool Connection::TakeNext() {
  while (true) {
    {
      absl::MutexLock lock(&mu_);
      if (state_ == State::kClosed) return false;
      more_ = false;
    }
    message_ = owner_->NextMessage(this);
    if (!message_.empty()) break;
    absl::MutexLock lock(&mu_);
    if (more_) continue;
    if (state_ == State::kWriting) state_ = State::kIdle;
    return false;
  }
  pieces_.clear();
  first_piece_ = 0;
  message_.Visit([this](absl::string_view bytes, const Tensor*) {
    pieces_.push_back({const_cast<char*>(bytes.data()), bytes.size()});
  });
  return true;
}

// The number of bytes; 0: the socket takes no more now.
absl::StatusOr<size_t> Connection::WriteSome() {
  msghdr header = {};
  header.msg_iov = pieces_.data() + first_piece_;
  header.msg_iovlen = std::min<size_t>(pieces_.size() - first_piece_, IOV_MAX);
  ssize_t written = -1;
  do {
    written = sendmsg(socket_.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (written < 0 && errno == EINTR);
  if (written < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTCONN) return 0;
    return Unavailable("writing failed: ", strerror(errno));
  }
  size_t left = static_cast<size_t>(written);
  while (left > 0) {
    iovec& piece = pieces_[first_piece_];
    const size_t n = std::min(left, piece.iov_len);
    piece.iov_base = static_cast<char*>(piece.iov_base) + n;
    piece.iov_len -= n;
    left -= n;
    if (piece.iov_len == 0) ++first_piece_;
  }
  if (first_piece_ == pieces_.size()) message_ = Message();  // lets go of the tensors
  return static_cast<size_t>(written);
}

void Connection::Ready(uint32_t events) {
  bool mine = false;
  if ((events & EPOLLOUT) != 0) {
    absl::MutexLock lock(&mu_);
    mine = state_ == State::kWaiting;
    if (mine) state_ = State::kWriting;
    if (state_ != State::kClosed) loop_->Change(watched_, socket_.get(), kReading);
  }
  if (mine) WriteOn();
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDHUP)) == 0) return;
  bool ended = false;
  const absl::Status status = ReadSome(&ended);
  if (ended || !status.ok()) CloseHere(status);
}

absl::Status Connection::ReadSome(bool* ended) {
  for (size_t taken = 0; taken < kTurnBytes;) {
    const absl::Span<char> direct = reader_.Direct();
    const bool straight = direct.size() >= kDirectBytes;
    iovec to[2] = {{direct.data(), direct.size()}, {buffer_.data(), buffer_.size()}};
    const ssize_t got = straight ? readv(socket_.get(), to, 2)
                                 : read(socket_.get(), buffer_.data(), buffer_.size());
    if (got == 0) {
      *ended = true;
      return absl::OkStatus();
    }
    if (got < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) return absl::OkStatus();
      return Unavailable("reading failed: ", strerror(errno));
    }
    size_t buffered = static_cast<size_t>(got);
    taken += buffered;
    if (straight) {
      const size_t n = std::min(buffered, direct.size());
      SLUICE_RETURN_IF_ERROR(reader_.Filled(n));
      buffered -= n;
    }
    SLUICE_RETURN_IF_ERROR(reader_.Take({buffer_.data(), buffered}));
    const size_t room = straight ? direct.size() + buffer_.size() : buffer_.size();
    if (static_cast<size_t>(got) < room) return absl::OkStatus();  // it is empty now
  }
  return absl::OkStatus();
}

void Connection::Close(absl::Status why) {
  loop_->Run([self = shared_from_this(), why = std::move(why)] { self->CloseHere(why); });
}

void Connection::CloseHere(const absl::Status& why) {
  {
    absl::MutexLock lock(&mu_);
    if (state_ == State::kClosed) return;
    state_ = State::kClosed;
  }
  const auto self = shared_from_this();
  loop_->Forget(watched_, socket_.get());
  shutdown(socket_.get(), SHUT_RDWR);
  owner_->Closed(this, why);
}

}  // namespace sluice::transport
