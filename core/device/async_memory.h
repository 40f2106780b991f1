// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_ASYNC_MEMORY_H_
#define SLUICE_CORE_DEVICE_ASYNC_MEMORY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "core/device/stream.h"
#include "core/tensor/allocator.h"
#include "core/tensor/ref.h"

namespace sluice {

// AsyncMemory is the memory of the asynchronous test device. A block has two contents: the content
// that the stream has reached (its bytes show it: poison at first), and the content after all
// kernels enqueued so far (kept separately). Reveal installs the second content while a kernel
// runs, Conceal removes it again, and Publish makes it the content that the stream has reached.
//
// Addresses never change, so tensors, variables and other objects of a kernel need no translation.
//
// Owner:    its device and every live block.
// Threads:  Allocate and Free from any. The other functions REQUIRE the device's kernel mutex.
class AsyncMemory final : public Allocator, public RefCounted {
 public:
  // The content of a block after one kernel.
  struct Bytes;
  struct Block;
  struct Write {
    std::shared_ptr<Block> block;
    std::shared_ptr<const Bytes> bytes;
  };

  // Freed memory is released in the order of `stream`.
  AsyncMemory(std::string name, std::shared_ptr<Stream> stream);
  ~AsyncMemory() override;

  const std::string& name() const override { return name_; }
  void* Allocate(size_t bytes) override;
  void Free(void* block, size_t bytes) override;
  bool host_readable() const override { return false; }
  bool Owns(const void* address) const;

  // `may_change` are addresses that the kernel may write in place.
  void Reveal(absl::Span<const void* const> may_change);
  // Returns the writes of the kernel: new blocks, and the blocks at `written` that differ. Publish
  // them in the stream's order.
  std::vector<Write> Conceal(absl::Span<const void* const> written);
  // Sets contents from outside a kernel.
  Write Fill(void* block, const void* bytes, size_t size);
  void Publish(absl::Span<const Write> writes);

 private:
  std::shared_ptr<Block> Find(const void* address) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Write Keep(const std::shared_ptr<Block>& block);

  const std::string name_;
  const std::shared_ptr<Stream> stream_;

  // Guarded by the device's kernel mutex.
  std::vector<std::shared_ptr<Block>> revealed_;

  mutable absl::Mutex mu_;
  absl::btree_map<const char*, std::shared_ptr<Block>> blocks_
      ABSL_GUARDED_BY(mu_);                                                 // by first address
  absl::flat_hash_set<std::shared_ptr<Block>> fresh_ ABSL_GUARDED_BY(mu_);  // since the last kernel
  absl::flat_hash_set<std::shared_ptr<Block>> pending_
      ABSL_GUARDED_BY(mu_);  // blocks that the stream has not caught up with
};

}  // namespace sluice

#endif  // SLUICE_CORE_DEVICE_ASYNC_MEMORY_H_
