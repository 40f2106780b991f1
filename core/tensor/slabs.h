// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_SLABS_H_
#define SLUICE_CORE_TENSOR_SLABS_H_

#include <cstddef>
#include <optional>

namespace sluice {

// A large block of CpuAllocator lies in a slab: memory that comes from the system and goes back to
// it as a whole. A slab serves one block after the other. Work that is done once for a slab, such as
// its registration with a device, serves many tensors.
struct Slab {
  char* data = nullptr;
  size_t bytes = 0;
};

// The slab of an address, which must be in a live block. Nothing if the block is in no slab.
std::optional<Slab> FindSlab(const void* address);

// Learns of the end of slabs.
//
// Owner:    any; it stops watching before its end.
// Threads:  any. SlabEnds calls no function of this file, and takes no lock under which FindSlab is
//           called.
class SlabWatcher {
 public:
  // The memory is still there. It goes back to the system afterwards.
  virtual void SlabEnds(const Slab& slab) = 0;

 protected:
  ~SlabWatcher() = default;
};
void WatchSlabs(SlabWatcher* watcher);
// SlabEnds is not called any more.
void StopWatchingSlabs(SlabWatcher* watcher);

// For the allocator.
void BeginSlab(const Slab& slab);
void EndSlab(const Slab& slab);

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_SLABS_H_
