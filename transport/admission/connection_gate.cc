// SPDX-License-Identifier: Apache-2.0
#include "transport/admission/connection_gate.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace sluice::transport {
namespace {

constexpr unsigned kAcceptedAtOnce = 8;

}  // namespace

ConnectionGate::ConnectionGate(ConnectionLimits limits, AdmissionLog* log)
    : log_(log), table_(limits, log), reserve_(Spare()) {}

Descriptor ConnectionGate::Spare() { return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

std::optional<ConnectionGate::Accepted> ConnectionGate::Accept(int listener) {
  while (++accepted_ % kAcceptedAtOnce != 0) {
    Descriptor socket(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.valid()) {
      if (errno == ECONNABORTED || errno == EINTR) continue;
      if (errno == EMFILE || errno == ENFILE) RefuseOne(listener);
      return std::nullopt;
    }
    auto entry = table_.Add(socket.get());
    if (entry.ok()) return Accepted{std::move(socket), *std::move(entry)};
    log_->Refused("refuses a connection: ", entry.status().message());
  }
  return std::nullopt;
}

// Refuses a connection at once; otherwise the loop would find it again and again. A later one gets
// the descriptor of the stranger that gives way.
void ConnectionGate::RefuseOne(int listener) {
  table_.EndOldestStranger();
  reserve_ = Descriptor();
  const bool refused = Descriptor(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)).valid();
  reserve_ = Spare();
  if (refused) log_->Refused("refuses a connection: the process has no descriptor left");
}

}  // namespace sluice::transport
