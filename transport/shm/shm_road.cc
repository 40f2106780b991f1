#include "transport/shm/shm_road.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <cstring>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "transport/shm/arena.h"
#include "transport/shm/shm_channel.h"
#include "transport/shm/shm_link.h"
#include "transport/stream/stream_receiver.h"

namespace sluice::transport {
namespace {

class ShmRoad;

// The receiving end of one stream.
//
// Owner:    the road until it is closed; the sink's return paths meanwhile.
// Threads:  the loop's, but for Answer and Replaced.
class ShmStream final : public StreamReceiver, private ShmLink::Owner {
 public:
  ShmStream(const StreamIdentity& self, TensorSink* sink, ShmRoad* road, PollLoop* loop,
            Descriptor socket)
      : StreamReceiver(self, sink, "shm"),
        road_(road),
        loop_(loop),
        link_(std::make_shared<ShmLink>(loop, std::move(socket),
                                        static_cast<ShmLink::Owner*>(this))) {}

  absl::Status Start() { return link_->Start(); }
  void Close() { link_->Close(); }
  void Replaced() override { link_->Close(); }

 private:
  Message NextMessage() override {
    Message message;
    message.text() = TakeAnswers();
    return message;
  }
  absl::StatusOr<Content> Begin(const Frame& frame) override;
  absl::Status End() override { return StreamReceiver::End(current_); }
  absl::Status Receive(Packet packet) override;
  void Closed(const absl::Status& why) override;
  void Answer() override { link_->Write(); }

  absl::Status Open(Packet packet);
  absl::Status TakePlaced(const Frame& frame);

  ShmRoad* const road_;  // outlives its streams
  PollLoop* const loop_;
  const std::shared_ptr<ShmLink> link_;
  Arrivals::Current current_;
  absl::flat_hash_map<uint64_t, std::shared_ptr<SharedMemory>> segments_;
};

class ShmRoad final : public Road {
 public:
  ShmRoad(ShmRoadOptions options, std::string name, Descriptor listener)
      : options_(std::move(options)), name_(std::move(name)), listener_(std::move(listener)) {}
  ~ShmRoad() override { Stop(); }
  absl::Status Listen();

  absl::string_view name() const override { return "shm"; }
  void Attach(TensorSink* sink) override { sink_ = sink; }
  absl::StatusOr<Invitation> Invite(const Visitor& visitor) override;
  absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                         const Invitation& invitation) override {
    if (sink_ == nullptr) return FailedPrecondition("a sink must be attached first");
    return CreateShmChannel(options_, peer, invitation, sink_);
  }
  void Stop() override;

  bool Invited(const Hello& hello) const { return guests_.Invited(hello.task, hello.token); }
  void Gone(const ShmStream* stream);
  bool stopping() {
    absl::MutexLock lock(&mu_);
    return stopping_;
  }

 private:
  struct Listening final : PollLoop::Watcher {
    explicit Listening(ShmRoad* road) : road(road) {}
    void Ready(uint32_t) override { road->Accept(); }
    ShmRoad* const road;  // forgets this before it goes
  };
  void Accept();

  const ShmRoadOptions options_;
  const std::string name_;
  const Descriptor listener_;
  TensorSink* sink_ = nullptr;
  uint64_t watched_ = 0;
  GuestBook guests_;

  absl::Mutex mu_;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false, listening_ ABSL_GUARDED_BY(mu_) = true;
  absl::flat_hash_map<const ShmStream*, std::shared_ptr<ShmStream>> streams_ ABSL_GUARDED_BY(mu_);
};

// --- ShmStream ---

absl::Status ShmStream::Receive(Packet packet) {
  if (!greeted()) return Open(std::move(packet));
  uint64_t number = 0;
  if (packet.bytes.size() != sizeof(number) || packet.descriptors.size() != 1)
    return InvalidArgument("a packet that is no segment");
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
    return absl::PermissionDeniedError(absl::StrCat(frame.hello.task, " was not invited"));
  SLUICE_ASSIGN(auto memory, SharedMemory::Map(std::move(packet.descriptors[0])));
  if (memory->size() != RingPair::kBytes) return InvalidArgument("rings of another size");
  link_->UseRings(std::move(memory), /*out=*/1);
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
  Leave(why, /*told=*/!road_->stopping());
  road_->Gone(this);
}

// --- ShmRoad ---

absl::Status ShmRoad::Listen() {
  return options_.loop->Watch(listener_.get(), EPOLLIN, std::make_shared<Listening>(this),
                              &watched_);
}

absl::StatusOr<Invitation> ShmRoad::Invite(const Visitor& visitor) {
  if (visitor.host != HostId())
    return Unavailable(visitor.task, " is on another machine, or in another network namespace");
  if (stopping()) return Unavailable(options_.self.task, " is stopping");
  return Invitation{"shm", name_, guests_.TokenFor(visitor)};
}

void ShmRoad::Accept() {
  while (true) {
    Descriptor socket = AcceptUnix(listener_.get());
    if (!socket.valid()) return;
    auto stream = std::make_shared<ShmStream>(options_.self, sink_, this, options_.loop.get(),
                                              std::move(socket));
    {
      absl::MutexLock lock(&mu_);
      if (stopping_) return;
      streams_[stream.get()] = stream;
    }
    if (!stream->Start().ok()) Gone(stream.get());
  }
}

void ShmRoad::Gone(const ShmStream* stream) {
  std::shared_ptr<ShmStream> dropped;  // dies outside the lock
  absl::MutexLock lock(&mu_);
  auto it = streams_.find(stream);
  if (it == streams_.end()) return;
  dropped = std::move(it->second);
  streams_.erase(it);
}

void ShmRoad::Stop() {
  {
    absl::MutexLock lock(&mu_);
    if (std::exchange(stopping_, true)) return;
  }
  // On the loop, where connections are accepted: none comes after.
  options_.loop->Run([this] {
    options_.loop->Forget(watched_, listener_.get());
    std::vector<std::shared_ptr<ShmStream>> all;
    {
      absl::MutexLock lock(&mu_);
      for (const auto& [key, one] : streams_) all.push_back(one);
    }
    for (const auto& one : all) one->Close();
    absl::MutexLock lock(&mu_);
    listening_ = false;
  });
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(
      +[](ShmRoad* road) ABSL_EXCLUSIVE_LOCKS_REQUIRED(road->mu_) {
        return !road->listening_ && road->streams_.empty();
      },
      this));
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
