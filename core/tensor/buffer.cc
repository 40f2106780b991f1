// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/buffer.h"

#include <memory>
#include <new>
#include <string>
#include <utility>

#include "core/tensor/resource.h"
#include "core/tensor/variant.h"

namespace sluice {
namespace {

constexpr size_t kHeader = kAlignment;  // bookkeeping in front of the data, in one block with it

template <typename T>
void DestroyElements(void* data, size_t bytes) {
  std::destroy_n(static_cast<T*>(data), bytes / sizeof(T));
}

// Bookkeeping and data are in one block. If the host cannot access the data, only the destructor is
// common.
class OwnedBuffer final : public Buffer {
 public:
  OwnedBuffer(void* data, size_t size, Allocator* allocator, DType dtype)
      : Buffer(data, size, allocator), dtype_(dtype) {}

 protected:
  void Destroy() override {
    void* const elements = data();
    const size_t bytes = size();
    Allocator& memory = *allocator();
    if (dtype_ == kString) DestroyElements<std::string>(elements, bytes);
    if (dtype_ == kResource) DestroyElements<ResourceHandle>(elements, bytes);
    if (dtype_ == kVariant) DestroyElements<Variant>(elements, bytes);
    std::destroy_at(this);
    if (memory.host_readable()) {
      memory.Free(this, kHeader + bytes);
    } else {
      memory.Free(elements, bytes);
      CpuAllocator().Free(this, kHeader);
    }
  }

 private:
  const DType dtype_;
};
static_assert(sizeof(OwnedBuffer) <= kHeader);

class BorrowedBuffer final : public Buffer {
 public:
  BorrowedBuffer(void* data, size_t size, absl::AnyInvocable<void()> release)
      : Buffer(data, size, nullptr), release_(std::move(release)) {}

 protected:
  ~BorrowedBuffer() override {
    if (release_) release_();
  }

 private:
  absl::AnyInvocable<void()> release_;
};

class SliceBuffer final : public Buffer {
 public:
  SliceBuffer(RefPtr<Buffer> parent, void* data, size_t size)
      : Buffer(data, size, *parent), parent_(std::move(parent)) {
    set_guard(parent_->guard());
  }

 private:
  const RefPtr<Buffer> parent_;
};

}  // namespace

size_t Buffer::ElementBytes(DType dtype) {
  switch (dtype) {
    case kString:
      return sizeof(std::string);
    case kResource:
      return sizeof(ResourceHandle);
    case kVariant:
      return sizeof(Variant);
    default:
      return SizeOf(dtype);
  }
}

RefPtr<Buffer> Buffer::Allocate(Allocator& allocator, DType dtype, int64_t count) {
  // Elements with constructors are in host memory on every device.
  Allocator& memory = IsPlain(dtype) ? allocator : CpuAllocator();
  int64_t bytes = 0, block_bytes = 0;
  if (count < 0 || !MulFits(count, static_cast<int64_t>(ElementBytes(dtype)), &bytes) ||
      !AddFits(bytes, kHeader, &block_bytes)) {
    return nullptr;
  }
  const bool host = memory.host_readable();
  char* block =
      static_cast<char*>(memory.Allocate(static_cast<size_t>(host ? block_bytes : bytes)));
  if (block == nullptr) return nullptr;
  char* const data = host ? block + kHeader : block;
  void* header = block;
  if (!host && (header = CpuAllocator().Allocate(kHeader)) == nullptr) {
    memory.Free(block, static_cast<size_t>(bytes));
    return nullptr;
  }
  const size_t n = static_cast<size_t>(count);
  if (dtype == kString)
    std::uninitialized_value_construct_n(reinterpret_cast<std::string*>(data), n);
  if (dtype == kResource)
    std::uninitialized_value_construct_n(reinterpret_cast<ResourceHandle*>(data), n);
  if (dtype == kVariant) std::uninitialized_value_construct_n(reinterpret_cast<Variant*>(data), n);
  return RefPtr<Buffer>(new (header) OwnedBuffer(data, static_cast<size_t>(bytes), &memory, dtype));
}

RefPtr<Buffer> Buffer::Borrow(void* data, size_t size, absl::AnyInvocable<void()> release) {
  return RefPtr<Buffer>(new BorrowedBuffer(data, size, std::move(release)));
}

RefPtr<Buffer> Buffer::Slice(RefPtr<Buffer> parent, size_t offset, size_t size) {
  void* const data = static_cast<char*>(parent->data()) + offset;
  return RefPtr<Buffer>(new SliceBuffer(std::move(parent), data, size));
}

}  // namespace sluice
