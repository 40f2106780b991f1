// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/device.h"

#include <fcntl.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/functional/any_invocable.h"
#include "absl/synchronization/notification.h"
#include "transport/backends/rdma/counters.h"

namespace sluice::transport {
namespace {

constexpr uint32_t kBuffersOfChunk = 64;
// The id of a receive: this bit, and the number of its buffer. Users have the other ids.
constexpr uint64_t kReceive = uint64_t{1} << 63;
constexpr uint32_t kInlineBytes = 256;

bool NeverBlocks(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0;
}

}  // namespace

absl::StatusOr<std::shared_ptr<RdmaDevice>> RdmaDevice::Create(std::shared_ptr<RdmaDomain> domain,
                                                               PollLoop* loop,
                                                               size_t staging_limit) {
  std::shared_ptr<RdmaDevice> device(new RdmaDevice(std::move(domain), loop, staging_limit));
  SLUICE_RETURN_IF_ERROR(device->CreateQueues());
  return device;
}

absl::Status RdmaDevice::CreateQueues() {
  const Verbs& verbs = domain_->verbs();
  const ibv_device_attr& limits = domain_->limits();
  channel_ = verbs.create_comp_channel(domain_->context());
  if (channel_ == nullptr) return domain_->Failed("ibv_create_comp_channel", errno);
  if (!NeverBlocks(channel_->fd) || !NeverBlocks(domain_->context()->async_fd))
    return domain_->Failed("fcntl", errno);
  const int entries = std::min(limits.max_cqe, 1 << 14);
  cq_ = verbs.create_cq(domain_->context(), entries, nullptr, channel_, 0);
  if (cq_ == nullptr) return domain_->Failed("ibv_create_cq", errno);
  const auto receives = static_cast<uint32_t>(std::min(limits.max_srq_wr, 1 << 12));
  ibv_srq_init_attr srq = {};
  srq.attr.max_wr = receives;
  srq.attr.max_sge = 1;
  srq_ = verbs.create_srq(domain_->pd(), &srq);
  if (srq_ == nullptr) return domain_->Failed("ibv_create_srq", errno);
  most_pairs_ =
      std::min(receives / kReceives, static_cast<uint32_t>(entries) / (kReceives + kSendDepth));
  return absl::OkStatus();
}

RdmaDevice::~RdmaDevice() {
  const Verbs& verbs = domain_->verbs();
  for (const auto& [number, pair] : pairs_) verbs.destroy_qp(pair.first);
  if (srq_ != nullptr) verbs.destroy_srq(srq_);
  if (events_ > 0) verbs.ack_cq_events(cq_, events_);
  if (cq_ != nullptr) verbs.destroy_cq(cq_);
  if (channel_ != nullptr) verbs.destroy_comp_channel(channel_);
}

absl::Status RdmaDevice::Start(absl::Duration probes) {
  probes_.emplace(loop_, probes, [this] {
    for (const auto& user : Users()) user->Probe();
  });
  SLUICE_RETURN_IF_ERROR(probes_->Start());
  SLUICE_RETURN_IF_ERROR(loop_->Watch(
      channel_->fd, EPOLLIN, std::make_shared<Watching>(this, &RdmaDevice::ReadEvents), &watched_));
  SLUICE_RETURN_IF_ERROR(loop_->Watch(
      domain_->context()->async_fd, EPOLLIN,
      std::make_shared<Watching>(this, &RdmaDevice::ReadAsyncEvents), &watched_async_));
  loop_->Add(shared_from_this());
  return absl::OkStatus();
}

void RdmaDevice::Stop() {
  {
    absl::MutexLock lock(&mu_);
    if (std::exchange(stopped_, true)) return;
  }
  if (probes_.has_value()) probes_->Stop();
  const auto run = [this](absl::AnyInvocable<void()> task) {
    absl::Notification ran;
    loop_->Run([&] {
      task();
      ran.Notify();
    });
    ran.WaitForNotification();
  };
  run([this] {
    if (watched_ != 0) loop_->Forget(watched_, channel_->fd);
    if (watched_async_ != 0) loop_->Forget(watched_async_, domain_->context()->async_fd);
    loop_->Remove(this);
  });
  run([] {});  // before it, the loop drops its own reference
  absl::flat_hash_map<uint32_t, std::pair<ibv_qp*, std::shared_ptr<User>>> pairs;
  std::vector<Failure> failures;  // destroyed outside the lock, like the next
  {
    absl::MutexLock lock(&mu_);
    pairs.swap(pairs_);
    failures.swap(failures_);
  }
  for (const auto& [number, pair] : pairs) domain_->verbs().destroy_qp(pair.first);
}

absl::StatusOr<ibv_qp*> RdmaDevice::Open(std::shared_ptr<User> user, uint32_t* max_inline) {
  const Verbs& verbs = domain_->verbs();
  SLUICE_RETURN_IF_ERROR(state());
  ibv_qp* qp = nullptr;
  int error = 0;
  for (const uint32_t inline_bytes : {kInlineBytes, 0u}) {
    ibv_qp_init_attr init = {};
    init.send_cq = init.recv_cq = cq_;
    init.srq = srq_;
    init.qp_type = IBV_QPT_RC;
    init.cap.max_send_wr = kSendDepth;
    init.cap.max_send_sge = 1;
    init.cap.max_inline_data = inline_bytes;
    qp = verbs.create_qp(domain_->pd(), &init);
    error = errno;
    *max_inline = init.cap.max_inline_data;
    if (qp != nullptr) break;
  }
  if (qp == nullptr) return domain_->Failed("ibv_create_qp", error);
  ibv_qp_attr attributes = {};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.port_num = domain_->port();
  attributes.qp_access_flags =
      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
  error = verbs.modify_qp(qp, &attributes,
                          IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
  absl::Status status = error == 0 ? absl::OkStatus() : domain_->Failed("ibv_modify_qp", error);
  uint32_t missing = 0;
  if (status.ok()) {
    absl::MutexLock lock(&mu_);
    const auto pairs = static_cast<uint32_t>(pairs_.size());
    if (stopped_ || pairs >= most_pairs_) {
      status = ResourceExhausted(domain_->ToString(), " serves ", pairs,
                                 " queue pairs, its limit is ", most_pairs_);
    } else {
      pairs_[qp->qp_num] = {qp, std::move(user)};
      const uint32_t wanted = (pairs + 1) * kReceives;
      missing = wanted - std::min(wanted, posted_);
    }
  }
  for (; status.ok() && missing > 0; --missing) {
    const absl::StatusOr<Buffer> buffer = TakeBuffer();
    status = buffer.ok() ? PostReceive(buffer->index) : buffer.status();
  }
  if (status.ok()) return qp;
  Close(qp);
  return status;
}

void RdmaDevice::Close(ibv_qp* qp) {
  std::pair<ibv_qp*, std::shared_ptr<User>> closed;  // destroyed outside the lock
  {
    absl::MutexLock lock(&mu_);
    auto it = pairs_.find(qp->qp_num);
    if (it != pairs_.end() && it->second.first == qp) {
      closed = std::move(it->second);
      pairs_.erase(it);
    } else if (stopped_) {
      return;  // Stop has destroyed it
    }
  }
  domain_->verbs().destroy_qp(qp);
}

void RdmaDevice::Break(std::shared_ptr<User> user, absl::Status why) {
  {
    absl::MutexLock lock(&mu_);
    failures_.emplace_back(std::move(user), std::move(why));
  }
  has_failures_.store(true, std::memory_order_release);
  if (!loop_->InLoop()) loop_->Run([] {});  // wakes it
}

RdmaDevice::Buffer RdmaDevice::BufferAt(uint32_t index) {
  const RegisteredMemory& chunk = *buffers_[index / kBuffersOfChunk];
  return {chunk.data() + (index % kBuffersOfChunk) * kBufferBytes, chunk.registration().lkey(),
          index};
}

absl::StatusOr<RdmaDevice::Buffer> RdmaDevice::TakeBuffer() {
  absl::MutexLock lock(&mu_);
  if (free_.empty()) {
    SLUICE_ASSIGN(auto chunk, RegisteredMemory::Create(domain_, kBuffersOfChunk * kBufferBytes,
                                                       IBV_ACCESS_LOCAL_WRITE));
    const auto first = static_cast<uint32_t>(buffers_.size()) * kBuffersOfChunk;
    for (uint32_t i = kBuffersOfChunk; i-- > 0;) free_.push_back(first + i);
    buffers_.push_back(std::move(chunk));
  }
  const uint32_t index = free_.back();
  free_.pop_back();
  return BufferAt(index);
}

void RdmaDevice::GiveBuffer(uint32_t index) {
  absl::MutexLock lock(&mu_);
  free_.push_back(index);
}

// Posts the buffer, or returns it to the free ones.
absl::Status RdmaDevice::PostReceive(uint32_t index) {
  absl::MutexLock lock(&mu_);
  const Buffer buffer = BufferAt(index);
  ibv_sge piece = {reinterpret_cast<uint64_t>(buffer.data), kBufferBytes, buffer.lkey};
  ibv_recv_wr request = {};
  request.wr_id = kReceive | index;
  request.sg_list = &piece;
  request.num_sge = 1;
  ibv_recv_wr* bad = nullptr;
  if (const int error = domain_->verbs().post_srq_recv(srq_, &request, &bad); error != 0) {
    free_.push_back(index);
    return domain_->Failed("ibv_post_srq_recv", error);
  }
  ++posted_;
  return absl::OkStatus();
}

absl::Status RdmaDevice::state() const {
  absl::MutexLock lock(&mu_);
  return state_;
}

std::shared_ptr<RdmaDevice::User> RdmaDevice::UserOf(uint32_t number) const {
  absl::MutexLock lock(&mu_);
  auto it = pairs_.find(number);
  return it == pairs_.end() ? nullptr : it->second.second;
}

bool RdmaDevice::Look() {
  constexpr int kAtOnce = 16, kRounds = 8;
  bool worked = HandleFailures();
  for (int round = 0; round < kRounds; ++round) {
    ibv_wc completions[kAtOnce];
    Add(TheRdmaCounters().polls);
    const int count = domain_->verbs().poll_cq(cq_, kAtOnce, completions);
    if (count < 0) BreakAll(domain_->Failed("ibv_poll_cq", errno));
    for (int i = 0; i < count; ++i) Handle(completions[i]);
    worked = worked || count > 0;
    if (count < kAtOnce) break;
  }
  return worked;
}

// The queue is armed before it is looked at again: what comes in between is not missed.
bool RdmaDevice::Rest() {
  if (has_failures_.load(std::memory_order_acquire)) return false;
  if (const int error = domain_->verbs().req_notify_cq(cq_, 0); error != 0) {
    BreakAll(domain_->Failed("ibv_req_notify_cq", error));
    return true;
  }
  return !Look();
}

void RdmaDevice::Handle(const ibv_wc& completion) {
  const std::shared_ptr<User> user = UserOf(completion.qp_num);
  if ((completion.wr_id & kReceive) == 0) {
    if (user != nullptr) user->Completed(completion.wr_id, StatusOf(completion));
    return;
  }
  const auto index = static_cast<uint32_t>(completion.wr_id);
  Buffer buffer;
  {
    absl::MutexLock lock(&mu_);
    --posted_;
    buffer = BufferAt(index);
  }
  absl::Status status = StatusOf(completion);
  if (status.ok() && user != nullptr)
    status = user->Received({buffer.data, std::min<size_t>(completion.byte_len, kBufferBytes)});
  const absl::Status posted = PostReceive(index);
  if (status.ok()) status = posted;
  if (user == nullptr) return;
  if (status.ok())
    user->Reposted();
  else
    user->Broken(status);
}

absl::Status RdmaDevice::StatusOf(const ibv_wc& completion) const {
  if (completion.status == IBV_WC_SUCCESS) return absl::OkStatus();
  return Unavailable("device ", domain_->ToString(), " queue pair ", completion.qp_num, ": ",
                     domain_->verbs().wc_status_str(completion.status), " (completion status ",
                     static_cast<int>(completion.status), ", vendor code ", completion.vendor_err,
                     ")");
}

bool RdmaDevice::HandleFailures() {
  if (!has_failures_.load(std::memory_order_acquire)) return false;
  has_failures_.store(false, std::memory_order_relaxed);  // before the lock: none is missed
  std::vector<Failure> failures;
  {
    absl::MutexLock lock(&mu_);
    failures.swap(failures_);
  }
  for (const auto& [user, why] : failures) user->Broken(why);
  return true;
}

void RdmaDevice::ReadEvents() {
  constexpr unsigned int kAcknowledgedAtOnce = 64;  // it takes a lock
  ibv_cq* cq = nullptr;
  void* context = nullptr;
  while (domain_->verbs().get_cq_event(channel_, &cq, &context) == 0) ++events_;
  if (events_ < kAcknowledgedAtOnce) return;
  domain_->verbs().ack_cq_events(cq_, std::exchange(events_, 0));
}

void RdmaDevice::ReadAsyncEvents() {
  ibv_async_event event = {};
  while (domain_->verbs().get_async_event(domain_->context(), &event) == 0) {
    HandleAsyncEvent(event);
    domain_->verbs().ack_async_event(&event);
  }
}

void RdmaDevice::HandleAsyncEvent(const ibv_async_event& event) {
  const absl::Status why = Unavailable("device ", domain_->ToString(), ": ",
                                       domain_->verbs().event_type_str(event.event_type));
  switch (event.event_type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
      if (const auto user = UserOf(event.element.qp->qp_num); user != nullptr) user->Broken(why);
      return;
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_GID_CHANGE:
      if (event.element.port_num == domain_->port()) RenewPort(why);
      return;
    case IBV_EVENT_PORT_ERR:
      if (event.element.port_num == domain_->port()) EndAll(why);
      return;
    case IBV_EVENT_CQ_ERR:
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_DEVICE_FATAL:
      return EndAll(Unavailable(why.message(), "; restart the task to use it again"));
    default:
      return;
  }
}

// Streams go on if the port kept its address, as when another one was added to its table.
void RdmaDevice::RenewPort(const absl::Status& event) {
  const RdmaDomain::PortState before = domain_->port_state();
  const absl::Status renewed = domain_->Refresh();
  const RdmaDomain::PortState now = domain_->port_state();
  {
    absl::MutexLock lock(&mu_);
    state_ = renewed;
  }
  const bool same = before.attributes.lid == now.attributes.lid &&
                    before.gid_index == now.gid_index &&
                    std::memcmp(&before.gid, &now.gid, sizeof(now.gid)) == 0;
  if (!renewed.ok())
    BreakAll(renewed);
  else if (!same)
    BreakAll(event);
}

void RdmaDevice::EndAll(const absl::Status& why) {
  {
    absl::MutexLock lock(&mu_);
    state_ = why;
  }
  BreakAll(why);
}

void RdmaDevice::BreakAll(const absl::Status& why) {
  for (const auto& user : Users()) user->Broken(why);
}

std::vector<std::shared_ptr<RdmaDevice::User>> RdmaDevice::Users() const {
  std::vector<std::shared_ptr<User>> users;
  absl::MutexLock lock(&mu_);
  for (const auto& [number, pair] : pairs_) users.push_back(pair.second);
  return users;
}

}  // namespace sluice::transport
