// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/slab_registrations.h"

namespace sluice::transport {

std::optional<uint32_t> SlabRegistrations::KeyOf(const void* data, size_t bytes) {
  const std::optional<Slab> slab = FindSlab(data);
  if (!slab.has_value()) return std::nullopt;
  if (static_cast<const char*>(data) + bytes > slab->data + slab->bytes) return std::nullopt;
  absl::MutexLock lock(&mu_);
  auto [it, first] = slabs_.try_emplace(slab->data);
  if (first) {
    auto made = Registration::Create(domain_, slab->data, slab->bytes, /*access=*/0);
    if (made.ok()) it->second = *std::move(made);
  }
  if (!it->second.has_value()) return std::nullopt;
  return it->second->lkey();
}

void SlabRegistrations::SlabEnds(const Slab& slab) {
  absl::MutexLock lock(&mu_);
  slabs_.erase(slab.data);
}

}  // namespace sluice::transport
