// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/transport.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/io/coding.h"
#include "core/log.h"
#include "transport/admission/connection_gate.h"
#include "transport/admission/newcomers.h"
#include "transport/backends/rdma/channel.h"
#include "transport/backends/rdma/counters.h"
#include "transport/backends/rdma/device.h"
#include "transport/backends/rdma/link.h"
#include "transport/backends/rdma/loopback.h"
#include "transport/backends/rdma/remote_arena.h"
#include "transport/backends/tcp/socket.h"
#include "transport/poll/acceptor.h"
#include "transport/poll/loop_timer.h"
#include "transport/protocol/stream_receiver.h"
#include "transport/protocol/token_table.h"

namespace sluice::transport {
namespace {

// A connection without a stream is closed at the last of so many looks.
constexpr int kLooks = 4;
// That a stream lends. Each is a registration; a sender that asks for memory as it needs it has a
// few hundred at most.
constexpr size_t kMostSegments = 512;

class RdmaTransport;

// The receiving end of one stream.
//
// Owner:    the transport until it is closed; the sink's return paths
// meanwhile. Threads:  the loop's, except for Answer, Replaced and Release.
class RdmaStream final : public StreamReceiver, private RdmaLink::Owner {
 public:
  RdmaStream(const StreamIdentity& self, TensorSink* sink, RdmaTransport* transport,
             const std::shared_ptr<RdmaDevice>& device, PollLoop* loop, Descriptor socket,
             std::shared_ptr<OpenConnection> entry)
      : StreamReceiver(self, sink, "rdma"),
        transport_(transport),
        device_(device),
        entry_(std::move(entry)),
        from_(entry_->peer().ToString()),
        link_(std::make_shared<RdmaLink>(device, loop, std::move(socket),
                                         static_cast<RdmaLink::Owner*>(this), &write_mu_)) {}

  absl::Status Start() { return link_->Start(); }
  void Close() { link_->Close(); }
  void Replaced() override { link_->Close(); }
  bool IsNew() const { return !greeted(); }
  void EndNew();

 private:
  // RdmaLink::Owner
  Message NextMessage(Message message) override {
    message.text() = TakeAnswers();
    return message;
  }
  absl::StatusOr<Content> Begin(const StreamFrame& frame) override;
  absl::Status End(const StreamFrame& frame) override {
    return StreamReceiver::End(frame, current_);
  }
  absl::Status Receive(ControlKind kind, absl::string_view rest) override;
  bool Awaits() override { return greeted() && (awaits_parts() || sink()->Awaits(peer())); }
  void Closed(const absl::Status& why) override;
  void Answer() override {
    absl::MutexLock lock(&write_mu_);
    link_->Write();
  }

  absl::Status Open(absl::string_view packet);
  absl::Status Ready();
  absl::Status Lend(absl::string_view packet);
  absl::StatusOr<std::shared_ptr<RegisteredMemory>> LentMemory(uint64_t bytes);
  absl::Status TakeLent(const StreamFrame& frame);
  absl::Status TakeSource(const StreamFrame& frame);
  absl::StatusOr<Tensor> DestinationOf(const StreamFrame& frame);
  void Release(const Extent& at) {
    Reply([&](std::string* out) { WriteRelease(at, out); });
  }

  RdmaTransport* const transport_;  // outlives its streams
  const std::shared_ptr<RdmaDevice> device_;
  const std::shared_ptr<OpenConnection> entry_;
  const std::string from_;
  absl::Mutex write_mu_;
  const std::shared_ptr<RdmaLink> link_;
  Hello hello_;  // until the sender is ready
  Arrivals::Current current_;
  std::vector<std::shared_ptr<RegisteredMemory>> segments_;  // lent; the number is the index
  size_t lent_ = 0;                                          // bytes
};

class RdmaTransport final : public Transport {
 public:
  RdmaTransport(RdmaTransportOptions options, std::shared_ptr<RdmaDevice> device,
                Descriptor listener, const SocketAddress& at)
      : options_(std::move(options)),
        device_(std::move(device)),
        at_(at),
        log_(absl::StrCat(options_.self.task, " by rdma")),
        gate_(LimitsOfStreams(options_.limits), &log_),
        newcomers_(options_.silence),
        silence_(options_.loop.get(), options_.silence / kLooks,
                 [this] {
                   gate_.Look();
                   newcomers_.Look();
                 }),
        acceptor_(options_.loop.get(), std::move(listener),
                  [this](int acceptor) { return Accept(acceptor); }) {}
  ~RdmaTransport() override {
    Stop();
    device_->Stop();
    const RdmaCounters& counters = TheRdmaCounters();
    if (counters.sends > 0) Log(LogLevel::kInfo, "RDMA of this process: ", counters.ToString());
  }
  absl::Status Listen() {
    SLUICE_RETURN_IF_ERROR(device_->Start(options_.silence / kLooks));
    SLUICE_RETURN_IF_ERROR(silence_.Start());
    return acceptor_.Listen();
  }

  absl::string_view name() const override { return "rdma"; }
  void Attach(TensorSink* sink) override { sink_ = sink; }
  absl::StatusOr<ConnectionOffer> Offer(const PeerIdentity& peer) override;
  absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                         const ConnectionOffer& offer) override;
  void Stop() override {
    acceptor_.Stop();
    silence_.Stop();
  }

  ConnectionTable& connections() { return gate_.connections(); }
  const RdmaTransportOptions& options() const { return options_; }
  bool Knows(const Hello& hello) const { return tokens_.Knows(hello.task, hello.token); }
  Acceptor<RdmaStream>& acceptor() { return acceptor_; }

 private:
  std::shared_ptr<RdmaStream> Accept(int listener);

  const RdmaTransportOptions options_;
  const std::shared_ptr<RdmaDevice> device_;
  const SocketAddress at_;
  std::atomic<TensorSink*> sink_ = nullptr;  // connections may arrive before it is set
  TokenTable tokens_;
  AdmissionLog log_;
  // Used on the loop's thread.
  ConnectionGate gate_;
  Newcomers<RdmaStream> newcomers_;
  LoopTimer silence_;
  Acceptor<RdmaStream> acceptor_;  // last: it uses the members above
};

// --- RdmaStream ---

absl::Status RdmaStream::Receive(ControlKind kind, absl::string_view rest) {
  switch (kind) {
    case ControlKind::kHello:
      return Open(rest);
    case ControlKind::kReady:
      return Ready();
    case ControlKind::kGrow:
      return Lend(rest);
    default:
      return InvalidArgument("control packet ", static_cast<int>(kind),
                             " does not travel this way");
  }
}

// The first packet has the sender's endpoint and identity.
absl::Status RdmaStream::Open(absl::string_view packet) {
  SLUICE_ASSIGN(const QueuePairAddress peer, QueuePairAddress::Take(&packet));
  StreamFrame frame;
  if (packet.size() < kFramePrefix) return InvalidArgument("a tensor stream begins with hello");
  SLUICE_RETURN_IF_ERROR(ReadHead(packet.substr(kFramePrefix), &frame));
  if (frame.kind != FrameKind::kHello || !transport_->Knows(frame.hello))
    return absl::PermissionDeniedError(
        absl::StrCat(frame.hello.task, " has no connection offer for its token"));
  hello_ = frame.hello;
  std::string answer;
  {
    absl::MutexLock lock(&write_mu_);
    SLUICE_ASSIGN(const QueuePairAddress mine, link_->Open());
    SLUICE_RETURN_IF_ERROR(link_->Connect(peer));
    mine.Write(&answer);
  }
  link_->SendPacket(ControlKind::kEndpoint, answer);
  return absl::OkStatus();
}

absl::Status RdmaStream::Ready() {
  if (greeted() || hello_.task.empty())
    return InvalidArgument("a stream is made ready once, after its hello");
  {
    absl::MutexLock lock(&write_mu_);
    link_->Enable();
  }
  transport_->connections().BecomesKnown(entry_.get());
  return Greet(hello_, from_);
}

void RdmaStream::EndNew() {
  link_->Close(Unavailable(from_, " did not open a tensor stream for ",
                           absl::FormatDuration(transport_->options().silence)));
}

absl::Status RdmaStream::Lend(absl::string_view packet) {
  uint64_t bytes = 0;
  if (!greeted() || !TakeVarint(&packet, &bytes) || bytes == 0 || bytes % FreeSpace::kGrain != 0)
    return InvalidArgument("a malformed request for memory");
  const auto memory = LentMemory(bytes);
  if (!memory.ok()) {
    link_->SendPacket(ControlKind::kRefused, memory.status().message());
    return absl::OkStatus();
  }
  (*memory)->set_pin(sink()->Pin((*memory)->data(), (*memory)->size()));
  const LentSegment segment{segments_.size(), reinterpret_cast<uint64_t>((*memory)->data()), bytes,
                            (*memory)->registration().rkey()};
  segments_.push_back(*memory);
  lent_ += bytes;
  std::string answer;
  segment.Write(&answer);
  link_->SendPacket(ControlKind::kLent, answer);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<RegisteredMemory>> RdmaStream::LentMemory(uint64_t bytes) {
  const size_t limit = transport_->options().arena_bytes;
  if (bytes > limit - std::min(limit, lent_) || segments_.size() >= kMostSegments)
    return ResourceExhausted("one peer is lent at most ", limit, " bytes in ", kMostSegments,
                             " segments");
  return RegisteredMemory::Create(device_->shared_domain(), bytes,
                                  IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
}

absl::StatusOr<Content> RdmaStream::Begin(const StreamFrame& frame) {
  if (frame.kind != FrameKind::kPlaced) return StreamReceiver::Begin(frame, current_);
  if (!greeted()) return InvalidArgument("a tensor stream begins with hello");
  SLUICE_RETURN_IF_ERROR((frame.at.number & kRdmaSource) != 0 ? TakeSource(frame)
                                                              : TakeLent(frame));
  return Content{};
}

absl::Status RdmaStream::TakeLent(const StreamFrame& frame) {
  if (frame.at.number >= segments_.size()) return InvalidArgument("no segment ", frame.at.number);
  const std::shared_ptr<RegisteredMemory>& memory = segments_[frame.at.number];
  if (frame.at.offset % kAlignment != 0 || frame.at.offset > memory->size() ||
      frame.size > memory->size() - frame.at.offset) {
    return InvalidArgument("content of ", frame.size, " bytes at ", frame.at.offset,
                           " of a segment of ", memory->size());
  }
  auto buffer = Buffer::Borrow(memory->data() + frame.at.offset, frame.size,
                               [memory, at = frame.at, weak = weak_from_this()] {
                                 if (const auto self = weak.lock(); self != nullptr)
                                   static_cast<RdmaStream*>(self.get())->Release(at);
                               });
  const bool plain = IsPlain(frame.head.dtype);
  const Shape bytes{static_cast<int64_t>(frame.size)};
  return StreamReceiver::TakePlaced(
      frame, Tensor(plain ? frame.head.dtype : kUint8, plain ? frame.head.shape : bytes,
                    std::move(buffer)));
}

// Reads a content from its sender's memory.
absl::Status RdmaStream::TakeSource(const StreamFrame& frame) {
  if (frame.size == 0) return InvalidArgument("an empty content to read");
  SLUICE_ASSIGN(const Tensor tensor, DestinationOf(frame));
  if (!tensor.valid()) {
    Release(frame.at);
    return StreamReceiver::TakePlaced(frame, tensor);  // the step has ended: tells the sender
  }
  SLUICE_ASSIGN(Registration registration,
                Registration::Create(device_->shared_domain(), tensor.raw(), frame.size,
                                     IBV_ACCESS_LOCAL_WRITE));
  RdmaLink::OneSided content;
  content.read = true;
  content.local = static_cast<char*>(tensor.raw());
  content.lkey = registration.lkey();
  content.rkey = static_cast<uint32_t>(frame.at.number);
  content.remote = frame.at.offset;
  content.bytes = frame.size;
  content.done = [this, frame, tensor, registration = std::move(registration)]() mutable {
    registration = Registration();
    Release(frame.at);
    return StreamReceiver::TakePlaced(frame, tensor);
  };
  absl::MutexLock lock(&write_mu_);
  link_->Post(std::move(content));
  return absl::OkStatus();
}

// An invalid tensor if the step has ended.
absl::StatusOr<Tensor> RdmaStream::DestinationOf(const StreamFrame& frame) {
  if (!IsPlain(frame.head.dtype))
    return Tensor::Allocate(CpuAllocator(), kUint8, Shape{static_cast<int64_t>(frame.size)});
  auto tensor = sink()->Prepare(frame.id, frame.head.dtype, frame.head.shape);
  if (tensor.ok() || absl::IsResourceExhausted(tensor.status())) return tensor;
  return Tensor();
}

void RdmaStream::Closed(const absl::Status& why) {
  const auto self = shared_from_this();  // also while Gone runs
  // Tensors may still refer to the memory.
  for (const auto& segment : segments_) segment->Deregister();
  segments_.clear();
  Leave(why, /*told=*/!transport_->acceptor().stopping());
  transport_->connections().Remove(entry_.get());
  transport_->acceptor().Gone(this);
}

// --- RdmaTransport ---

absl::StatusOr<ConnectionOffer> RdmaTransport::Offer(const PeerIdentity& peer) {
  SLUICE_RETURN_IF_ERROR(device_->state());
  const bool loopback = at_.IsLoopback();
  if (loopback && !IsThisMachine(peer.host))
    return Unavailable("this task listens on loopback only, ", peer.task, " is on another machine");
  if (acceptor_.stopping()) return Unavailable(options_.self.task, " is stopping");
  // The device is for people who read the offer: the handshake gives its address.
  return ConnectionOffer{"rdma",
                         absl::StrCat(loopback ? at_.ToString() : absl::StrCat(":", at_.port()),
                                      "/", device_->domain().ToString()),
                         tokens_.TokenFor(peer)};
}

absl::StatusOr<std::unique_ptr<TensorChannel>> RdmaTransport::Connect(
    const PeerAddress& peer, const ConnectionOffer& offer) {
  if (sink_ == nullptr) return FailedPrecondition("a sink must be attached first");
  SLUICE_RETURN_IF_ERROR(device_->state());
  const std::string address = offer.address.substr(0, offer.address.find('/'));
  const size_t colon = address.rfind(':');
  int port = 0;
  if (colon == std::string::npos || !absl::SimpleAtoi(address.substr(colon + 1), &port))
    return InvalidArgument("malformed connection offer \"", offer.address, "\"");
  std::string host = HostOf(address);
  if (host.empty()) host = HostOf(peer.address);
  SLUICE_ASSIGN(const SocketAddress to, SocketAddress::Find(host, port));
  return CreateRdmaChannel(options_, device_, peer, to, offer.token, sink_.load());
}

std::shared_ptr<RdmaStream> RdmaTransport::Accept(int listener) {
  auto one = gate_.Accept(listener);
  if (!one) return nullptr;
  PrepareTcp(one->socket.get());
  auto stream =
      std::make_shared<RdmaStream>(options_.self, sink_.load(), this, device_, options_.loop.get(),
                                   std::move(one->socket), std::move(one->entry));
  newcomers_.Add(stream);
  return stream;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Transport>> CreateRdmaTransport(
    const RdmaTransportOptions& options) {
  if (options.tls && !options.settings.unencrypted)
    return Unavailable(
        "verbs do not encrypt, and this cluster has TLS (--rdma_unencrypted lets tensors travel "
        "unencrypted)");
  const Verbs* verbs = options.verbs;
  if (verbs == nullptr) {
    SLUICE_ASSIGN(verbs, OpenVerbs());
  }
  SLUICE_ASSIGN(std::shared_ptr<RdmaDomain> domain,
                RdmaDomain::Open(*verbs, options.settings, options.address));
  const std::vector<RdmaFact> facts = domain->Facts();
  SLUICE_ASSIGN(std::shared_ptr<RdmaDevice> device,
                RdmaDevice::Create(std::move(domain), options.loop.get(), options.staging_bytes));
  SLUICE_RETURN_IF_ERROR(TestLoopback(device));
  SocketAddress at;
  SLUICE_ASSIGN(Descriptor listener, ListenTcp(options.bind_host, &at));
  RdmaTransportOptions unsummed = options;
  unsummed.self.checksums = false;  // the devices check what they carry
  auto transport =
      std::make_unique<RdmaTransport>(unsummed, std::move(device), std::move(listener), at);
  SLUICE_RETURN_IF_ERROR(transport->Listen());
  Log(LogLevel::kInfo, options.self.task,
      " uses RDMA: ", absl::StrJoin(facts, ", ", [](std::string* out, const RdmaFact& fact) {
        absl::StrAppend(out, fact.name, " ", fact.value, " (", fact.source, ")");
      }));
  return transport;
}

}  // namespace sluice::transport
