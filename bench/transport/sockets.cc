// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/sockets.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "bench/transport/check.h"
#include "bench/transport/conversation.h"
#include "transport/transport.h"

namespace sluice::bench {
namespace {

using transport::Descriptor;

// --- addresses ---

struct Address {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  sockaddr* any() { return reinterpret_cast<sockaddr*>(&storage); }
};

Address TcpAddress(const std::string& host, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  const std::string text = absl::StrCat(port);
  Check(getaddrinfo(host.c_str(), text.c_str(), &hints, &found) == 0, "reading address " + host);
  Address address;
  address.size = found->ai_addrlen;
  std::memcpy(&address.storage, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return address;
}

// A connection without a descriptor.
Address UnixAddress(const std::string& name) {
  Address address;
  auto* unix_address = reinterpret_cast<sockaddr_un*>(&address.storage);
  unix_address->sun_family = AF_UNIX;
  Check(name.size() < sizeof(unix_address->sun_path), "naming a socket");
  std::memcpy(unix_address->sun_path + 1, name.data(), name.size());
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

Descriptor SocketFor(const Address& address) {
  Descriptor made(socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Check(made.valid(), "making a socket");
  return made;
}

void WithoutDelay(const Descriptor& socket, const Address& address) {
  const int yes = 1;
  if (address.storage.ss_family != AF_UNIX)
    setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

// --- the measuring end ---

class Sockets final : public Contender {
 public:
  Sockets(FarEnd far, std::vector<Descriptor> sockets) : far_(std::move(far)) {
    for (Descriptor& socket : sockets)
      ends_.push_back(std::make_unique<Conversation>(std::move(socket)));
  }

  void Load(const Payload& payload, int window) override {
    source_ = SourceTensors(payload);
    serialised_ = payload.serialised;
    window_ = window;
    shares_ = 0;
  }
  std::vector<double> PingPong(int times) override {
    ShareAmong(1);
    ends_[0]->AddOrder(Answer::kEcho, times);
    ordered_ = times;
    return TimedExchanges(*this, times);
  }
  void Stream() override {
    ShareAmong(ends_.size());
    std::vector<std::thread> others;
    for (size_t i = 1; i < ends_.size(); ++i)
      others.emplace_back([this, i] { StreamOn(*ends_[i]); });
    StreamOn(*ends_[0]);
    for (std::thread& other : others) other.join();
  }
  void Post() override {
    ShareAmong(1);
    if (ordered_ == 0) ends_[0]->AddOrder(Answer::kEcho, ordered_ = 1);
    --ordered_;
    Check(ends_[0]->SendMessage(), "writing");
  }
  void Await() override { Check(ends_[0]->ReadMessage(), "reading"); }

 private:
  // Each of the first `shares` connections carries its part of every buffer.
  void ShareAmong(size_t shares) {
    if (std::exchange(shares_, shares) == shares) return;
    for (size_t i = 0; i < shares; ++i) {
      Order order;
      order.serialised = serialised_;
      std::vector<iovec> parts;
      for (const Tensor& tensor : source_) {
        Check(order.buffers < Order::kMostBuffers, "counting buffers");
        const size_t begin = tensor.bytes() * i / shares;
        const size_t end = tensor.bytes() * (i + 1) / shares;
        order.sizes[order.buffers++] = static_cast<int64_t>(end - begin);
        parts.push_back({static_cast<char*>(tensor.raw()) + begin, end - begin});
      }
      ends_[i]->Load(order, std::move(parts));
    }
  }
  void StreamOn(Conversation& end) const {
    end.AddOrder(Answer::kReceipt, window_);
    for (int i = 0; i < window_; ++i) Check(end.SendMessage(), "writing");
    Check(end.ReadReceipt(), "reading a receipt");
  }

  const FarEnd far_;
  std::vector<std::unique_ptr<Conversation>> ends_;
  std::vector<Tensor> source_;
  bool serialised_ = false;
  int window_ = 1;
  size_t shares_ = 0;  // number of connections in use
  int ordered_ = 0;    // echoes that the far end already expects
};

absl::StatusOr<std::unique_ptr<Contender>> Connect(FarEnd far, Address address, int connections) {
  std::vector<Descriptor> sockets;
  for (int i = 0; i < connections; ++i) {
    sockets.push_back(SocketFor(address));
    if (connect(sockets[i].get(), address.any(), address.size) != 0)
      return Unavailable("connecting: ", std::strerror(errno));
    WithoutDelay(sockets[i], address);
  }
  return std::make_unique<Sockets>(std::move(far), std::move(sockets));
}

// --- the answering end ---

class SocketResponder final : public Responder {
 public:
  SocketResponder(Address address, int connections) : address_(address) {
    listener_ = SocketFor(address_);
    Check(bind(listener_.get(), address_.any(), address_.size) == 0 &&
              listen(listener_.get(), connections) == 0 &&
              getsockname(listener_.get(), address_.any(), &address_.size) == 0,
          "listening");
    acceptor_ = std::thread([this, connections] { Accept(connections); });
  }
  ~SocketResponder() override {
    shutdown(listener_.get(), SHUT_RDWR);
    acceptor_.join();
    for (const auto& end : ends_) end->ShutDown();
    for (std::thread& thread : threads_) thread.join();
  }
  int port() {
    return ntohs(address_.storage.ss_family == AF_INET6
                     ? reinterpret_cast<sockaddr_in6*>(&address_.storage)->sin6_port
                     : reinterpret_cast<sockaddr_in*>(&address_.storage)->sin_port);
  }
  std::vector<std::string> contact() const override { return {contact_}; }
  void set_contact(std::string contact) { contact_ = std::move(contact); }

 private:
  void Accept(int connections) {
    for (int i = 0; i < connections; ++i) {
      Descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!socket.valid()) return;
      WithoutDelay(socket, address_);
      ends_.push_back(std::make_unique<Conversation>(std::move(socket)));
      threads_.emplace_back([end = ends_.back().get()] { AnswerAll(*end); });
    }
  }
  static void AnswerAll(Conversation& end) {
    for (Order order, loaded; end.ReadOrder(&order); loaded = order) {
      if (!order.SameMessages(loaded)) end.Load(order, {});
      for (int i = 0; i < order.count; ++i) {
        if (!end.ReadMessage()) return;
        if (order.answer == Answer::kEcho && !end.SendMessage()) return;
      }
      if (order.answer == Answer::kReceipt && !end.SendReceipt()) return;
    }
  }

  Address address_;
  std::string contact_;
  Descriptor listener_;
  std::vector<std::unique_ptr<Conversation>> ends_;  // used by the acceptor until it has ended
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Contender>> CreateTcpSockets(FarProcess& far, int connections) {
  SLUICE_ASSIGN(FarEnd opened, far.Open("raw-tcp", {absl::StrCat(connections)}));
  int port = 0;
  Check(absl::SimpleAtoi(opened.contact().at(0), &port), "reading a port");
  return Connect(std::move(opened), TcpAddress(far.host(), port), connections);
}

absl::StatusOr<std::unique_ptr<Contender>> CreateUnixSockets(FarProcess& far) {
  if (far.host_id() != transport::HostId()) return Unavailable("not the same machine");
  SLUICE_ASSIGN(FarEnd opened, far.Open("unix", {}));
  const Address address = UnixAddress(opened.contact().at(0));
  return Connect(std::move(opened), address, 1);
}

std::unique_ptr<Responder> CreateTcpResponder(const std::string& host, int connections) {
  auto made = std::make_unique<SocketResponder>(TcpAddress(host, 0), connections);
  made->set_contact(absl::StrCat(made->port()));
  return made;
}

std::unique_ptr<Responder> CreateUnixResponder() {
  const std::string name = absl::StrCat("sluice-bench-", transport::RandomToken());
  auto made = std::make_unique<SocketResponder>(UnixAddress(name), 1);
  made->set_contact(name);
  return made;
}

}  // namespace sluice::bench
