// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/channel.h"

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/io/coding.h"
#include "core/tensor/copy_bytes.h"
#include "transport/backends/rdma/counters.h"
#include "transport/backends/rdma/link.h"
#include "transport/backends/rdma/remote_arena.h"
#include "transport/protocol/stream_channel.h"

namespace sluice::transport {
namespace {

constexpr size_t kPlacedFrom = 8 << 10;  // smaller contents travel with their frames

// from        when                        to          does
// idle        first Send                  connecting  makes a queue pair, sends its endpoint
// connecting  the peer's endpoint         connected   connects the queue pair, says so
// connected   the peer's hello is right   open        writes pending data
// any         the link closed             broken      drops everything, tells the sink once
// broken      Send                        broken      fails: a new offer is needed
//
// A large tensor that may be sent gets a place in the arena that the peer lends. If the stream must
// open or the arena grow first, the tensor waits for the peer's answer. It is written from
// registered memory: where Allocate put it, or a copy.
class RdmaChannel final : public StreamChannel, private RdmaLink::Owner {
 public:
  RdmaChannel(const RdmaTransportOptions& options, std::shared_ptr<RdmaDevice> device,
              const PeerAddress& peer, const SocketAddress& to, std::string token, TensorSink* sink)
      : StreamChannel(options.self, peer, sink, /*reconnects=*/false,
                      [this](Outgoing&& out, bool pulled)
                          ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { Launch(std::move(out), pulled); }),
        options_(options),
        device_(std::move(device)),
        to_(to),
        token_(std::move(token)),
        arena_(options.arena_bytes) {}
  ~RdmaChannel() override {
    Close();
    GiveUp(absl::OkStatus());
    AwaitEnd();
  }

  absl::StatusOr<Tensor> Allocate(DType dtype, const Shape& shape) override;
  void GiveUp(const absl::Status& why) override {
    if (const auto link = TheLink(); link != nullptr) link->Close(why);
  }
  std::string ToString() const override {
    return absl::StrCat("rdma to ", peer_.task, " at ", to_.ToString(), " by ",
                        device_->domain().ToString());
  }

 private:
  // A tensor on its way to the arena.
  struct Placing {
    Outgoing out;
    bool pulled;
  };
  // A tensor that the peer reads from its own memory.
  struct Source {
    Registration registration;
    Tensor content;
  };

  // StreamChannel
  bool connected() const override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return link_ != nullptr; }
  absl::Status Connect() override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Flush() override;

  // RdmaLink::Owner
  Message NextMessage(Message cleared) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (!sender_.open() || sender_.queue().empty()) return cleared;
    return sender_.queue().Next(std::move(cleared));
  }
  absl::StatusOr<Content> Begin(const StreamFrame& frame) override;
  absl::Status End(const StreamFrame&) override {
    return InvalidArgument("content does not travel this way");
  }
  absl::Status Receive(ControlKind kind, absl::string_view rest) override;
  bool Awaits() override {
    if (awaits_runs()) return true;
    absl::MutexLock lock(&mu_);
    return !waiting_.empty() || !sources_.empty() || !sender_.queue().empty();
  }
  void Closed(const absl::Status& why) override;

  // Whether the peer reads contents of this size, though the arena may have room.
  bool IsLarge(size_t bytes) const { return bytes > options_.arena_bytes / 4; }
  void Launch(Outgoing&& out, bool pulled) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Place(Placing placing);
  bool WaitsForArena(Placing& placing, std::optional<RemoteArena::Place>* place);
  bool WriteContent(Placing& placing, const RemoteArena::Place& place);
  void SendSource(Placing placing);
  absl::Status Release(const Extent& at);
  void PlaceWaiting() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    for (Placing& placing : waiting_) to_place_.push_back(std::move(placing));
    waiting_.clear();
  }
  std::shared_ptr<RdmaLink> TheLink() const {
    absl::MutexLock lock(&mu_);
    return link_;
  }

  const RdmaTransportOptions options_;
  const std::shared_ptr<RdmaDevice> device_;
  const SocketAddress to_;
  const std::string token_;
  std::shared_ptr<RdmaLink> link_ ABSL_GUARDED_BY(mu_);  // null: no stream
  RemoteArena arena_ ABSL_GUARDED_BY(mu_);
  size_t asked_ ABSL_GUARDED_BY(mu_) = 0;      // bytes of the segment that the peer was asked for
  bool refused_ ABSL_GUARDED_BY(mu_) = false;  // the peer lends no more
  std::deque<Placing> to_place_ ABSL_GUARDED_BY(mu_), waiting_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<uint64_t, Source> sources_ ABSL_GUARDED_BY(mu_);  // by the number of `placed`
};

absl::Status RdmaChannel::Connect() {
  SLUICE_ASSIGN(Descriptor socket, ConnectTcp(to_));
  auto link = std::make_shared<RdmaLink>(device_, options_.loop.get(), std::move(socket),
                                         static_cast<RdmaLink::Owner*>(this), &mu_);
  SLUICE_ASSIGN(const QueuePairAddress mine, link->Open());
  std::string hello;
  mine.Write(&hello);
  absl::StrAppend(&hello, sender_.Greeting(token_));
  link->SendPacket(ControlKind::kHello, hello);
  SLUICE_RETURN_IF_ERROR(link->Start());
  link_ = std::move(link);
  return absl::OkStatus();
}

absl::StatusOr<Tensor> RdmaChannel::Allocate(DType dtype, const Shape& shape) {
  const size_t bytes = static_cast<size_t>(shape.num_elements()) * SizeOf(dtype);
  if (bytes < kPlacedFrom || IsLarge(bytes)) return TensorChannel::Allocate(dtype, shape);
  auto block = device_->staging().Take(bytes);
  if (!block.ok()) return TensorChannel::Allocate(dtype, shape);
  char* data = (*block)->data();
  return Tensor(dtype, shape, Buffer::Borrow(data, bytes, [held = *std::move(block)] {}));
}

void RdmaChannel::Launch(Outgoing&& out, bool pulled) {
  if (out.bytes() < kPlacedFrom || link_ == nullptr)
    sender_.queue().Add(std::move(out), pulled);
  else
    to_place_.push_back({std::move(out), pulled});
}

void RdmaChannel::Flush() {
  while (true) {
    std::deque<Placing> placing;
    {
      absl::MutexLock lock(&mu_);
      placing.swap(to_place_);
      if (placing.empty()) {
        if (link_ != nullptr) link_->Write();
        return;
      }
    }
    for (Placing& one : placing) Place(std::move(one));
  }
}

void RdmaChannel::Place(Placing placing) {
  std::optional<RemoteArena::Place> place;
  if (WaitsForArena(placing, &place)) return;
  if (!place.has_value()) return SendSource(std::move(placing));
  if (WriteContent(placing, *place)) return;
  {
    absl::MutexLock lock(&mu_);
    arena_.Give(place->at).IgnoreError();
  }
  SendSource(std::move(placing));
}

// Finds a place. Returns true if the tensor was kept until the stream is open and the arena has
// grown.
bool RdmaChannel::WaitsForArena(Placing& placing, std::optional<RemoteArena::Place>* place) {
  const size_t bytes = placing.out.bytes();
  if (IsLarge(bytes)) return false;
  absl::MutexLock lock(&mu_);
  if (link_ == nullptr) return false;
  *place = arena_.Take(bytes);
  if (place->has_value() || refused_) return false;
  if (asked_ == 0 && sender_.open()) {
    asked_ = arena_.NextSegment(bytes);
    if (asked_ == 0) return false;
    std::string packet;
    AppendVarint(asked_, &packet);
    link_->SendPacket(ControlKind::kGrow, packet);
  }
  waiting_.push_back(std::move(placing));
  return true;
}

// Returns false, and changes nothing, if there is no registered memory to write from.
bool RdmaChannel::WriteContent(Placing& placing, const RemoteArena::Place& place) {
  Outgoing& out = placing.out;
  RdmaLink::OneSided content;
  content.bytes = out.bytes();
  content.remote = place.address;
  content.rkey = place.rkey;
  content.local = static_cast<char*>(out.content.raw());
  std::optional<uint32_t> key = device_->KeyOf(content.local, content.bytes);
  if (key.has_value()) {
    content.done = [held = out.content] { return absl::OkStatus(); };
  } else {
    auto block = device_->staging().Take(content.bytes);
    if (!block.ok()) return false;
    content.local = (*block)->data();
    CopyBytes(content.local, out.content.raw(), content.bytes);
    Add(TheRdmaCounters().copied_bytes, content.bytes);
    key = device_->KeyOf(content.local, content.bytes);
    content.done = [held = *std::move(block)] { return absl::OkStatus(); };
  }
  content.lkey = *key;
  out.placed_bytes = out.bytes();
  out.placed = place.at;
  const Tensor sent = std::exchange(out.content, Tensor());  // destroyed outside the lock
  absl::MutexLock lock(&mu_);
  if (link_ == nullptr) return true;
  content.posted = [this, placing = std::move(placing)]()
                       ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) mutable {
                         sender_.queue().Add(std::move(placing.out), placing.pulled);
                       };
  link_->Post(std::move(content));
  return true;
}

// The peer reads the content. If its memory cannot be registered, it travels in parts.
void RdmaChannel::SendSource(Placing placing) {
  Outgoing& out = placing.out;
  auto registration = Registration::Create(device_->shared_domain(), out.content.raw(), out.bytes(),
                                           IBV_ACCESS_REMOTE_READ);
  Source source;  // destroyed outside the lock
  absl::MutexLock lock(&mu_);
  if (registration.ok()) {
    out.placed_bytes = out.bytes();
    out.placed = {kRdmaSource | registration->rkey(),
                  reinterpret_cast<uint64_t>(out.content.raw())};
    source = {*std::move(registration), std::exchange(out.content, Tensor())};
    if (link_ == nullptr) return;
    sources_[out.placed->number] = std::move(source);
  }
  sender_.queue().Add(std::move(out), placing.pulled);
}

absl::StatusOr<Content> RdmaChannel::Begin(const StreamFrame& frame) {
  if (frame.kind == FrameKind::kRelease) {
    SLUICE_RETURN_IF_ERROR(Release(frame.at));
    return Content{};
  }
  SLUICE_RETURN_IF_ERROR(Take(frame));
  if (frame.kind == FrameKind::kHello) {
    absl::MutexLock lock(&mu_);
    PlaceWaiting();
  }
  Flush();
  return Content{};
}

absl::Status RdmaChannel::Release(const Extent& at) {
  Source source;  // destroyed outside the lock
  absl::MutexLock lock(&mu_);
  if ((at.number & kRdmaSource) == 0) return arena_.Give(at);
  auto it = sources_.find(at.number);
  if (it == sources_.end()) return InvalidArgument("no content of key ", at.number);
  source = std::move(it->second);
  sources_.erase(it);
  return absl::OkStatus();
}

absl::Status RdmaChannel::Receive(ControlKind kind, absl::string_view rest) {
  if (kind == ControlKind::kEndpoint) {
    SLUICE_ASSIGN(const QueuePairAddress peer, QueuePairAddress::Take(&rest));
    absl::MutexLock lock(&mu_);
    if (link_ == nullptr) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(link_->Connect(peer));
    link_->SendPacket(ControlKind::kReady);
    link_->Enable();
    return absl::OkStatus();
  }
  if (kind != ControlKind::kLent && kind != ControlKind::kRefused)
    return InvalidArgument("control packet ", static_cast<int>(kind), " does not travel this way");
  {
    absl::MutexLock lock(&mu_);
    const size_t asked = std::exchange(asked_, 0);
    refused_ = kind == ControlKind::kRefused;
    if (!refused_) {
      SLUICE_ASSIGN(const LentSegment segment, LentSegment::Read(rest));
      if (asked == 0 || segment.bytes != asked)
        return InvalidArgument("a segment of ", segment.bytes, " bytes, ", asked,
                               " were asked for");
      SLUICE_RETURN_IF_ERROR(arena_.Add(segment));
    }
    PlaceWaiting();
  }
  Flush();
  return absl::OkStatus();
}

void RdmaChannel::Closed(const absl::Status& why) {
  std::optional<Ending> ending;
  // Destroyed outside the lock. The queue pair is disabled: nobody reads the sources any more.
  std::deque<Placing> to_place, waiting;
  absl::flat_hash_map<uint64_t, Source> sources;
  std::shared_ptr<RdmaLink> link;
  {
    absl::MutexLock lock(&mu_);
    to_place.swap(to_place_);
    waiting.swap(waiting_);
    sources.swap(sources_);
    link = std::exchange(link_, nullptr);
    ending = Lose(why);
  }
  Tell(*ending);
}

}  // namespace

std::unique_ptr<TensorChannel> CreateRdmaChannel(const RdmaTransportOptions& options,
                                                 std::shared_ptr<RdmaDevice> device,
                                                 const PeerAddress& peer, const SocketAddress& to,
                                                 std::string token, TensorSink* sink) {
  return std::make_unique<RdmaChannel>(options, std::move(device), peer, to, std::move(token),
                                       sink);
}

}  // namespace sluice::transport
