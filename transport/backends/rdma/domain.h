// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_DOMAIN_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_DOMAIN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/tensor/memory_budget.h"
#include "transport/backends/rdma/verbs.h"

namespace sluice::transport {

// Which device is used, and how. The defaults suit most networks.
struct RdmaSettings {
  std::string device = "";  // a name such as mlx5_0; empty: the first one with an active port
  int port = 0;             // 0: the first active one
  int gid_index = -1;       // -1: RoCE v2 before v1, an IPv4 address before others
  uint8_t service_level = 0, traffic_class = 0;
  uint8_t timeout = 14;     // a packet is sent again after 4.096 us * 2^timeout ...
  uint8_t retry_count = 7;  // ... so many times
};

// One port of an opened device, and a protection domain.
//
// Owner:    shared by what was made of it.
// Threads:  any.
class RdmaDomain : public std::enable_shared_from_this<RdmaDomain> {
 public:
  // kUnavailable with the reason if there is no such port, or none that is active.
  static absl::StatusOr<std::shared_ptr<RdmaDomain>> Open(const Verbs& verbs,
                                                          const RdmaSettings& settings);
  ~RdmaDomain();
  RdmaDomain(const RdmaDomain&) = delete;
  RdmaDomain& operator=(const RdmaDomain&) = delete;

  const Verbs& verbs() const { return verbs_; }
  const RdmaSettings& settings() const { return settings_; }
  ibv_context* context() const { return context_; }
  ibv_pd* pd() const { return pd_; }
  const ibv_device_attr& limits() const { return limits_; }
  uint8_t port() const { return port_; }
  const ibv_port_attr& port_state() const { return port_state_; }
  const ibv_gid& gid() const { return gid_; }
  uint8_t gid_index() const { return gid_index_; }
  bool ethernet() const { return port_state_.link_layer == IBV_LINK_LAYER_ETHERNET; }
  // "mlx5_0 port 1 GID 3"
  std::string ToString() const;
  // The error of a function of the library: kUnavailable with device, function and errno.
  absl::Status Failed(absl::string_view function, int error) const;

 private:
  RdmaDomain(const Verbs& verbs, RdmaSettings settings)
      : verbs_(verbs), settings_(std::move(settings)) {}
  absl::Status OpenDevice(ibv_device* device);
  absl::Status ChoosePort();
  absl::Status ChooseGid();

  const Verbs& verbs_;
  const RdmaSettings settings_;
  std::string name_;
  ibv_context* context_ = nullptr;
  ibv_pd* pd_ = nullptr;
  ibv_device_attr limits_ = {};
  ibv_port_attr port_state_ = {};
  ibv_gid gid_ = {};
  uint8_t port_ = 0, gid_index_ = 0;
};

// Memory that the device may access, until this is destroyed.
class Registration {
 public:
  // `access`: IBV_ACCESS_LOCAL_WRITE, ...
  static absl::StatusOr<Registration> Create(std::shared_ptr<RdmaDomain> domain, void* data,
                                             size_t bytes, int access);
  Registration() = default;
  Registration(Registration&& other) noexcept
      : domain_(std::move(other.domain_)), mr_(std::exchange(other.mr_, nullptr)) {}
  Registration& operator=(Registration other) noexcept {
    std::swap(domain_, other.domain_);
    std::swap(mr_, other.mr_);
    return *this;
  }
  ~Registration() {
    if (mr_ != nullptr) domain_->verbs().dereg_mr(mr_);
  }
  uint32_t lkey() const { return mr_->lkey; }
  uint32_t rkey() const { return mr_->rkey; }

 private:
  std::shared_ptr<RdmaDomain> domain_;
  ibv_mr* mr_ = nullptr;
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
