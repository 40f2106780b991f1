// SPDX-License-Identifier: Apache-2.0
#include "core/device/async_memory.h"

#include <cstring>
#include <utility>

namespace sluice {
namespace {
constexpr int kPoison = 0xA5;
}  // namespace

struct AsyncMemory::Bytes {
  Bytes(const void* from, size_t size)
      : size(size), data(static_cast<char*>(CpuAllocator().Allocate(size))) {
    std::memcpy(data, from, size);
  }
  ~Bytes() { CpuAllocator().Free(data, size); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  const size_t size;
  char* const data;
};

struct AsyncMemory::Block {
  explicit Block(size_t size)
      : size(size), data(static_cast<char*>(CpuAllocator().Allocate(size))) {}
  ~Block() { CpuAllocator().Free(data, size); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  const size_t size;
  char* const data;
  // Guarded by the device's kernel mutex.
  std::shared_ptr<const Bytes>
      ahead;  // after the enqueued kernels; null if the stream has caught up
  std::unique_ptr<const Bytes> reached;  // while a kernel runs: the earlier content of `data`
};

AsyncMemory::AsyncMemory(std::string name, std::shared_ptr<Stream> stream)
    : name_(std::move(name)), stream_(std::move(stream)) {}

AsyncMemory::~AsyncMemory() = default;

void* AsyncMemory::Allocate(size_t bytes) {
  auto block = std::make_shared<Block>(bytes == 0 ? 1 : bytes);
  if (block->data == nullptr) return nullptr;
  std::memset(block->data, kPoison, block->size);
  Ref();
  absl::MutexLock lock(&mu_);
  blocks_.emplace(block->data, block);
  fresh_.insert(block);
  return block->data;
}

void AsyncMemory::Free(void* address, size_t /*bytes*/) {
  std::shared_ptr<Block> block;
  {
    absl::MutexLock lock(&mu_);
    const auto it = blocks_.find(static_cast<const char*>(address));
    block = std::move(it->second);
    blocks_.erase(it);
    fresh_.erase(block);
    pending_.erase(block);
  }
  stream_->Enqueue([block = std::move(block)] {});  // the last enqueued user may still need it
  Unref();
}

std::shared_ptr<AsyncMemory::Block> AsyncMemory::Find(const void* address) const {
  const char* const p = static_cast<const char*>(address);
  auto it = blocks_.upper_bound(p);
  if (p == nullptr || it == blocks_.begin()) return nullptr;
  --it;
  return p < it->first + it->second->size ? it->second : nullptr;
}

bool AsyncMemory::Owns(const void* address) const {
  absl::MutexLock lock(&mu_);
  return Find(address) != nullptr;
}

void AsyncMemory::Reveal(absl::Span<const void* const> may_change) {
  {
    absl::MutexLock lock(&mu_);
    revealed_.assign(pending_.begin(), pending_.end());
    for (const void* address : may_change) {
      std::shared_ptr<Block> block = Find(address);
      if (block != nullptr && !pending_.contains(block)) revealed_.push_back(std::move(block));
    }
  }
  for (const auto& block : revealed_) {
    if (block->reached != nullptr) continue;  // named twice
    block->reached = std::make_unique<const Bytes>(block->data, block->size);
    if (block->ahead != nullptr) std::memcpy(block->data, block->ahead->data, block->size);
  }
}

// The stream will reach the block's present content.
AsyncMemory::Write AsyncMemory::Keep(const std::shared_ptr<Block>& block) {
  auto bytes = std::make_shared<const Bytes>(block->data, block->size);
  block->ahead = bytes;
  absl::MutexLock lock(&mu_);
  if (blocks_.contains(block->data)) pending_.insert(block);
  return Write{block, std::move(bytes)};
}

std::vector<AsyncMemory::Write> AsyncMemory::Conceal(absl::Span<const void* const> written) {
  absl::flat_hash_set<std::shared_ptr<Block>> fresh;
  std::vector<std::shared_ptr<Block>> changed;
  {
    absl::MutexLock lock(&mu_);
    fresh.swap(fresh_);
    for (const void* address : written) {
      std::shared_ptr<Block> block = Find(address);
      if (block != nullptr && !fresh.contains(block)) changed.push_back(std::move(block));
    }
  }
  std::vector<Write> writes;
  for (const auto& block : fresh) {
    writes.push_back(Keep(block));
    std::memset(block->data, kPoison, block->size);
  }
  for (const auto& block : changed) {
    // Inputs that the kernel only passed on are not saved. Equal bytes: nothing was written, or the
    // block is listed twice.
    if (block->reached == nullptr) continue;
    const Bytes& before = block->ahead != nullptr ? *block->ahead : *block->reached;
    if (std::memcmp(before.data, block->data, block->size) != 0) writes.push_back(Keep(block));
  }
  for (const auto& block : revealed_) {
    if (block->ahead != nullptr && block->reached != nullptr) {
      std::memcpy(block->data, block->reached->data, block->size);
    }
    block->reached = nullptr;
  }
  revealed_.clear();
  return writes;
}

AsyncMemory::Write AsyncMemory::Fill(void* address, const void* bytes, size_t size) {
  std::shared_ptr<Block> block;
  {
    absl::MutexLock lock(&mu_);
    block = Find(address);
    fresh_.erase(block);
  }
  std::memcpy(block->data, bytes, size);
  Write write = Keep(block);
  std::memset(block->data, kPoison, block->size);
  return write;
}

void AsyncMemory::Publish(absl::Span<const Write> writes) {
  for (const Write& write : writes) {
    std::memcpy(write.block->data, write.bytes->data, write.bytes->size);
    if (write.block->ahead != write.bytes) continue;  // a later kernel writes it again
    write.block->ahead = nullptr;
    absl::MutexLock lock(&mu_);
    pending_.erase(write.block);
  }
}

}  // namespace sluice
