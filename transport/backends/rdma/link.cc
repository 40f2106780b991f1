// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/link.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "transport/backends/rdma/counters.h"

namespace sluice::transport {
namespace {

constexpr size_t kHeader = sizeof(uint32_t);  // of a message: the credits that it returns
// The id of a SEND: this bit, and the number of its buffer. Other ids are those of requests.
constexpr uint64_t kSend = uint64_t{1} << 62;
// Pieces of contents leave room for so many SENDs.
constexpr uint32_t kSendsReserved = 8;
constexpr uint64_t kLargestPiece = 1 << 30;

}  // namespace

absl::Status RdmaLink::Start() {
  const absl::Status started = control_->Start();
  if (!started.ok()) DestroyQueuePair();
  return started;
}

absl::StatusOr<QueuePairAddress> RdmaLink::Open() {
  if (qp_ != nullptr) return InvalidArgument("a second hello");
  SLUICE_ASSIGN(qp_, device_->Open(shared_from_this(), &max_inline_));
  return mine_ = AddressOf(device_->domain(), *qp_);
}

absl::Status RdmaLink::Connect(const QueuePairAddress& peer) {
  if (qp_ == nullptr || most_credits_ > 0) return InvalidArgument("an endpoint out of turn");
  SLUICE_RETURN_IF_ERROR(ConnectQueuePair(device_->domain(), qp_, mine_, peer));
  credits_ = most_credits_ = peer.receives;
  max_message_ = std::min<size_t>(RdmaDevice::kBufferBytes, peer.receive_bytes);
  max_piece_ = std::min({uint64_t{mine_.max_message}, uint64_t{peer.max_message}, kLargestPiece});
  return absl::OkStatus();
}

void RdmaLink::Enable() {
  enabled_ = most_credits_ > 0;
  Write();
}

void RdmaLink::SendPacket(ControlKind kind, absl::string_view rest) {
  control_->Send(absl::StrCat(std::string(1, static_cast<char>(kind)),
                              rest.substr(0, ControlSocket::kMaxPacket - 1)));
}

void RdmaLink::Write() {
  if (!enabled_ || failed_) return;
  PostPieces();
  while (!failed_ && credits_ > 1 && in_flight_ < RdmaDevice::kSendDepth && HasData()) {
    if (!SendBuffer()) return;
  }
  // The last credit is for this.
  const bool returns = unreported_ >= RdmaDevice::kReceives / 2;
  if (!failed_ && returns && credits_ > 0 && in_flight_ < RdmaDevice::kSendDepth) SendBuffer();
}

bool RdmaLink::HasData() {
  if (!message_.empty()) return true;
  message_ = owner_->NextMessage(std::move(message_));
  written_ = 0;
  return !message_.empty();
}

// Sends what is ready, up to one buffer, and the credits to return.
bool RdmaLink::SendBuffer() {
  const absl::StatusOr<RdmaDevice::Buffer> buffer = device_->TakeBuffer();
  if (!buffer.ok()) {
    Fail(buffer.status());
    return false;
  }
  std::memcpy(buffer->data, &unreported_, kHeader);
  size_t bytes = kHeader;
  while (bytes < max_message_ && HasData())
    bytes += CopyData(buffer->data + bytes, max_message_ - bytes);
  ibv_sge piece = {reinterpret_cast<uint64_t>(buffer->data), static_cast<uint32_t>(bytes),
                   buffer->lkey};
  ibv_send_wr request = {};
  request.wr_id = kSend | buffer->index;
  request.sg_list = &piece;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_SIGNALED;
  if (bytes <= max_inline_) request.send_flags |= IBV_SEND_INLINE;
  if (!PostRequest(request)) {
    device_->GiveBuffer(buffer->index);
    return false;
  }
  Add(TheRdmaCounters().sends);
  Add(TheRdmaCounters().send_bytes, bytes);
  unreported_ = 0;
  --credits_;
  return true;
}

size_t RdmaLink::CopyData(char* to, size_t room) {
  size_t passed = 0,
         copied = 0;  // bytes of the message before the current piece; bytes copied
  message_.Visit([&](absl::string_view piece, const Tensor* content)
                     ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
                       const size_t at = written_ + copied;
                       if (copied < room && at >= passed && at < passed + piece.size()) {
                         const absl::string_view bytes = piece.substr(at - passed, room - copied);
                         std::memcpy(to + copied, bytes.data(), bytes.size());
                         copied += bytes.size();
                         if (content != nullptr) Add(TheRdmaCounters().copied_bytes, bytes.size());
                       }
                       passed += piece.size();
                     });
  written_ += copied;
  if (written_ == message_.size()) message_.Clear();
  return copied;
}

void RdmaLink::Post(OneSided content) {
  if (failed_) return;
  const uint64_t id = ++last_request_;
  requests_[id].content = std::move(content);
  to_post_.push_back(id);
  PostPieces();
}

void RdmaLink::PostPieces() {
  while (!to_post_.empty() && in_flight_ < RdmaDevice::kSendDepth - kSendsReserved) {
    Request& request = requests_[to_post_.front()];
    OneSided& content = request.content;
    const uint64_t bytes = std::min(max_piece_, content.bytes - request.posted);
    ibv_sge piece = {reinterpret_cast<uint64_t>(content.local) + request.posted,
                     static_cast<uint32_t>(bytes), content.lkey};
    ibv_send_wr posted = {};
    posted.wr_id = to_post_.front();
    posted.sg_list = &piece;
    posted.num_sge = 1;
    posted.opcode = content.read ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE;
    posted.send_flags = IBV_SEND_SIGNALED;
    posted.wr.rdma.remote_addr = content.remote + request.posted;
    posted.wr.rdma.rkey = content.rkey;
    if (!PostRequest(posted)) return;
    Add(content.read ? TheRdmaCounters().reads : TheRdmaCounters().writes);
    Add(content.read ? TheRdmaCounters().read_bytes : TheRdmaCounters().write_bytes, bytes);
    ++request.in_flight;
    request.posted += bytes;
    if (request.posted < content.bytes) continue;
    to_post_.pop_front();
    if (content.posted) content.posted();
  }
}

bool RdmaLink::PostRequest(ibv_send_wr& request) {
  ibv_send_wr* bad = nullptr;
  const int error = device_->domain().verbs().post_send(qp_, &request, &bad);
  if (error == 0) {
    ++in_flight_;
    return true;
  }
  Fail(device_->domain().Failed(absl::StrCat("ibv_post_send to queue pair ", qp_->qp_num), error));
  return false;
}

// An empty WRITE: the peer's device answers it, so it fails if the peer's machine is gone. Requests
// in flight show the same.
void RdmaLink::Probe() {
  if (over_ || !owner_->Awaits()) return;
  absl::MutexLock lock(mu_);
  if (!enabled_ || failed_ || in_flight_ > 0) return;
  ibv_send_wr request = {};
  request.wr_id = ++last_request_;
  request.opcode = IBV_WR_RDMA_WRITE;
  request.send_flags = IBV_SEND_SIGNALED;
  if (PostRequest(request)) Add(TheRdmaCounters().probes);
}

void RdmaLink::Fail(absl::Status why) {
  failed_ = true;
  device_->Break(shared_from_this(), std::move(why));
}

absl::Status RdmaLink::Received(absl::string_view message) {
  if (over_) return absl::OkStatus();
  if (message.size() < kHeader) return InvalidArgument("a message of ", message.size(), " bytes");
  uint32_t returned = 0;
  std::memcpy(&returned, message.data(), kHeader);
  {
    absl::MutexLock lock(mu_);
    if (returned > most_credits_ - std::min(credits_, most_credits_))
      return InvalidArgument("credit for more messages than were sent");
    credits_ += returned;
  }
  return reader_.Take(message.substr(kHeader));
}

void RdmaLink::Reposted() {
  if (over_) return;
  absl::MutexLock lock(mu_);
  ++unreported_;
  Write();
}

RdmaLink::Request RdmaLink::EndRequest(uint64_t id) {
  --in_flight_;
  if ((id & kSend) != 0) {
    device_->GiveBuffer(static_cast<uint32_t>(id));
    return {};
  }
  auto it = requests_.find(id);
  if (it == requests_.end()) return {};
  --it->second.in_flight;
  if (!it->second.ended()) return {};
  Request ended = std::move(it->second);
  requests_.erase(it);
  return ended;
}

void RdmaLink::Completed(uint64_t id, const absl::Status& status) {
  if (over_) return CompletedLate(id);
  Request ended;  // destroyed outside the lock
  {
    absl::MutexLock lock(mu_);
    ended = EndRequest(id);
    if (status.ok()) Write();
  }
  if (!status.ok()) return CloseHere(status);
  if (!ended.content.done) return;
  if (const absl::Status done = ended.content.done(); !done.ok()) CloseHere(done);
}

// The owner and its mutex may be gone, and no other thread uses this link.
void RdmaLink::CompletedLate(uint64_t id) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  EndRequest(id);
  if (in_flight_ == 0) DestroyQueuePair();
}

absl::Status RdmaLink::ReceivePacket(absl::string_view packet) {
  if (packet.empty()) return InvalidArgument("an empty control packet");
  const auto kind = static_cast<ControlKind>(packet.front());
  packet.remove_prefix(1);
  if (kind == ControlKind::kError) return Unavailable(packet);
  return owner_->Receive(kind, packet);
}

void RdmaLink::SocketEnded(const absl::Status& why) {
  const auto self = shared_from_this();
  device_->Look();  // messages that came before the end are still valid
  CloseHere(why);
}

void RdmaLink::Close(absl::Status why) {
  loop_->Run([self = shared_from_this(), why = std::move(why)] { self->CloseHere(why); });
}

void RdmaLink::CloseHere(const absl::Status& why) {
  if (std::exchange(over_, true)) return;
  const auto self = shared_from_this();
  Message message;  // destroyed outside the lock
  bool idle = false;
  {
    absl::MutexLock lock(mu_);
    failed_ = true;
    message = std::exchange(message_, Message());
    idle = in_flight_ == 0;
  }
  if (!why.ok()) SendPacket(ControlKind::kError, why.message());
  control_->Close();
  DisableQueuePair(idle);
  owner_->Closed(why);
}

void RdmaLink::DisableQueuePair(bool idle) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  if (qp_ == nullptr) return;
  const bool disabled = transport::DisableQueuePair(device_->domain(), qp_).ok();
  if (idle || !disabled) DestroyQueuePair();
}

// The requests hold memory that the device may access until now.
void RdmaLink::DestroyQueuePair() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  const auto self = shared_from_this();
  if (qp_ != nullptr) device_->Close(std::exchange(qp_, nullptr));
  requests_.clear();
}

}  // namespace sluice::transport
