// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_SHM_SHARED_ARENA_H_
#define SLUICE_TRANSPORT_BACKENDS_SHM_SHARED_ARENA_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/tensor/tensor.h"
#include "transport/backends/shm/arena.h"

namespace sluice::transport {

// Memory for contents that a task sends to several peers of its host: they are written once, and
// all peers read the same bytes. Each peer is a reader with a number of its own, which is a bit of
// BlockHead::readers.
//
// Owner:    the transport and its channels.
// Threads:  any.
class SharedArena {
 public:
  explicit SharedArena(size_t limit);

  // The number of a new reader. None if there are too many.
  std::optional<int> Join();
  // The reader's stream has ended, but its process may still read what it was lent: the segments
  // with such contents are not used again.
  void Leave(int reader);

  // Memory of a tensor. It is free again when nobody refers to the tensor and no reader has it.
  // None beyond the limit.
  std::optional<Tensor> Allocate(DType dtype, const Shape& shape);

  // Lends the memory of `tensor` to a reader. None if the tensor was not allocated here, or the
  // reader has that memory already.
  struct Loan {
    Extent at;
    std::shared_ptr<SharedMemory> memory;
  };
  std::optional<Loan> Lend(const Tensor& tensor, int reader);

 private:
  struct Allocated {
    Arena::Block block;
    std::weak_ptr<void> user;  // expired: nobody refers to the tensor
  };

  absl::Mutex mu_;
  uint64_t readers_ ABSL_GUARDED_BY(mu_) = 0;  // a bit for each
  Arena arena_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<const void*, Allocated> allocated_ ABSL_GUARDED_BY(mu_);  // by address
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_SHM_SHARED_ARENA_H_
