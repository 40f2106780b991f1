// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/tcp/connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>

#include "absl/cleanup/cleanup.h"

namespace sluice::transport {
namespace {

// limit of the bytes that a sending thread writes itself
constexpr size_t kBorrowedBytes = 64 << 10;
// limit of the bytes that the loop reads or writes for one connection
constexpr size_t kTurnBytes = 4 << 20;
constexpr uint32_t kReading = EPOLLIN | EPOLLRDHUP;
constexpr size_t kBufferBytes = 64 << 10;
// from this size on, content is read straight to its destination
constexpr size_t kDirectBytes = 16 << 10;
// After such content, one call reads the next frame's head, but not much of its content, which
// would have to be copied.
constexpr size_t kHeadBytes = 1 << 10;
// About so many bytes one call writes or reads if they are summed, so that they stay in a core's
// cache: a head and such a piece of content go together.
constexpr size_t kSummedBytes = 256 << 10;

}  // namespace

Connection::Connection(PollLoop* loop, Descriptor socket, std::unique_ptr<Wire> wire, Owner* owner)
    : loop_(loop),
      socket_(std::move(socket)),
      wire_(std::move(wire)),
      owner_(owner),
      buffer_(kBufferBytes) {}

absl::Status Connection::Start() {
  {
    absl::MutexLock lock(&mu_);
    state_ = State::kWaiting;  // of the connection; the loop writes first
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

// REQUIRES: this thread set the state to kWriting.
void Connection::WriteOn() {
  const bool in_loop = loop_->InLoop();
  const size_t turn = in_loop ? kTurnBytes : kBorrowedBytes;
  for (size_t done = 0;;) {
    if (first_piece_ == pieces_.size() && !TakeNext()) return;
    // A thread that is not the loop's does not begin a large message.
    const bool enough = done >= turn || (turn < kTurnBytes && message_.size() > turn);
    absl::StatusOr<Wire::Progress> written = Wire::Progress{0, Wire::Next::kAwait};
    if (!enough) written = WriteSome();
    if (!written.ok()) return Fail(written.status());
    done += written->bytes;
    if (written->bytes > 0) continue;
    absl::MutexLock lock(&mu_);
    if (state_ == State::kClosed) return;
    state_ = State::kWaiting;
    // Only the loop's thread may set it: the pending bytes may have been read meanwhile.
    awaits_peer_ = in_loop && written->next == Wire::Next::kAwaitPeer;
    loop_->Change(watched_, socket_.get(), awaits_peer_ ? kReading : kReading | EPOLLOUT);
    return;
  }
}

void Connection::Fail(const absl::Status& why) {
  {
    absl::MutexLock lock(&mu_);
    if (state_ == State::kWriting) state_ = State::kFailed;
  }
  CloseAfterReading(why);
}

// Returns false if there is nothing to write; then the connection is idle.
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
  first_piece_ = written_ = 0;
  message_.Visit([this](absl::string_view bytes, const Tensor*) {
    for (; !bytes.empty(); bytes.remove_prefix(pieces_.back().iov_len))
      pieces_.push_back({const_cast<char*>(bytes.data()), std::min(bytes.size(), kSummedBytes)});
  });
  return true;
}

// The pieces to write next, which hold their sums.
absl::Span<const iovec> Connection::NextPieces() {
  const absl::Span<const iovec> all = absl::MakeConstSpan(pieces_).subspan(first_piece_);
  if (!message_.sums()) return all;
  size_t count = 0, bytes = 0;
  while (count < all.size() && bytes < kSummedBytes) bytes += all[count++].iov_len;
  message_.Sum(written_ + bytes);
  return all.first(count);
}

absl::StatusOr<Wire::Progress> Connection::WriteSome() {
  SLUICE_ASSIGN(const Wire::Progress written, wire_->Write(NextPieces()));
  written_ += written.bytes;
  for (size_t left = written.bytes; left > 0;) {
    iovec& piece = pieces_[first_piece_];
    const size_t n = std::min(left, piece.iov_len);
    piece.iov_base = static_cast<char*>(piece.iov_base) + n;
    piece.iov_len -= n;
    left -= n;
    if (piece.iov_len == 0) ++first_piece_;
  }
  if (first_piece_ == pieces_.size()) message_ = Message();  // releases the tensors
  return written;
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
  if (is_closed()) return;
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDHUP)) == 0) return;
  ReadOn();
}

void Connection::ReadOn() {
  const bool closes = closes_.has_value();
  bool ended = false;
  const absl::Status status = ReadSome(&ended);
  if (status.ok() && !ended && !closes) {
    if (closes_.has_value()) return ReadOn();  // what came after the bytes that were just read
    if (GoesOnAfterReading()) WriteOn();
    return;
  }
  if (!status.ok()) WriteLast(status);
  CloseHere(absl::IsDataLoss(status) || !closes_.has_value() ? status : *closes_);
}

// Sets the state to kWriting if the connection waited for the peer.
bool Connection::GoesOnAfterReading() {
  absl::MutexLock lock(&mu_);
  if (state_ != State::kWaiting || !awaits_peer_) return false;
  state_ = State::kWriting;
  return true;
}

absl::Status Connection::ReadSome(bool* ended) {
  reading_ = true;
  const absl::Cleanup done = [this] { reading_ = false; };
  for (size_t taken = 0; taken < kTurnBytes || wire_->holds_bytes();) {
    absl::Span<char> direct = reader_.Direct();
    const bool straight = direct.size() >= kDirectBytes;
    const bool part = straight && reader_.sums() && direct.size() > kSummedBytes;
    if (part) direct = direct.first(kSummedBytes);
    const iovec places[] = {{direct.data(), direct.size()},
                            {buffer_.data(), straight ? kHeadBytes : buffer_.size()}};
    SLUICE_ASSIGN(const Wire::Progress got,
                  wire_->Read(absl::MakeConstSpan(places).subspan(straight ? 0 : 1, part ? 1 : 2)));
    const size_t placed = straight ? std::min(got.bytes, direct.size()) : 0;
    if (placed > 0) SLUICE_RETURN_IF_ERROR(reader_.Filled(placed));
    SLUICE_RETURN_IF_ERROR(reader_.Take({buffer_.data(), got.bytes - placed}));
    taken += got.bytes;
    bytes_read_ += got.bytes;
    *ended = got.next == Wire::Next::kEnded;
    if (got.next != Wire::Next::kGoOn) return absl::OkStatus();
  }
  return absl::OkStatus();
}

void Connection::Close(absl::Status why) {
  loop_->Run([self = shared_from_this(), why = std::move(why)] {
    if (!why.ok() && !self->is_closed()) self->WriteLast(why);
    self->CloseHere(why);
  });
}

void Connection::CloseAfterReading(absl::Status why) {
  loop_->Run([self = shared_from_this(), why = std::move(why)] {
    if (self->is_closed() || self->closes_.has_value()) return;
    self->closes_ = why;
    if (!self->reading_) self->ReadOn();
  });
}

// Writes the owner's last frame if it does not divide a message. Another thread that writes now does
// not wait for anything.
void Connection::WriteLast(const absl::Status& why) {
  {
    absl::MutexLock lock(&mu_);
    mu_.Await(absl::Condition(
        +[](State* state) { return *state != State::kWriting; }, &state_));
    if (state_ != State::kIdle) return;
    state_ = State::kWriting;
  }
  std::string frame = owner_->LastFrame(this, why);
  if (frame.empty()) return;
  const iovec piece = {frame.data(), frame.size()};
  (void)wire_->Write({&piece, 1});  // the connection closes in any case
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
