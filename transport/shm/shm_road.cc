#include "transport/shm/shm_road.h"

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "transport/guest_book.h"
#include "transport/poll/acceptor.h"
#include "transport/shm/arena.h"
#include "transport/shm/shm_channel.h"
#include "transport/shm/shm_link.h"
#include "transport/stream/stream_receiver.h"

namespace sluice::transport {
namespace {

class ShmRoad;

// The receiving end of one stream.
//
// Owner:    the transport until it is closed; the sink's return paths meanwhile.
// Threads:  the loop's, but for Answer and Replaced.
class ShmStream final : public StreamReceiver, private ShmLink::Owner {
 public:
  ShmStream(const StreamIdentity& self, TensorSink* sink, ShmRoad* road, PollLoop* loop,
            Descriptor socket)
      : StreamReceiver(self, sink, "shm"),
        road_(road),
        loop_(loop),
        link_(std::make_shared<ShmLink>(loop, std::move(socket), static_cast<ShmLink::Owner*>(this),
                                        &write_mu_)) {}

  absl::Status Start() { return link_->Start(); }
  void Close() { link_->Close(); }
  void Replaced() override { link_->Close(); }

 private:
  Message NextMessage(Message message) override {
    message.text() = TakeAnswers();
    message.last = true;
    return message;
  }
  absl::StatusOr<Content> Begin(const Frame& frame) override;
  absl::Status End(const Frame& frame) override { return StreamReceiver::End(frame, current_); }
  absl::Status Receive(Packet packet) override;
  void Closed(const absl::Status& why) override;
  void Answer() override {
    absl::MutexLock lock(&write_mu_);
    link_->Write();
  }

  absl::Status Open(Packet packet);
  absl::Status TakePlaced(const Frame& frame);

  ShmRoad* const road_;  // outlives its streams
  PollLoop* const loop_;
  absl::Mutex write_mu_;
  const std::shared_ptr<ShmLink> link_;
  Arrivals::Current current_;
  absl::flat_hash_map<uint64_t, std::shared_ptr<SharedMemory>> segments_;
};

class ShmRoad final : public Road {
 public:
  ShmRoad(ShmRoadOptions options, std::string name, Descriptor listener)
      : options_(std::move(options)),
        name_(std::move(name)),
        door_(options_.loop.get(), std::move(listener), [this](int door) { return Accept(door); }) {
  }
  ~ShmRoad() override { Stop(); }
  absl::Status Listen() { return door_.Listen(); }

  absl::string_view name() const override { return "shm"; }
  void Attach(TensorSink* sink) override { sink_ = sink; }
  absl::StatusOr<Invitation> Invite(const Visitor& visitor) override;
  absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                         const Invitation& invitation) override {
    if (sink_ == nullptr) return FailedPrecondition("a sink must be attached first");
    return CreateShmChannel(options_, peer, invitation, sink_);
  }
  void Stop() override { door_.Stop(); }

  bool Invited(const Hello& hello) const { return guests_.Invited(hello.task, hello.token); }
  Acceptor<ShmStream>& door() { return door_; }

 private:
  std::shared_ptr<ShmStream> Accept(int listener);

  const ShmRoadOptions options_;
  const std::string name_;
  std::atomic<TensorSink*> sink_ = nullptr;  // connections may arrive before it is set
  GuestBook guests_;
  Acceptor<ShmStream> door_;  // last: it uses what stands above
};

// --- ShmStream ---

absl::Status ShmStream::Receive(Packet packet) {
  if (!greeted()) return Open(std::move(packet));
  uint64_t number = 0;
  if (packet.bytes.size() != sizeof(number) || packet.descriptors.size() != 1)
    return InvalidArgument("a packet that is not a segment");
  std::memcpy(&number, packet.bytes.data(), sizeof(number));
  SLUICE_ASSIGN(segments_[number], SharedMemory::Map(std::move(packet.descriptors.front())));
  return absl::OkStatus();
}

// The first packet: who it is, the rings, and how its loop is woken.
absl::Status ShmStream::Open(Packet packet) {
  Frame frame;
  if (packet.bytes.size() < kFramePrefix || packet.descriptors.size() != 2)
    return InvalidArgument("a tensor stream begins with hello");
  SLUICE_RETURN_IF_ERROR(ReadHead(absl::string_view(packet.bytes).substr(kFramePrefix), &frame));
  if (frame.kind != FrameKind::kHello || !road_->Invited(frame.hello))
    return absl::PermissionDeniedError(
        absl::StrCat(frame.hello.task, " has no connection offer for its token"));
  SLUICE_ASSIGN(auto memory, SharedMemory::Map(std::move(packet.descriptors[0])));
  if (memory->size() != RingPair::kBytes) return InvalidArgument("rings of another size");
  {
    absl::MutexLock lock(&write_mu_);
    link_->UseRings(std::move(memory), /*out=*/1);
  }
  link_->set_wake(std::move(packet.descriptors[1]));
  SLUICE_RETURN_IF_ERROR(link_->Send("w", {loop_->wake_descriptor()}));
  return Greet(frame.hello, "shared memory");
}

absl::StatusOr<Content> ShmStream::Begin(const Frame& frame) {
  if (frame.kind == FrameKind::kPlaced) {
    SLUICE_RETURN_IF_ERROR(TakePlaced(frame));
    return Content{};
  }
  if (frame.kind == FrameKind::kRelease) {  // buffers that refer to the segment keep it
    segments_.erase(frame.at.number);
    return Content{};
  }
  return StreamReceiver::Begin(frame, current_);
}

absl::Status ShmStream::TakePlaced(const Frame& frame) {
  auto it = segments_.find(frame.at.number);
  if (it == segments_.end()) {
    SLUICE_RETURN_IF_ERROR(link_->ReceivePackets());  // it was sent before the frame was written
    it = segments_.find(frame.at.number);
    if (it == segments_.end()) return InvalidArgument("no segment ", frame.at.number);
  }
  const std::shared_ptr<SharedMemory>& memory = it->second;
  if (frame.at.offset % kAlignment != 0 || frame.at.offset < sizeof(BlockHead) ||
      frame.at.offset > memory->size() || frame.size > memory->size() - frame.at.offset) {
    return InvalidArgument("content of ", frame.size, " bytes at ", frame.at.offset,
                           " of a segment of ", memory->size());
  }
  char* data = memory->data() + frame.at.offset;
  auto* head = reinterpret_cast<BlockHead*>(data - sizeof(BlockHead));
  auto buffer = Buffer::Borrow(
      data, frame.size, [memory, head] { head->in_use.store(0, std::memory_order_release); });
  const bool plain = IsPlain(frame.head.dtype);
  const Shape bytes{static_cast<int64_t>(frame.size)};
  return StreamReceiver::TakePlaced(
      frame, Tensor(plain ? frame.head.dtype : kUint8, plain ? frame.head.shape : bytes,
                    std::move(buffer)));
}

void ShmStream::Closed(const absl::Status& why) {
  const auto self = shared_from_this();  // through Gone
  Leave(why, /*told=*/!road_->door().stopping());
  road_->door().Gone(this);
}

// --- ShmRoad ---

absl::StatusOr<Invitation> ShmRoad::Invite(const Visitor& visitor) {
  if (visitor.host != HostId())
    return Unavailable(visitor.task, " is on another machine, or in another network namespace");
  if (door_.stopping()) return Unavailable(options_.self.task, " is stopping");
  return Invitation{"shm", name_, guests_.TokenFor(visitor)};
}

std::shared_ptr<ShmStream> ShmRoad::Accept(int listener) {
  Descriptor socket = AcceptUnix(listener);
  if (!socket.valid()) return nullptr;
  return std::make_shared<ShmStream>(options_.self, sink_.load(), this, options_.loop.get(),
                                     std::move(socket));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Road>> CreateShmRoad(const ShmRoadOptions& options) {
  ShmRoadOptions whole = options;
  if (whole.limit_bytes == 0) {
    whole.limit_bytes = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 4;
  }
  std::string name = absl::StrCat("sluice-", RandomToken());
  SLUICE_ASSIGN(Descriptor listener, ListenUnix(name));
  auto road = std::make_unique<ShmRoad>(std::move(whole), std::move(name), std::move(listener));
  SLUICE_RETURN_IF_ERROR(road->Listen());
  return road;
}

}  // namespace sluice::transport
