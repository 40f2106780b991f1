// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/shm/link.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace sluice::transport {

absl::Status ShmLink::Start() {
  return loop_->Watch(socket_.get(), EPOLLIN | EPOLLRDHUP, shared_from_this(), &watched_);
}

// The analysis does not see that the owner holds `mu_` under another name.
void ShmLink::UseRings(std::shared_ptr<SharedMemory> memory,
                       int out) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  const auto head = [&](int ring) { return RingPair::Head(*memory, ring); };
  const auto data = [&](int ring) { return RingPair::Data(*memory, ring); };
  out_ = RingWriter(head(out), data(out), RingPair::Size(out));
  in_ = RingReader(head(1 - out), data(1 - out), RingPair::Size(1 - out));
  memory_ = std::move(memory);
  loop_->Add(shared_from_this());
}

void ShmLink::set_wake(Descriptor wake) {
  absl::MutexLock lock(mu_);
  wake_ = std::move(wake);
  WakePeer();  // for data that was written before
}

void ShmLink::Write() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  if (closed_ || memory_ == nullptr) return;
  if (WriteMessages() && out_.ReaderRests()) WakePeer();
}

// Returns false if nothing was written.
bool ShmLink::WriteMessages() {
  bool wrote = false;
  // no message is queued behind this one; unknown for a message that was begun earlier
  bool last = false;
  while (true) {
    if (message_.empty()) {
      if (last) return wrote;
      message_ = owner_->NextMessage(std::move(message_));
      written_ = 0;
      if (message_.empty()) return wrote;
      last = message_.last;
    }
    size_t passed = 0;  // bytes of the message before the current piece
    message_.Visit([&](absl::string_view piece, const Tensor*) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
      // A packet that does not fit stops all later ones.
      if (written_ >= passed && written_ < passed + piece.size())
        written_ += out_.Write(piece.substr(written_ - passed));
      passed += piece.size();
    });
    wrote = true;
    if (written_ == message_.size()) {
      message_.Clear();
      wants_room_.store(false, std::memory_order_relaxed);
      continue;
    }
    wants_room_.store(true, std::memory_order_relaxed);  // before the peer can see it and wake us
    if (out_.WaitForRoom()) return wrote;
  }
}

void ShmLink::WakePeer() {
  const uint64_t one = 1;
  if (wake_.valid()) [[maybe_unused]]
    const ssize_t written = write(wake_.get(), &one, sizeof(one));
}

bool ShmLink::Look() {
  // Most calls find no work.
  if (over_ || (in_.empty() && !wants_room_.load(std::memory_order_acquire))) return false;
  bool worked = false;
  if (const absl::Status status = ReadRing(&worked); !status.ok()) CloseHere(status);
  return worked;
}

absl::Status ShmLink::ReadRing(bool* worked) {
  constexpr size_t kTurn = 1 << 20;  // then other connections get their turn
  for (size_t taken = 0; taken < kTurn;) {
    SLUICE_ASSIGN(const absl::string_view bytes, in_.Readable());
    if (bytes.empty()) break;
    *worked = true;
    taken += bytes.size();
    SLUICE_RETURN_IF_ERROR(reader_.Take(bytes));
    if (over_) return absl::OkStatus();
    in_.Consume(bytes.size());
  }
  const bool made_room = *worked && in_.WriterWaits();
  // The other end may have read too, so pending data may fit now.
  if (!made_room && !wants_room_.load(std::memory_order_acquire)) return absl::OkStatus();
  absl::MutexLock lock(mu_);
  if (made_room) WakePeer();
  if (!message_.empty() && WriteMessages() && out_.ReaderRests()) WakePeer();
  return absl::OkStatus();
}

bool ShmLink::Rest() { return over_ || in_.Rest(); }

void ShmLink::Ready(uint32_t events) {
  absl::Status status = ReceivePackets();
  const bool ended = (events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP)) != 0;
  if (status.ok() && !ended) return;
  // Data that was written before the end is still valid.
  bool worked = false;
  if (status.ok() && memory_ != nullptr) status = ReadRing(&worked);
  CloseHere(status);
}

absl::Status ShmLink::ReceivePackets() {
  while (true) {
    auto packet = ReceivePacket(socket_.get());
    if (absl::IsUnavailable(packet.status())) return absl::OkStatus();
    if (!packet.ok()) return packet.status();
    if (packet->bytes.empty()) return absl::OkStatus();  // closed: reported as an event
    SLUICE_RETURN_IF_ERROR(owner_->Receive(*std::move(packet)));
  }
}

void ShmLink::Close(absl::Status why) {
  loop_->Run([self = shared_from_this(), why = std::move(why)] { self->CloseHere(why); });
}

void ShmLink::CloseHere(const absl::Status& why) {
  if (std::exchange(over_, true)) return;
  const auto self = shared_from_this();
  {
    absl::MutexLock lock(mu_);
    closed_ = true;
    message_ = Message();
  }
  loop_->Forget(watched_, socket_.get());
  loop_->Remove(this);
  shutdown(socket_.get(), SHUT_RDWR);
  owner_->Closed(why);
}

}  // namespace sluice::transport
