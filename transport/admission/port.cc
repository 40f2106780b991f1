// SPDX-License-Identifier: Apache-2.0
#include "transport/admission/port.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <random>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "transport/admission/connection_gate.h"
#include "transport/admission/listening.h"
#include "transport/admission/newcomers.h"
#include "transport/poll/acceptor.h"
#include "transport/poll/loop_timer.h"

namespace sluice::transport {
namespace {

// The time between two looks: kLook while a connection is silent or waits, kCheck while others are
// open. Without connections there are no looks.
constexpr absl::Duration kLook = absl::Milliseconds(250), kCheck = absl::Seconds(1);
constexpr int kLooksOfCheck = 4;  // of the table, while no address is harmful
constexpr int kLooksOfTurn = 2;   // of a connection that waits

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
  bool IsNew() const { return socket_.valid() && !waits_; }
  void EndNew();
  // After it has waited.
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
  uint64_t watched_ = 0;
  bool waits_ = false;
};

class GrpcPort final : public Port {
 public:
  GrpcPort(Options options, AdmissionLog* log)
      : options_(std::move(options)),
        log_(log),
        gate_(options_.limits, log),
        silent_(options_.first_bytes),
        timer_(&loop_, kLook, [this] { Look(); }) {}
  ~GrpcPort() override { Stop(); }

  absl::Status Listen() {
    SLUICE_ASSIGN(listeners_, ListenAt(options_.address, &number_));
    return timer_.Start();
  }

  int number() const override { return number_; }
  ConnectionTable& connections() override { return gate_.connections(); }
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
  void Waits(const std::shared_ptr<Silent>& one) { waiting_.push_back(one); }

 private:
  std::shared_ptr<Silent> AcceptOne(Acceptor<Silent>* acceptor, int listener);
  void Look();
  void LookEvery(absl::Duration every) {
    if (every != std::exchange(every_, every)) timer_.SetEvery(every);
  }

  const Options options_;
  AdmissionLog* const log_;
  int number_ = 0;
  std::vector<Descriptor> listeners_;  // until Accept
  ConnectionGate gate_;
  // Used on the loop's thread.
  Newcomers<Silent> silent_;
  std::vector<std::weak_ptr<Silent>> waiting_;
  int looks_ = 0;
  absl::Duration every_ = kLook;  // the time between looks
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

void Silent::EndNew() {
  End(Cat("it did not begin to speak for ", absl::FormatDuration(port_->options().first_bytes)));
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
  port_->Waits(shared_from_this());
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
  auto accepted = gate_.Accept(listener);
  if (!accepted) return nullptr;
  accepted->entry->HoldLittle();
  auto silent = std::make_shared<Silent>(this, acceptor, listener, std::move(accepted->socket),
                                         std::move(accepted->entry));
  silent_.Add(silent);
  LookEvery(kLook);
  return silent;
}

void GrpcPort::Look() {
  gate_.Look();
  silent_.Look();
  std::erase_if(waiting_, [](const auto& one) { return one.expired(); });
  // A client that is well and has the same address as a harmful one gets its turn sooner or later.
  ++looks_;
  if (!waiting_.empty() && looks_ % kLooksOfTurn == 0) {
    if (const auto one = waiting_[turns_() % waiting_.size()].lock()) one->HandOver();
  }
  if (!waiting_.empty() || every_ != kLook || looks_ % kLooksOfCheck == 0) connections().Check();
  if (!silent_.empty() || !waiting_.empty())
    LookEvery(kLook);
  else
    LookEvery(gate_.IsIdle() ? absl::ZeroDuration() : kCheck);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Port>> OpenPort(Port::Options options, AdmissionLog* log) {
  auto port = std::make_unique<GrpcPort>(std::move(options), log);
  SLUICE_RETURN_IF_ERROR(port->Listen());
  return port;
}

}  // namespace sluice::transport
