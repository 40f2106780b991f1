// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_CLIENT_USE_H_
#define SLUICE_MASTER_CLIENT_USE_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace sluice::master {

// What sessions hold, and a master limits.
enum class Held { kGraphBytes, kSignatures, kCallables, kPartialRuns, kSteps };

// What all sessions of one client hold. Sessions of one address, from any port, are of one client.
//
// Owner:    its sessions share it.
// Threads:  any.
class ClientUse {
 public:
  explicit ClientUse(std::string address) : address_(std::move(address)) {}

  const std::string& address() const { return address_; }
  int sessions() const { return sessions_.load(std::memory_order_relaxed); }
  int64_t held(Held what) const { return At(what).load(std::memory_order_relaxed); }

 private:
  friend class SessionUse;
  std::atomic<int64_t>& At(Held what) { return held_[static_cast<size_t>(what)]; }
  const std::atomic<int64_t>& At(Held what) const { return held_[static_cast<size_t>(what)]; }

  const std::string address_;
  std::atomic<int> sessions_{0};
  std::array<std::atomic<int64_t>, 5> held_{};
};

// What one session holds; its client's use includes it.
//
// Threads:  any.
class SessionUse {
 public:
  explicit SessionUse(std::shared_ptr<ClientUse> client) : client_(std::move(client)) {
    client_->sessions_.fetch_add(1, std::memory_order_relaxed);
  }
  ~SessionUse() {
    SetAll(0);
    client_->sessions_.fetch_sub(1, std::memory_order_relaxed);
  }
  SessionUse(const SessionUse&) = delete;
  SessionUse& operator=(const SessionUse&) = delete;

  const ClientUse& client() const { return *client_; }
  void Set(Held what, int64_t amount) {
    const int64_t before = held_[static_cast<size_t>(what)].exchange(amount);
    client_->At(what).fetch_add(amount - before, std::memory_order_relaxed);
  }
  void SetAll(int64_t amount) {
    for (size_t i = 0; i < held_.size(); ++i) Set(static_cast<Held>(i), amount);
  }

 private:
  const std::shared_ptr<ClientUse> client_;
  std::array<std::atomic<int64_t>, 5> held_{};
};

}  // namespace sluice::master

#endif  // SLUICE_MASTER_CLIENT_USE_H_
