// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/shm/transport.h"

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "transport/backends/shm/arena.h"
#include "transport/backends/shm/channel.h"
#include "transport/backends/shm/link.h"
#include "transport/backends/shm/shared_arena.h"
#include "transport/poll/acceptor.h"
#include "transport/protocol/stream_receiver.h"
#include "transport/protocol/token_table.h"

namespace sluice::transport {
namespace {

class ShmTransport;

// The receiving end of one stream.
//
// Owner:    the transport until it is closed; the sink's return paths meanwhile.
// Threads:  the loop's, except for Answer and Replaced.
class ShmStream final : public StreamReceiver, private ShmLink::Owner {
 public:
  ShmStream(const StreamIdentity& self, TensorSink* sink, ShmTransport* transport, PollLoop* loop,
            Descriptor socket)
      : StreamReceiver(self, sink, "shm"),
        transport_(transport),
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
  absl::StatusOr<Content> Begin(const StreamFrame& frame) override;
  absl::Status End(const StreamFrame& frame) override {
    return StreamReceiver::End(frame, current_);
  }
  absl::Status Receive(Packet packet) override;
  void Closed(const absl::Status& why) override;
  void Answer() override {
    absl::MutexLock lock(&write_mu_);
    link_->Write();
  }

  absl::Status Open(Packet packet);
  absl::Status TakePlaced(const StreamFrame& frame);

  ShmTransport* const transport_;  // outlives its streams
  PollLoop* const loop_;
  absl::Mutex write_mu_;
  const std::shared_ptr<ShmLink> link_;
  Arrivals::Current current_;
  struct Segment {
    std::shared_ptr<SharedMemory> memory;
    uint64_t reader = 0;  // this task's bit in the heads of blocks
  };
  absl::flat_hash_map<uint64_t, Segment> segments_;
};

class ShmTransport final : public Transport {
 public:
  ShmTransport(ShmTransportOptions options, std::string name, Descriptor listener)
      : options_(std::move(options)),
        name_(std::move(name)),
        acceptor_(options_.loop.get(), std::move(listener),
                  [this](int acceptor) { return Accept(acceptor); }) {}
  ~ShmTransport() override { Stop(); }
  absl::Status Listen() { return acceptor_.Listen(); }

  absl::string_view name() const override { return "shm"; }
  void Attach(TensorSink* sink) override { sink_ = sink; }
  absl::StatusOr<ConnectionOffer> Offer(const PeerIdentity& peer) override;
  absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                         const ConnectionOffer& offer) override {
    if (sink_ == nullptr) return FailedPrecondition("a sink must be attached first");
    return CreateShmChannel(options_, shared_, peer, offer, sink_);
  }
  void Stop() override { acceptor_.Stop(); }

  bool Knows(const Hello& hello) const { return tokens_.Knows(hello.task, hello.token); }
  Acceptor<ShmStream>& acceptor() { return acceptor_; }

 private:
  std::shared_ptr<ShmStream> Accept(int listener);

  const ShmTransportOptions options_;
  const std::shared_ptr<SharedArena> shared_ = std::make_shared<SharedArena>(options_.limit_bytes);
  const std::string name_;
  std::atomic<TensorSink*> sink_ = nullptr;  // connections may arrive before it is set
  TokenTable tokens_;
  Acceptor<ShmStream> acceptor_;  // last: it uses the members above
};

// --- ShmStream ---

absl::Status ShmStream::Receive(Packet packet) {
  if (!greeted()) return Open(std::move(packet));
  uint64_t announced[2];  // the number, and the bit of the reader
  if (packet.bytes.size() != sizeof(announced) || packet.descriptors.size() != 1)
    return InvalidArgument("a packet that is not a segment");
  std::memcpy(announced, packet.bytes.data(), sizeof(announced));
  SLUICE_ASSIGN(auto memory, SharedMemory::Map(std::move(packet.descriptors.front())));
  memory->set_pin(sink()->Pin(memory->data(), memory->size()));
  segments_[announced[0]] = {std::move(memory), announced[1]};
  return absl::OkStatus();
}

// The first packet has the sender's identity, the rings, and the descriptor that wakes its loop.
absl::Status ShmStream::Open(Packet packet) {
  StreamFrame frame;
  if (packet.bytes.size() < kFramePrefix || packet.descriptors.size() != 2)
    return InvalidArgument("a tensor stream begins with hello");
  SLUICE_RETURN_IF_ERROR(ReadHead(absl::string_view(packet.bytes).substr(kFramePrefix), &frame));
  if (frame.kind != FrameKind::kHello || !transport_->Knows(frame.hello))
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

absl::StatusOr<Content> ShmStream::Begin(const StreamFrame& frame) {
  if (frame.kind == FrameKind::kPlaced) {
    SLUICE_RETURN_IF_ERROR(TakePlaced(frame));
    return Content{};
  }
  if (frame.kind == FrameKind::kRelease) {  // buffers that refer to the segment keep it alive
    segments_.erase(frame.at.number);
    return Content{};
  }
  return StreamReceiver::Begin(frame, current_);
}

absl::Status ShmStream::TakePlaced(const StreamFrame& frame) {
  auto it = segments_.find(frame.at.number);
  if (it == segments_.end()) {
    // the packet was sent before the frame was written
    SLUICE_RETURN_IF_ERROR(link_->ReceivePackets());
    it = segments_.find(frame.at.number);
    if (it == segments_.end()) return InvalidArgument("no segment ", frame.at.number);
  }
  const auto& [memory, reader] = it->second;
  if (frame.at.offset % kAlignment != 0 || frame.at.offset < sizeof(BlockHead) ||
      frame.at.offset > memory->size() || frame.size > memory->size() - frame.at.offset) {
    return InvalidArgument("content of ", frame.size, " bytes at ", frame.at.offset,
                           " of a segment of ", memory->size());
  }
  char* data = memory->data() + frame.at.offset;
  auto buffer = Buffer::Borrow(data, frame.size, [kept = memory, data, bit = reader] {
    BlockHead::Of(data)->readers.fetch_and(~bit, std::memory_order_release);
  });
  const bool plain = IsPlain(frame.head.dtype);
  const Shape bytes{static_cast<int64_t>(frame.size)};
  return StreamReceiver::TakePlaced(
      frame, Tensor(plain ? frame.head.dtype : kUint8, plain ? frame.head.shape : bytes,
                    std::move(buffer)));
}

void ShmStream::Closed(const absl::Status& why) {
  const auto self = shared_from_this();  // also while Gone runs
  Leave(why, /*told=*/!transport_->acceptor().stopping());
  transport_->acceptor().Gone(this);
}

// --- ShmTransport ---

absl::StatusOr<ConnectionOffer> ShmTransport::Offer(const PeerIdentity& peer) {
  if (peer.host != HostId())
    return Unavailable(peer.task, " is on another machine, or in another network namespace");
  if (acceptor_.stopping()) return Unavailable(options_.self.task, " is stopping");
  return ConnectionOffer{"shm", name_, tokens_.TokenFor(peer)};
}

std::shared_ptr<ShmStream> ShmTransport::Accept(int listener) {
  Descriptor socket = AcceptUnix(listener);
  if (!socket.valid()) return nullptr;
  return std::make_shared<ShmStream>(options_.self, sink_.load(), this, options_.loop.get(),
                                     std::move(socket));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Transport>> CreateShmTransport(const ShmTransportOptions& options) {
  ShmTransportOptions whole = options;
  whole.self.checksums = false;  // the bytes do not leave the host
  if (whole.limit_bytes == 0) {
    whole.limit_bytes = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 4;
  }
  std::string name = absl::StrCat("sluice-", RandomToken());
  SLUICE_ASSIGN(Descriptor listener, ListenUnix(name));
  auto transport =
      std::make_unique<ShmTransport>(std::move(whole), std::move(name), std::move(listener));
  SLUICE_RETURN_IF_ERROR(transport->Listen());
  return transport;
}

}  // namespace sluice::transport
