// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/shm/shared_arena.h"

#include <bit>
#include <utility>

namespace sluice::transport {

SharedArena::SharedArena(size_t limit)
    : arena_(
          limit, [](uint64_t, const SharedMemory&) { return absl::OkStatus(); }, [](uint64_t) {}) {}

std::optional<int> SharedArena::Join() {
  absl::MutexLock lock(&mu_);
  const int reader = std::countr_one(readers_);
  if (reader == 64) return std::nullopt;
  readers_ |= BlockHead::Bit(reader);
  return reader;
}

void SharedArena::Leave(int reader) {
  absl::MutexLock lock(&mu_);
  readers_ &= ~BlockHead::Bit(reader);
  arena_.Abandon(reader);
}

std::optional<Tensor> SharedArena::Allocate(DType dtype, const Shape& shape) {
  const size_t bytes = static_cast<size_t>(shape.num_elements()) * SizeOf(dtype);
  const auto user = std::make_shared<char>();
  absl::MutexLock lock(&mu_);
  absl::erase_if(allocated_, [](const auto& item) { return item.second.user.expired(); });
  absl::StatusOr<Arena::Block> block = arena_.Take(bytes, user, /*readers=*/0);
  if (!block.ok()) return std::nullopt;
  allocated_[block->data] = {*block, user};
  return Tensor(dtype, shape,
                Buffer::Borrow(block->data, bytes, [memory = block->memory, user] {}));
}

std::optional<SharedArena::Loan> SharedArena::Lend(const Tensor& tensor, int reader) {
  absl::MutexLock lock(&mu_);
  const auto it = allocated_.find(tensor.raw());
  if (it == allocated_.end() || it->second.user.expired()) return std::nullopt;
  const Arena::Block& block = it->second.block;
  const uint64_t bit = BlockHead::Bit(reader);
  if ((BlockHead::Of(block.data)->readers.fetch_or(bit) & bit) != 0) return std::nullopt;
  return Loan{block.at, block.memory};
}

}  // namespace sluice::transport
