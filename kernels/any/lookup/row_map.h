// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_LOOKUP_ROW_MAP_H_
#define SLUICE_KERNELS_ANY_LOOKUP_ROW_MAP_H_

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/tensor/allocator.h"
#include "core/tensor/variant.h"
#include "kernels/any/lookup/table.h"

namespace sluice::kernels {

// A RowMap keeps keys and, for each, a row of values of any dtype. A hash map has the number of the
// row of each key; the values are rows of one tensor, which grows.
//
// Threads:  of a standard container.
template <typename K>
class RowMap {
 public:
  RowMap(DType value_dtype, int64_t width) : dtype_(value_dtype), width_(width) {}

  int64_t size() const { return static_cast<int64_t>(rows_.size()); }
  // The row of a key; -1 if the key is absent.
  int64_t Find(const K& key) const {
    const auto found = rows_.find(key);
    return found == rows_.end() ? -1 : found->second;
  }
  // The row of a key, and whether it is new. A new row is to be set. RESOURCE_EXHAUSTED if memory
  // is short.
  absl::StatusOr<std::pair<int64_t, bool>> FindOrAdd(const K& key) {
    if (const int64_t row = Find(key); row >= 0) return std::make_pair(row, false);
    if (free_.empty()) SLUICE_RETURN_IF_ERROR(Grow());
    const int64_t row = free_.back();
    free_.pop_back();
    rows_.emplace(key, row);
    return std::make_pair(row, true);
  }
  void Remove(const K& key) {
    const auto found = rows_.find(key);
    if (found == rows_.end()) return;
    Release(found->second);
    free_.push_back(found->second);
    rows_.erase(found);
  }
  void Set(int64_t row, const Tensor& values, int64_t from) {
    CopyRow(values, from, values_, row, width_);
  }
  void Get(int64_t row, Tensor& values, int64_t to) const {
    CopyRow(values_, row, values, to, width_);
  }
  const Tensor& values() const { return values_; }
  template <typename Fn>
  void ForEach(Fn fn) const {
    for (const auto& [key, row] : rows_) fn(key, row);
  }

 private:
  // Doubles the number of rows.
  absl::Status Grow() {
    constexpr int64_t kFirst = 16;
    const int64_t had = values_.valid() ? values_.dim(0) : 0;
    SLUICE_ASSIGN(const Shape shape, Shape::Create({had == 0 ? kFirst : had * 2, width_}));
    SLUICE_ASSIGN(Tensor grown, Tensor::Allocate(CpuAllocator(), dtype_, shape));
    if (had > 0) {
      SLUICE_RETURN_IF_ERROR(VisitWidth(dtype_, [&]<typename T>(Type<T>) {
        T* from = values_.mutable_data<T>();
        std::move(from, from + had * width_, grown.mutable_data<T>());
        return absl::OkStatus();
      }));
    }
    values_ = std::move(grown);
    for (int64_t row = shape.dim(0); row > had; --row) free_.push_back(row - 1);
    return absl::OkStatus();
  }
  // Frees the memory of a removed row's strings and objects.
  void Release(int64_t row) {
    const auto clear = [&]<typename T>(Type<T>) {
      T* from = values_.mutable_data<T>() + row * width_;
      for (int64_t i = 0; i < width_; ++i) from[i] = T();
    };
    if (dtype_ == kString) clear(Type<std::string>{});
    if (dtype_ == kVariant) clear(Type<Variant>{});
  }

  DType dtype_;
  int64_t width_;  // elements in a row
  absl::flat_hash_map<K, int64_t> rows_;
  std::vector<int64_t> free_;  // rows of no key
  Tensor values_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_LOOKUP_ROW_MAP_H_
