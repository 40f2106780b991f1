// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/tcp/transport.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "transport/admission/connection_gate.h"
#include "transport/admission/newcomers.h"
#include "transport/backends/tcp/channel.h"
#include "transport/backends/tcp/connection.h"
#include "transport/poll/acceptor.h"
#include "transport/poll/loop_timer.h"
#include "transport/protocol/stream_receiver.h"
#include "transport/protocol/token_table.h"

namespace sluice::transport {
namespace {

// The prefix of the address in the connection offer of a task with TLS.
constexpr char kByTls[] = "tls:";

// The peer's silence is found at the last of so many looks. A process that is itself suspended for a
// while has one look afterwards, not several.
constexpr int kLooks = 4;

class TcpTransport;
class Accepted;

// The receiving end of one stream: the connection that opened it, and those that joined.
//
// Owner:    its connections; the sink's return paths meanwhile.
// Threads:  the loop's, except for Answer and Replaced.
class TcpStream final : public StreamReceiver {
 public:
  TcpStream(const StreamIdentity& self, TensorSink* sink, Hello hello)
      : StreamReceiver(self, sink, "tcp"), hello_(std::move(hello)) {}

  bool Is(const std::string& token, uint64_t stream) const {
    return hello_.token == token && hello_.stream == stream;
  }
  absl::Status Open(std::shared_ptr<Accepted> first, const std::string& from);
  void Join(std::shared_ptr<Accepted> one);
  // Called at regular times. While a tensor is awaited, asks the peer whether it lives. Ends the
  // stream if nothing has come for kLooks.
  void LookForSilence(absl::Duration silence);
  // One of its connections closed, so the stream is over.
  void Over(const Accepted* one, const absl::Status& why, bool told);
  void Replaced() override;

  using StreamReceiver::Begin;
  using StreamReceiver::End;
  using StreamReceiver::FaultOf;
  using StreamReceiver::TakeAnswers;

 private:
  void Answer() override;
  std::vector<std::shared_ptr<Accepted>> All() {
    absl::MutexLock lock(&mu_);
    return connections_;
  }

  const Hello hello_;
  bool over_ = false;
  uint64_t bytes_seen_ = 0;  // at the last look
  int silent_looks_ = 0;     // one after the other
  absl::Mutex mu_;
  // the first one opened the stream
  std::vector<std::shared_ptr<Accepted>> connections_ ABSL_GUARDED_BY(mu_);
};

// A connection that a peer opened, and its stream.
//
// Owner:    the transport until it is closed; its stream, and a thread that writes meanwhile.
class Accepted final : public Connection::Owner, public std::enable_shared_from_this<Accepted> {
 public:
  Accepted(TcpTransport* transport, PollLoop* loop, Descriptor socket, std::unique_ptr<Wire> wire,
           std::shared_ptr<OpenConnection> entry)
      : transport_(transport),
        entry_(std::move(entry)),
        from_(entry_->peer().ToString()),
        connection_(std::make_shared<Connection>(loop, std::move(socket), std::move(wire),
                                                 static_cast<Connection::Owner*>(this))) {}

  Connection& connection() { return *connection_; }
  bool IsNew() const { return stream_ == nullptr; }
  void EndNew();
  absl::Status Start() { return connection_->Start(); }
  void Close() { connection_->Close(); }

 private:
  Message NextMessage(Connection*) override;
  absl::StatusOr<Content> Begin(Connection*, const StreamFrame& frame) override;
  absl::Status End(Connection*, const StreamFrame& frame) override {
    return stream_->End(frame, current_);
  }
  std::string LastFrame(Connection*, const absl::Status& why) override {
    return stream_ != nullptr ? stream_->FaultOf(why) : "";
  }
  void Closed(Connection*, const absl::Status& why) override;

  TcpTransport* const transport_;  // waits for the end of its connections
  const std::shared_ptr<OpenConnection> entry_;
  const std::string from_;
  const std::shared_ptr<Connection> connection_;
  Arrivals::Current current_;
  std::shared_ptr<TcpStream> stream_;  // set on the loop before anything is written
  bool opened_ = false;                // this connection opened stream_
};

class TcpTransport final : public Transport {
 public:
  TcpTransport(TcpTransportOptions options, Descriptor listener, const SocketAddress& at)
      : options_(std::move(options)),
        at_(at),
        log_(absl::StrCat(options_.self.task, " by tcp")),
        gate_(LimitsOfStreams(options_.limits), &log_),
        newcomers_(options_.silence),
        silence_(options_.loop.get(), options_.silence / kLooks, [this] { LookForSilence(); }),
        acceptor_(options_.loop.get(), std::move(listener),
                  [this](int acceptor) { return Accept(acceptor); }) {}
  ~TcpTransport() override { Stop(); }

  absl::Status Listen() {
    SLUICE_RETURN_IF_ERROR(silence_.Start());
    return acceptor_.Listen();
  }

  absl::string_view name() const override { return "tcp"; }
  void Attach(TensorSink* sink) override { sink_ = sink; }
  absl::StatusOr<ConnectionOffer> Offer(const PeerIdentity& peer) override;
  absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                         const ConnectionOffer& offer) override;
  void Stop() override {
    acceptor_.Stop();
    silence_.Stop();
  }

  // On the loop's thread.
  absl::StatusOr<std::shared_ptr<TcpStream>> Admit(const Hello& hello);
  absl::StatusOr<std::shared_ptr<TcpStream>> FindStream(const Hello& join);
  Acceptor<Accepted>& acceptor() { return acceptor_; }
  ConnectionTable& connections() { return gate_.connections(); }
  const TcpTransportOptions& options() const { return options_; }

 private:
  std::shared_ptr<Accepted> Accept(int listener);
  void LookForSilence();

  const TcpTransportOptions options_;
  const SocketAddress at_;
  TensorSink* sink_ = nullptr;
  TokenTable tokens_;
  AdmissionLog log_;
  // Used on the loop's thread.
  std::vector<std::weak_ptr<TcpStream>> streams_;
  ConnectionGate gate_;
  Newcomers<Accepted> newcomers_;
  LoopTimer silence_;
  Acceptor<Accepted> acceptor_;  // last: it uses the members above
};

// --- TcpStream ---

absl::Status TcpStream::Open(std::shared_ptr<Accepted> first, const std::string& from) {
  Join(std::move(first));  // before the answer
  return Greet(hello_, from);
}

void TcpStream::Join(std::shared_ptr<Accepted> one) {
  absl::MutexLock lock(&mu_);
  connections_.push_back(std::move(one));
}

void TcpStream::Over(const Accepted* one, const absl::Status& why, bool told) {
  {
    absl::MutexLock lock(&mu_);
    std::erase_if(connections_, [&](const auto& other) { return other.get() == one; });
  }
  if (std::exchange(over_, true)) return;
  Leave(why, told);
  for (const auto& other : All()) other->connection().Close(why);
}

void TcpStream::LookForSilence(absl::Duration silence) {
  uint64_t bytes = 0;
  bool inside = awaits_parts();
  const auto connections = All();
  for (const auto& one : connections) {
    bytes += one->connection().bytes_read();
    inside = inside || one->connection().in_frame();
  }
  const bool awaits = inside || (greeted() && sink()->Awaits(peer()));
  silent_looks_ = awaits && bytes == bytes_seen_ ? silent_looks_ + 1 : 0;
  bytes_seen_ = bytes;
  if (silent_looks_ == 0 || connections.empty()) return;
  if (silent_looks_ < kLooks)
    return Reply([](std::string* out) { WritePing(/*messages=*/0, out); });
  connections.front()->connection().Close(
      Unavailable(inside ? "in the middle of a tensor it sent nothing for "
                         : "while a tensor is awaited it answered nothing for ",
                  absl::FormatDuration(silence)));
}

void TcpStream::Replaced() {
  for (const auto& one : All()) one->connection().Close();
}

void TcpStream::Answer() {
  std::shared_ptr<Accepted> first;
  {
    absl::MutexLock lock(&mu_);
    if (connections_.empty()) return;
    first = connections_.front();
  }
  first->connection().Write();
}

// --- Accepted ---

Message Accepted::NextMessage(Connection*) {
  Message message;
  if (opened_) message.text() = stream_->TakeAnswers();
  return message;
}

absl::StatusOr<Content> Accepted::Begin(Connection*, const StreamFrame& frame) {
  if (stream_ != nullptr) return stream_->Begin(frame, current_);
  if (frame.kind == FrameKind::kJoin) {
    SLUICE_ASSIGN(stream_, transport_->FindStream(frame.hello));
    stream_->Join(shared_from_this());
    transport_->connections().BecomesKnown(entry_.get());
    return Content{};
  }
  if (frame.kind != FrameKind::kHello) return InvalidArgument("a tensor stream begins with hello");
  SLUICE_ASSIGN(stream_, transport_->Admit(frame.hello));
  opened_ = true;
  transport_->connections().BecomesKnown(entry_.get());
  SLUICE_RETURN_IF_ERROR(stream_->Open(shared_from_this(), from_));
  return Content{};
}

void Accepted::EndNew() {
  connection_->Close(Unavailable(from_, " did not open a tensor stream for ",
                                 absl::FormatDuration(transport_->options().silence)));
}

void Accepted::Closed(Connection*, const absl::Status& why) {
  const auto self = shared_from_this();  // also while Gone runs
  if (stream_ != nullptr) stream_->Over(this, why, /*told=*/!transport_->acceptor().stopping());
  transport_->connections().Remove(entry_.get());
  transport_->acceptor().Gone(this);
}

// --- TcpTransport ---

absl::StatusOr<ConnectionOffer> TcpTransport::Offer(const PeerIdentity& peer) {
  const bool loopback = at_.IsLoopback();
  if (loopback && !IsThisMachine(peer.host))
    return Unavailable("this task listens on loopback only, ", peer.task, " is on another machine");
  if (acceptor_.stopping()) return Unavailable(options_.self.task, " is stopping");
  // Not the loopback address: the peer knows the host by which it reached this task.
  return ConnectionOffer{"tcp",
                         absl::StrCat(options_.tls != nullptr ? kByTls : "",
                                      loopback ? at_.ToString() : absl::StrCat(":", at_.port())),
                         tokens_.TokenFor(peer)};
}

absl::StatusOr<std::unique_ptr<TensorChannel>> TcpTransport::Connect(const PeerAddress& peer,
                                                                     const ConnectionOffer& offer) {
  if (sink_ == nullptr) return FailedPrecondition("a sink must be attached first");
  absl::string_view address = offer.address;
  const bool by_tls = absl::ConsumePrefix(&address, kByTls);
  // Without this check, each side would wait for bytes that it understands.
  if (by_tls && options_.tls == nullptr)
    return FailedPrecondition(peer.task, " speaks TLS, ", options_.self.task, " does not");
  if (!by_tls && options_.tls != nullptr)
    return FailedPrecondition(options_.self.task, " speaks TLS, ", peer.task, " does not");
  const size_t colon = address.rfind(':');
  int port = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(address.substr(colon + 1), &port))
    return InvalidArgument("malformed connection offer \"", offer.address, "\"");
  std::string host = HostOf(std::string(address));
  if (host.empty()) host = HostOf(peer.address);
  SLUICE_ASSIGN(const SocketAddress to, SocketAddress::Find(host, port));
  return CreateTcpChannel(options_, peer, to, offer.token, sink_);
}

std::shared_ptr<Accepted> TcpTransport::Accept(int listener) {
  auto one = gate_.Accept(listener);
  if (!one) return nullptr;
  const int socket = one->socket.get();
  PrepareTcp(socket);
  std::unique_ptr<Wire> wire =
      options_.tls == nullptr ? CreatePlainWire(socket) : options_.tls->Accepting(socket);
  auto accepted = std::make_shared<Accepted>(this, options_.loop.get(), std::move(one->socket),
                                             std::move(wire), std::move(one->entry));
  newcomers_.Add(accepted);
  return accepted;
}

void TcpTransport::LookForSilence() {
  for (const auto& weak : streams_) {
    if (auto stream = weak.lock()) stream->LookForSilence(options_.silence);
  }
  gate_.Look();
  newcomers_.Look();
}

absl::StatusOr<std::shared_ptr<TcpStream>> TcpTransport::Admit(const Hello& hello) {
  if (!tokens_.Knows(hello.task, hello.token))
    return absl::PermissionDeniedError(
        absl::StrCat(hello.task, " has no connection offer for its token"));
  auto stream = std::make_shared<TcpStream>(options_.self, sink_, hello);
  std::erase_if(streams_, [](const auto& old) { return old.expired(); });
  streams_.push_back(stream);
  return stream;
}

absl::StatusOr<std::shared_ptr<TcpStream>> TcpTransport::FindStream(const Hello& join) {
  for (const auto& weak : streams_) {
    if (auto stream = weak.lock(); stream != nullptr && stream->Is(join.token, join.stream))
      return stream;
  }
  return NotFound("no stream ", join.stream, " to join");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Transport>> CreateTcpTransport(const TcpTransportOptions& options) {
  SocketAddress at;
  SLUICE_ASSIGN(Descriptor listener, ListenTcp(options.bind_host, &at));
  auto transport = std::make_unique<TcpTransport>(options, std::move(listener), at);
  SLUICE_RETURN_IF_ERROR(transport->Listen());
  return transport;
}

}  // namespace sluice::transport
