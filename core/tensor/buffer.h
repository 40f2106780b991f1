// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_BUFFER_H_
#define SLUICE_CORE_TENSOR_BUFFER_H_

#include <cstddef>

#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "core/tensor/allocator.h"
#include "core/tensor/dtype.h"
#include "core/tensor/ref.h"

namespace sluice {

// Guards the memory of a reference variable. Ops that write it in place hold `mu` exclusively; a
// snapshot of an alias (a Send, a fetch) holds it shared. The variable and every buffer that was
// ever its value have the same guard.
struct BufferGuard : RefCounted {
  absl::Mutex mu;
};

// A Buffer is memory that tensors share.
//
// Owner:    the tensors that refer to it (intrusive count).
// Threads:  the count from any; the bytes only with the only reference, or read-only.
class Buffer : public RefCounted {
 public:
  void* data() const { return data_; }
  size_t size() const { return size_; }
  Allocator* allocator() const { return allocator_; }  // null if the memory is borrowed
  bool host_readable() const { return host_readable_; }
  // No host code may access the bytes; even the device's kernels do not run there.
  bool device_only() const { return device_only_; }

  // Not null if a reference variable may still write these bytes. Set once, before the buffer is
  // shared.
  const RefPtr<BufferGuard>& guard() const { return guard_; }
  void set_guard(RefPtr<BufferGuard> guard) { guard_ = std::move(guard); }

  // `count` default-constructed elements of `dtype` (plain types: uninitialised bytes). Null if
  // memory is short.
  static RefPtr<Buffer> Allocate(Allocator& allocator, DType dtype, int64_t count);
  // Memory with another owner; `release` runs when the last reference is gone.
  static RefPtr<Buffer> Borrow(void* data, size_t size, absl::AnyInvocable<void()> release);
  // A part of `parent`, which it keeps alive.
  static RefPtr<Buffer> Slice(RefPtr<Buffer> parent, size_t offset, size_t size);

  // Bytes of one element in memory, including strings and handles.
  static size_t ElementBytes(DType dtype);

 protected:
  Buffer(void* data, size_t size, Allocator* allocator)
      : data_(data),
        size_(size),
        allocator_(allocator),
        host_readable_(allocator == nullptr || allocator->host_readable()),
        device_only_(allocator != nullptr && allocator->device_only()) {}
  // A part of `parent`, which it keeps alive.
  Buffer(void* data, size_t size, const Buffer& parent)
      : data_(data),
        size_(size),
        allocator_(nullptr),
        host_readable_(parent.host_readable_),
        device_only_(parent.device_only_) {}

 private:
  void* const data_;
  const size_t size_;
  Allocator* const allocator_;
  const bool host_readable_, device_only_;
  RefPtr<BufferGuard> guard_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_BUFFER_H_
