// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/tcp/channel.h"

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "transport/backends/tcp/connection.h"
#include "transport/protocol/stream_channel.h"

namespace sluice::transport {
namespace {

// from        when                          to          does
// idle        first Send                    connecting  opens the first connection, sends the hello
// connecting  the peer's hello is right     open        opens the others; writes pending data
// any         a connection closed           closing     closes the others
// closing     all are closed                broken      drops everything, tells the sink once
// broken      Send                          broken      fails: a new offer is needed
class TcpChannel final : public StreamChannel, private Connection::Owner {
 public:
  TcpChannel(const TcpTransportOptions& options, const PeerAddress& peer, const SocketAddress& to,
             std::string token, TensorSink* sink)
      : StreamChannel(options.self, peer, sink, /*reconnects=*/false),
        options_(options),
        to_(to),
        host_(HostOf(peer.address)),
        token_(std::move(token)) {}
  ~TcpChannel() override {
    Close();
    CloseAll();
    AwaitEnd();
  }

  void GiveUp(const absl::Status& why) override { CloseAll(why); }
  std::string ToString() const override {
    return absl::StrCat("tcp to ", peer_.task, " at ", to_.ToString());
  }

 private:
  using Connections = std::vector<std::shared_ptr<Connection>>;

  // StreamChannel
  bool connected() const override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return !connections_.empty();
  }
  absl::Status Connect() override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Flush() override;

  // Connection::Owner. A connection's role is its index in the stream: the first carries
  // everything.
  Message NextMessage(Connection* connection) override;
  absl::StatusOr<Content> Begin(Connection* connection, const StreamFrame& frame) override;
  absl::Status End(Connection*, const StreamFrame&) override {
    return InvalidArgument("content does not travel this way");
  }
  std::string LastFrame(Connection*, const absl::Status& why) override { return FaultOf(why); }
  void Closed(Connection* connection, const absl::Status& why) override;

  absl::Status ConnectOne(int role) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Connections All() const {
    absl::MutexLock lock(&mu_);
    return connections_;
  }
  void CloseAll(const absl::Status& why = absl::OkStatus()) {
    for (const auto& connection : All()) connection->Close(why);
  }

  const TcpTransportOptions options_;
  const SocketAddress to_;
  const std::string host_;  // the cluster's name for the peer; its certificate names it
  const std::string token_;
  Connections connections_ ABSL_GUARDED_BY(mu_);    // those that are not closed yet
  std::vector<bool> greeted_ ABSL_GUARDED_BY(mu_);  // by role: the first frame was written
  uint64_t stream_ ABSL_GUARDED_BY(mu_) = 0;
  // the error of the first that closed, but rather what a peer found in the bytes
  absl::Status why_ ABSL_GUARDED_BY(mu_);
};

absl::Status TcpChannel::Connect() {
  static std::atomic<uint64_t> last_stream{0};
  stream_ = ++last_stream;
  greeted_.assign(static_cast<size_t>(options_.connections), false);
  why_ = absl::OkStatus();
  return ConnectOne(0);
}

absl::Status TcpChannel::ConnectOne(int role) {
  SLUICE_ASSIGN(Descriptor socket, ConnectTcp(to_));
  std::unique_ptr<Wire> wire = options_.tls == nullptr
                                   ? CreatePlainWire(socket.get())
                                   : options_.tls->Connecting(socket.get(), host_);
  auto connection =
      std::make_shared<Connection>(options_.loop.get(), std::move(socket), std::move(wire),
                                   static_cast<Connection::Owner*>(this));
  connection->role = role;
  SLUICE_RETURN_IF_ERROR(connection->Start());
  connections_.push_back(std::move(connection));
  return absl::OkStatus();
}

void TcpChannel::Flush() {
  for (const auto& connection : All()) connection->Write();
}

Message TcpChannel::NextMessage(Connection* connection) {
  const auto role = static_cast<size_t>(connection->role);
  Message message;
  absl::MutexLock lock(&mu_);
  if (!greeted_[role]) {
    greeted_[role] = true;
    if (role == 0)
      message.text() = sender_.Greeting(token_, stream_);
    else
      WriteJoin(token_, stream_, &message.text());
    return message;
  }
  if (!sender_.open()) return message;
  OutQueue& queue = sender_.queue();
  if (role == 0 && !queue.empty()) return queue.Next();
  if (role > 0 && queue.has_part()) return queue.NextPart();
  return message;
}

absl::StatusOr<Content> TcpChannel::Begin(Connection*, const StreamFrame& frame) {
  SLUICE_RETURN_IF_ERROR(Take(frame));
  if (frame.kind == FrameKind::kHello) {
    absl::MutexLock lock(&mu_);
    for (int role = 1; role < options_.connections; ++role)
      SLUICE_RETURN_IF_ERROR(ConnectOne(role));
  }
  Flush();
  return Content{};
}

void TcpChannel::Closed(Connection* connection, const absl::Status& why) {
  std::optional<Ending> ending;
  {
    absl::MutexLock lock(&mu_);
    std::erase_if(connections_, [&](const auto& one) { return one.get() == connection; });
    if (why_.ok() || absl::IsDataLoss(why)) why_ = why;
    if (connections_.empty()) ending = Lose(why_);
  }
  for (const auto& other : All()) other->CloseAfterReading();
  if (ending.has_value()) Tell(*ending);
}

}  // namespace

std::unique_ptr<TensorChannel> CreateTcpChannel(const TcpTransportOptions& options,
                                                const PeerAddress& peer, const SocketAddress& to,
                                                std::string token, TensorSink* sink) {
  return std::make_unique<TcpChannel>(options, peer, to, std::move(token), sink);
}

}  // namespace sluice::transport
