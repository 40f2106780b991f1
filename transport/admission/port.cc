// SPDX-License-Identifier: Apache-2.0
#include "transport/admission/port.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <random>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "transport/admission/listening.h"
#include "transport/poll/acceptor.h"
#include "transport/poll/loop_timer.h"

namespace sluice::transport {
namespace {

constexpr absl::Duration kLook = absl::Milliseconds(250);
constexpr int kLooksOfCheck = 4;  // of the table, while no address is harmful
constexpr int kLooksOfTurn = 2;   // of a connection that waits
// Then the loop closes those that gave way.
constexpr int kAcceptedAtOnce = 8;

// Whether a client of gRPC begins so: with HTTP/2's preface, or with the record of a TLS handshake.
bool BeginsWell(absl::string_view bytes) {
  constexpr absl::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", kTls = "\x16\x03";
  static_assert(kPreface.size() == kFirstBytes);
  return bytes == kPreface || bytes.substr(0, kTls.size()) == kTls;
}

class GrpcPort;

// A connection that has not sent its first bytes.
//
// Owner:    its acceptor.
// Threads:  the loop's.
class Silent final : public PollLoop::Watcher, public std::enable_shared_from_this<Silent> {
 public:
  Silent(GrpcPort* port, Acceptor<Silent>* acceptor, int listener, Descriptor socket,
         std::shared_ptr<OpenConnection> entry)
      : port_(port),
        acceptor_(acceptor),
        listener_(listener),
        socket_(std::move(socket)),
        entry_(std::move(entry)) {}

  absl::Status Start();
  void Close();
  // Called at regular times.
  void Look(absl::Time now);
  bool waits() const { return waits_; }
  void HandOver();

 private:
  void Ready(uint32_t events) override;
  void End(absl::string_view why);
  void Leave();

  GrpcPort* const port_;
  Acceptor<Silent>* const acceptor_;
  const int listener_;
  Descriptor socket_;
  const std::shared_ptr<OpenConnection> entry_;
  const absl::Time since_ = absl::Now();
  uint64_t watched_ = 0;
  bool waits_ = false;
};

class GrpcPort final : public Port {
 public:
  GrpcPort(Options options, AdmissionLog* log)
      : options_(std::move(options)),
        log_(log),
        table_(options_.limits, log),
        reserve_(Spare()),
        timer_(&loop_, kLook, [this] { Look(); }) {}
  ~GrpcPort() override { Stop(); }

  absl::Status Listen() {
    SLUICE_ASSIGN(listeners_, ListenAt(options_.address, &number_));
    return timer_.Start();
  }

  int number() const override { return number_; }
  ConnectionTable& connections() override { return table_; }
  absl::Status Accept() override;
  void Stop() override {
    for (const auto& acceptor : acceptors_) acceptor->Stop();
    acceptors_.clear();
    timer_.Stop();
  }

  // On the loop's thread.
  PollLoop& loop() { return loop_; }
  AdmissionLog& log() { return *log_; }
  const Options& options() const { return options_; }

 private:
  static Descriptor Spare() { return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

  std::shared_ptr<Silent> AcceptOne(Acceptor<Silent>* acceptor, int listener);
  void RefuseOne(int listener);
  void Look();

  const Options options_;
  AdmissionLog* const log_;
  int number_ = 0;
  std::vector<Descriptor> listeners_;  // until Accept
  ConnectionTable table_;
  // Used on the loop's thread.
  Descriptor reserve_;  // is closed to accept a connection when the process has no other descriptor
  std::vector<std::weak_ptr<Silent>> silent_;
  int looks_ = 0;
  unsigned accepted_ = 0;
  std::minstd_rand turns_;
  PollLoop loop_{"port"};
  LoopTimer timer_;
  std::vector<std::unique_ptr<Acceptor<Silent>>> acceptors_;  // last: they use the members above
};

// --- Silent ---

absl::Status Silent::Start() {
  return port_->loop().Watch(socket_.get(), EPOLLIN | EPOLLRDHUP, shared_from_this(), &watched_);
}

void Silent::Close() {
  port_->loop().Run([self = shared_from_this()] { self->Leave(); });
}

void Silent::Look(absl::Time now) {
  const absl::Duration limit = port_->options().first_bytes;
  if (socket_.valid() && !waits_ && now - since_ >= limit)
    End(Cat("it did not begin to speak for ", absl::FormatDuration(limit)));
}

void Silent::Ready(uint32_t) {
  if (!socket_.valid()) return;
  if (waits_) return Leave();  // an error: nothing else is watched
  char bytes[kFirstBytes];
  const ssize_t count = recv(socket_.get(), bytes, sizeof(bytes), MSG_PEEK | MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return Leave();
  if (!BeginsWell({bytes, static_cast<size_t>(count)}))
    return End("it speaks neither HTTP/2 nor TLS");
  if (!port_->connections().IsHarmful(entry_->peer().address)) return HandOver();
  waits_ = true;
  port_->loop().Change(watched_, socket_.get(), 0);
}

void Silent::HandOver() {
  WatchEveryByte(socket_.get());
  port_->loop().Forget(watched_, socket_.get());
  port_->options().hand_over(listener_, std::exchange(socket_, Descriptor()));
  acceptor_->Gone(this);
}

void Silent::End(absl::string_view why) {
  port_->log().Refused("closes the connection of ", entry_->peer().ToString(), ": ", why);
  Leave();
}

void Silent::Leave() {
  if (!socket_.valid()) return;
  port_->loop().Forget(watched_, socket_.get());
  port_->connections().Remove(entry_.get());
  socket_ = Descriptor();
  acceptor_->Gone(this);
}

// --- GrpcPort ---

absl::Status GrpcPort::Accept() {
  for (Descriptor& listener : listeners_) {
    const size_t index = acceptors_.size();
    acceptors_.push_back(std::make_unique<Acceptor<Silent>>(
        &loop_, std::move(listener),
        [this, index](int fd) { return AcceptOne(acceptors_[index].get(), fd); }));
  }
  listeners_.clear();
  for (const auto& acceptor : acceptors_) SLUICE_RETURN_IF_ERROR(acceptor->Listen());
  return absl::OkStatus();
}

std::shared_ptr<Silent> GrpcPort::AcceptOne(Acceptor<Silent>* acceptor, int listener) {
  while (++accepted_ % kAcceptedAtOnce != 0) {
    Descriptor socket(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.valid()) {
      if (errno == ECONNABORTED || errno == EINTR) continue;
      if (errno == EMFILE || errno == ENFILE) RefuseOne(listener);
      return nullptr;
    }
    auto entry = table_.Add(socket.get());
    if (!entry.ok()) {
      log_->Refused("refuses a connection: ", entry.status().message());
      continue;
    }
    auto silent =
        std::make_shared<Silent>(this, acceptor, listener, std::move(socket), *std::move(entry));
    silent_.push_back(silent);
    return silent;
  }
  return nullptr;
}

// Refuses a connection at once; otherwise the loop would find it again and again. A later one gets
// the descriptor of the stranger that gives way.
void GrpcPort::RefuseOne(int listener) {
  table_.EndOldestStranger();
  reserve_ = Descriptor();
  const bool refused = Descriptor(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)).valid();
  reserve_ = Spare();
  if (refused) log_->Refused("refuses a connection: the process has no descriptor left");
}

void GrpcPort::Look() {
  if (!reserve_.valid()) reserve_ = Spare();
  const absl::Time now = absl::Now();
  std::vector<std::shared_ptr<Silent>> all;
  std::erase_if(silent_, [&](const auto& weak) {
    auto one = weak.lock();
    if (one == nullptr) return true;
    all.push_back(std::move(one));
    return false;
  });
  ++looks_;
  std::vector<std::shared_ptr<Silent>> waiting;
  for (const auto& one : all) {
    one->Look(now);
    if (one->waits()) waiting.push_back(one);
  }
  // A client that is well and has the same address as a harmful one gets its turn sooner or later.
  if (!waiting.empty() && looks_ % kLooksOfTurn == 0)
    waiting[turns_() % waiting.size()]->HandOver();
  if (!waiting.empty() || looks_ % kLooksOfCheck == 0) table_.Check();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Port>> OpenPort(Port::Options options, AdmissionLog* log) {
  auto port = std::make_unique<GrpcPort>(std::move(options), log);
  SLUICE_RETURN_IF_ERROR(port->Listen());
  return port;
}

}  // namespace sluice::transport
