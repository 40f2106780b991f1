// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_SLAB_REGISTRATIONS_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_SLAB_REGISTRATIONS_H_

#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/tensor/slabs.h"
#include "transport/backends/rdma/domain.h"

namespace sluice::transport {

// Registrations of CpuAllocator's slabs, so that large tensors are written from where they are. A
// slab is registered when the first tensor in it is sent, and deregistered before it goes back to
// the system. The device may read it for this task's own requests; peers may not access it.
//
// Owner:    RdmaDevice.
// Threads:  any.
class SlabRegistrations final : private SlabWatcher {
 public:
  explicit SlabRegistrations(std::shared_ptr<RdmaDomain> domain) : domain_(std::move(domain)) {
    WatchSlabs(this);
  }
  ~SlabRegistrations() { StopWatchingSlabs(this); }

  // The key by which the device reads the bytes of a live tensor. Nothing if they are in no slab,
  // or it cannot be registered.
  std::optional<uint32_t> KeyOf(const void* data, size_t bytes);

 private:
  void SlabEnds(const Slab& slab) override;

  const std::shared_ptr<RdmaDomain> domain_;
  absl::Mutex mu_;
  // By the slab's address. Empty: it could not be registered, and is not tried again.
  absl::flat_hash_map<const char*, std::optional<Registration>> slabs_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_SLAB_REGISTRATIONS_H_
