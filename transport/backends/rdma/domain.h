// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_DOMAIN_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_DOMAIN_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/tensor/memory_budget.h"
#include "transport/backends/rdma/verbs.h"
#include "transport/rdma_options.h"

namespace sluice::transport {

// A setting in force, for people.
struct RdmaFact {
  std::string name, value;
  std::string source;  // the option, or how the value was found
};

// One port of an opened device, and a protection domain.
//
// Owner:    shared by what was made of it.
// Threads:  any.
class RdmaDomain : public std::enable_shared_from_this<RdmaDomain> {
 public:
  // `address`: "host:port" of this task, or empty. kUnavailable with the reason if there is no such
  // port, or none that is active.
  static absl::StatusOr<std::shared_ptr<RdmaDomain>> Open(const Verbs& verbs,
                                                          const RdmaSettings& settings,
                                                          const std::string& address = "");
  ~RdmaDomain();
  RdmaDomain(const RdmaDomain&) = delete;
  RdmaDomain& operator=(const RdmaDomain&) = delete;

  const Verbs& verbs() const { return verbs_; }
  const RdmaSettings& settings() const { return settings_; }
  ibv_context* context() const { return context_; }
  ibv_pd* pd() const { return pd_; }
  const ibv_device_attr& limits() const { return limits_; }
  uint8_t port() const { return port_; }
  bool ethernet() const { return ethernet_; }
  // The state and the address of the port. They change: Refresh reads them again.
  struct PortState {
    ibv_port_attr attributes = {};
    ibv_gid gid = {};
    uint8_t gid_index = 0;
    std::string how;  // the GID was found
  };
  PortState port_state() const;
  absl::Status Refresh();
  // The MTU of this end, as an ibv_mtu.
  uint8_t mtu() const;
  // "mlx5_0 port 1 GID 3"
  std::string ToString() const;
  // All settings, with where they come from.
  std::vector<RdmaFact> Facts() const;

  // Bytes of registered memory. Take returns false, and counts nothing, beyond the limit.
  bool TakePinned(size_t bytes);
  void GivePinned(size_t bytes) { pinned_ -= bytes; }
  size_t pinned() const { return pinned_; }
  size_t pinned_limit() const { return pinned_limit_; }

  // The error of a function of the library: kUnavailable with device, function and errno.
  absl::Status Failed(absl::string_view function, int error) const;

 private:
  RdmaDomain(const Verbs& verbs, RdmaSettings settings, std::vector<ibv_gid> addresses);
  absl::Status OpenDevice(ibv_device* device);
  absl::Status ChoosePort();
  absl::Status ChooseGid(PortState& port) const;
  bool has_address() const;  // of this task

  const Verbs& verbs_;
  const RdmaSettings settings_;
  const std::vector<ibv_gid> addresses_;  // of this task
  const size_t pinned_limit_;
  std::string name_, how_;  // the device was found
  ibv_context* context_ = nullptr;
  ibv_pd* pd_ = nullptr;
  ibv_device_attr limits_ = {};
  uint8_t port_ = 0;
  bool ethernet_ = false;
  std::atomic<size_t> pinned_{0};
  mutable absl::Mutex mu_;
  PortState port_state_ ABSL_GUARDED_BY(mu_);
};

// How well an entry of the table of GIDs suits a task with these addresses; 0: not at all.
int GidFitness(const ibv_gid_entry& entry, const std::vector<ibv_gid>& addresses);
// "10.0.0.1" or "fe80::1"
std::string GidText(const ibv_gid& gid);
// The addresses of "host:port" as GIDs.
std::vector<ibv_gid> GidsOfTask(const std::string& address);
// Bytes of an ibv_mtu.
constexpr int MtuBytes(int mtu) { return 128 << mtu; }
// The limit of the system on the memory that this process may pin: "unlimited" or "65536 bytes".
std::string PinnedLimitText();
// OK if a task can work within it.
absl::Status CheckPinnedLimit();

// Memory that the device may access, until this is destroyed.
class Registration {
 public:
  // `access`: IBV_ACCESS_LOCAL_WRITE, ...
  static absl::StatusOr<Registration> Create(std::shared_ptr<RdmaDomain> domain, void* data,
                                             size_t bytes, int access);
  Registration() = default;
  Registration(Registration&& other) noexcept
      : domain_(std::move(other.domain_)),
        mr_(std::exchange(other.mr_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  Registration& operator=(Registration other) noexcept {
    std::swap(domain_, other.domain_);
    std::swap(mr_, other.mr_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Registration() {
    if (mr_ != nullptr) domain_->verbs().dereg_mr(mr_);
    if (bytes_ > 0) domain_->GivePinned(bytes_);
  }
  uint32_t lkey() const { return mr_->lkey; }
  uint32_t rkey() const { return mr_->rkey; }

 private:
  std::shared_ptr<RdmaDomain> domain_;
  ibv_mr* mr_ = nullptr;
  size_t bytes_ = 0;  // counted as pinned
};

// Registered memory of whole pages.
//
// Owner:    shared with the tensors in it.
// Threads:  any; the writers of the bytes have their own rules.
class RegisteredMemory {
 public:
  static absl::StatusOr<std::shared_ptr<RegisteredMemory>> Create(
      const std::shared_ptr<RdmaDomain>& domain, size_t bytes, int access);
  ~RegisteredMemory();
  RegisteredMemory(const RegisteredMemory&) = delete;
  RegisteredMemory& operator=(const RegisteredMemory&) = delete;

  char* data() const { return data_; }
  size_t size() const { return size_; }
  const Registration& registration() const { return registration_; }
  // The device cannot access it afterwards.
  void Deregister() { registration_ = Registration(); }
  // `pin` is destroyed before the memory.
  void set_pin(std::shared_ptr<void> pin) { pin_ = std::move(pin); }

 private:
  explicit RegisteredMemory(size_t bytes) : size_(bytes), counted_(MemoryUse::kShared, bytes) {}

  const size_t size_;
  const CountedMemory counted_;
  char* data_ = nullptr;
  Registration registration_;
  std::shared_ptr<void> pin_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_DOMAIN_H_
