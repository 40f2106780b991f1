// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_STAGING_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_STAGING_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "transport/backends/rdma/domain.h"
#include "transport/protocol/free_space.h"

namespace sluice::transport {

// The registered memory of a task from which contents are written to peers. Tensors are allocated
// in it (TensorChannel::Allocate), or copied into it. It grows on demand up to a limit.
//
// Owner:    shared by the device and the blocks.
// Threads:  any.
class Staging : public std::enable_shared_from_this<Staging> {
 public:
  // A part of it, until this is destroyed.
  class Block {
   public:
    Block(std::shared_ptr<Staging> staging, size_t segment, size_t offset, char* data, size_t bytes)
        : staging_(std::move(staging)),
          segment_(segment),
          offset_(offset),
          data_(data),
          bytes_(bytes) {}
    ~Block() { staging_->Give(segment_, offset_, bytes_); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    char* data() const { return data_; }

   private:
    const std::shared_ptr<Staging> staging_;
    const size_t segment_, offset_;
    char* const data_;
    const size_t bytes_;
  };

  Staging(std::shared_ptr<RdmaDomain> domain, size_t limit)
      : domain_(std::move(domain)), limit_(limit) {}

  // RESOURCE_EXHAUSTED beyond the limit, or if memory cannot be registered.
  absl::StatusOr<std::shared_ptr<Block>> Take(size_t bytes);
  // The key by which the device reads these bytes; nothing if they are elsewhere.
  std::optional<uint32_t> KeyOf(const void* data, size_t bytes) const;

 private:
  struct Segment {
    std::shared_ptr<RegisteredMemory> memory;
    FreeSpace free;
  };
  void Give(size_t segment, size_t offset, size_t bytes);

  const std::shared_ptr<RdmaDomain> domain_;
  const size_t limit_;
  mutable absl::Mutex mu_;
  std::vector<Segment> segments_ ABSL_GUARDED_BY(mu_);
  size_t held_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_STAGING_H_
