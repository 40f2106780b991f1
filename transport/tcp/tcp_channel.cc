#include "transport/tcp/tcp_channel.h"

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "core/log.h"
#include "transport/gather.h"
#include "transport/tcp/connection.h"

namespace sluice::transport {
namespace {

// from        when                          to          does
// idle        first Send                    connecting  opens the first connection, greets
// connecting  the peer's hello is right     open        opens the others; writes what waits
// any         a connection closed           closing     closes the others
// closing     all are closed                broken      forgets everything, tells the sink once
// broken      Send                          broken      fails: a new invitation is needed
class TcpChannel final : public TensorChannel, private Connection::Owner, private Gather::Channel {
 public:
  TcpChannel(const TcpRoadOptions& options, const PeerAddress& peer, const SocketAddress& to,
             std::string token, TensorSink* sink)
      : options_(options),
        peer_(peer),
        to_(to),
        token_(std::move(token)),
        sink_(sink),
        sender_(options.self, peer) {}
  ~TcpChannel() override;

  absl::Status Send(const ParcelId& id, Parcel parcel) override;
  void Pull(const ParcelId& id) override { sink_->returns().Pull(peer_.task, id); }
  void Consumed(const StepId& step, int64_t bytes) override {
    sink_->returns().Consumed(peer_.task, step, bytes);
  }
  void EndStep(const StepId& step) override;
  bool was_open() const override {
    absl::MutexLock lock(&mu_);
    return was_open_;
  }
  std::string ToString() const override {
    return absl::StrCat("tcp to ", peer_.task, " at ", to_.ToString());
  }

 private:
  using Connections = std::vector<std::shared_ptr<Connection>>;

  // Connection::Owner. A connection's role is its place in the stream: the first carries everything.
  Message NextMessage(Connection* connection) override;
  absl::StatusOr<Content> Begin(Connection* connection, const Frame& frame) override;
  absl::Status End(Connection*) override {
    return InvalidArgument("content does not travel this way");
  }
  void Closed(Connection* connection, const absl::Status& why) override;

  void WriteGathered() override { Write(); }
  absl::Status Open() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status Connect(int role) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Write();
  void Tell(const absl::Status& status);

  const TcpRoadOptions options_;
  const PeerAddress peer_;
  const SocketAddress to_;
  const std::string token_;
  TensorSink* const sink_;

  mutable absl::Mutex mu_;
  bool was_open_ ABSL_GUARDED_BY(mu_) = false;
  Connections connections_ ABSL_GUARDED_BY(mu_);    // not closed yet
  std::vector<bool> greeted_ ABSL_GUARDED_BY(mu_);  // of each role: the first frame was written
  uint64_t stream_ ABSL_GUARDED_BY(mu_) = 0;
  bool telling_ ABSL_GUARDED_BY(mu_) = false, closing_ ABSL_GUARDED_BY(mu_) = false;
  absl::Status why_ ABSL_GUARDED_BY(mu_), broken_ ABSL_GUARDED_BY(mu_);
  StreamSender sender_ ABSL_GUARDED_BY(mu_);
};

TcpChannel::~TcpChannel() {
  Connections connections;
  {
    absl::MutexLock lock(&mu_);
    closing_ = true;
    connections = connections_;
  }
  for (const auto& connection : connections) connection->Close();
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(
      +[](TcpChannel* self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mu_) {
        return self->connections_.empty() && !self->telling_;
      },
      this));
}

absl::Status TcpChannel::Send(const ParcelId& id, Parcel parcel) {
  SLUICE_ASSIGN(Outgoing out, Outgoing::Of(id, parcel));
  {
    absl::MutexLock lock(&mu_);
    if (closing_) return Unavailable("the channel to ", peer_.task, " is closed");
    if (!broken_.ok()) return broken_;
    if (connections_.empty()) SLUICE_RETURN_IF_ERROR(Open());
    sender_.Send(std::move(out), std::move(parcel));
  }
  if (!Gather::Defer(this)) Write();
  return absl::OkStatus();
}

void TcpChannel::EndStep(const StepId& step) {
  sink_->returns().EndStep(peer_.task, step);
  absl::MutexLock lock(&mu_);
  sender_.EndStep(step);
}

absl::Status TcpChannel::Open() {
  static std::atomic<uint64_t> last_stream{0};
  stream_ = ++last_stream;
  greeted_.assign(static_cast<size_t>(options_.connections), false);
  why_ = absl::OkStatus();
  return Connect(0);
}

absl::Status TcpChannel::Connect(int role) {
  SLUICE_ASSIGN(Descriptor socket, ConnectTcp(to_));
  auto connection = std::make_shared<Connection>(options_.loop.get(), std::move(socket),
                                                 static_cast<Connection::Owner*>(this));
  connection->role = role;
  SLUICE_RETURN_IF_ERROR(connection->Start());
  connections_.push_back(std::move(connection));
  return absl::OkStatus();
}

void TcpChannel::Write() {
  Connections connections;
  {
    absl::MutexLock lock(&mu_);
    if (!sender_.open()) return;
    connections = connections_;
  }
  for (const auto& connection : connections) connection->Write();
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

absl::StatusOr<Content> TcpChannel::Begin(Connection*, const Frame& frame) {
  {
    absl::MutexLock lock(&mu_);
    SLUICE_RETURN_IF_ERROR(sender_.Take(frame));
    was_open_ = true;
    for (int role = 1; frame.kind == FrameKind::kHello && role < options_.connections; ++role)
      SLUICE_RETURN_IF_ERROR(Connect(role));
  }
  Write();
  return Content{};
}

void TcpChannel::Closed(Connection* connection, const absl::Status& why) {
  Connections others;
  std::optional<StreamSender::Held> held;  // dies outside the lock
  absl::Status status;
  {
    absl::MutexLock lock(&mu_);
    std::erase_if(connections_, [&](const auto& one) { return one.get() == connection; });
    if (why_.ok()) why_ = why;
    others = connections_;
    if (others.empty()) {
      held = sender_.Forget();
      broken_ = sender_.Lost(why_.message());
      if (!closing_) status = broken_;
      telling_ = !status.ok();
    }
  }
  for (const auto& other : others) other->Close();
  if (!status.ok()) Tell(status);
}

void TcpChannel::Tell(const absl::Status& status) {
  Log(LogLevel::kDebug, "tensor stream ended: ", status.message());
  sink_->Broken(peer_.task, status);
  absl::MutexLock lock(&mu_);
  telling_ = false;
}

}  // namespace

std::unique_ptr<TensorChannel> CreateTcpChannel(const TcpRoadOptions& options,
                                                const PeerAddress& peer, const SocketAddress& to,
                                                std::string token, TensorSink* sink) {
  return std::make_unique<TcpChannel>(options, peer, to, std::move(token), sink);
}

}  // namespace sluice::transport
