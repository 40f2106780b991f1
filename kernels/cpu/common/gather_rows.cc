// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/common/gather_rows.h"

#include <atomic>
#include <cstring>
#include <limits>
#include <string>

#include "core/tensor/resource.h"
#include "core/tensor/variant.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

// The flat position of the first bad index, independent of the order of the threads.
class FirstBad {
 public:
  void Note(int64_t at) {
    int64_t seen = at_.load(std::memory_order_relaxed);
    while (at < seen && !at_.compare_exchange_weak(seen, at)) {
    }
  }
  int64_t at() const { return at_.load(); }

 private:
  std::atomic<int64_t> at_{kNone};
};

// Copies slices of `size` elements of one dtype.
class SliceCopier {
 public:
  SliceCopier(DType dtype, int64_t size)
      : dtype_(dtype),
        size_(size),
        bytes_(IsPlain(dtype) ? static_cast<size_t>(size) * SizeOf(dtype) : 0) {}

  void Copy(const void* from, void* to) const {
    switch (bytes_) {
      case 0:
        CopyObjects(from, to);
        break;
      case 4:
        std::memcpy(to, from, 4);
        break;
      case 8:
        std::memcpy(to, from, 8);
        break;
      default:
        std::memcpy(to, from, bytes_);
    }
  }
  double cost() const {
    return 5 +
           (bytes_ == 0 ? 20.0 * static_cast<double>(size_) : 0.1 * static_cast<double>(bytes_));
  }

 private:
  void CopyObjects(const void* from, void* to) const {
    if (IsPlain(dtype_)) return;  // empty slices
    (void)VisitDType(TypeList<std::string, ResourceHandle, Variant>{}, dtype_,
                     [&]<typename T>(Type<T>) {
                       std::copy_n(static_cast<const T*>(from), size_, static_cast<T*>(to));
                       return absl::OkStatus();
                     });
  }

  const DType dtype_;
  const int64_t size_;
  const size_t bytes_;
};

template <typename Index>
absl::Status GatherWith(WorkQueue* pool, const Tensor& params, const Tensor& indices,
                        const GatherSizes& n, Tensor& out) {
  const Index* index = indices.data<Index>();
  const size_t element = ElementSize(params.dtype());
  const SliceCopier copier(params.dtype(), n.inner);
  FirstBad bad;
  ParallelFor(pool, n.batch * n.outer * n.picks, copier.cost(), [&](int64_t begin, int64_t end) {
    int64_t pick = begin % n.picks, block = begin / n.picks;  // block: batch and outer together
    for (int64_t i = begin; i < end; ++i) {
      const int64_t flat = block / n.outer * n.picks + pick;
      const int64_t row = static_cast<int64_t>(index[flat]);
      if (row < 0 || row >= n.limit) {
        bad.Note(flat);
      } else {
        copier.Copy(At(params.raw(), (block * n.limit + row) * n.inner, element),
                    At(out.raw(), i * n.inner, element));
      }
      if (++pick == n.picks) {
        pick = 0;
        ++block;
      }
    }
  });
  if (bad.at() == kNone) return absl::OkStatus();
  return InvalidArgument("indices", PositionText(indices.shape(), bad.at()), " = ",
                         IndexAt(indices, bad.at()), " is not in [0, ", n.limit, ")");
}

}  // namespace

absl::Status GatherRows(WorkQueue* pool, const Tensor& params, const Tensor& indices,
                        const GatherSizes& n, Tensor& out) {
  return VisitDType(
      TypeList<int32_t, int64_t, int16_t>{}, indices.dtype(),
      [&]<typename I>(Type<I>) { return GatherWith<I>(pool, params, indices, n, out); });
}

absl::Status GatherSlices(WorkQueue* pool, const Tensor& params, const Tensor& indices,
                          bool ignore_bad, Tensor& out) {
  const int depth_dim = indices.rank() - 1;
  const int depth = static_cast<int>(indices.dim(depth_dim));
  const Shape picks = SubShape(indices.shape(), 0, depth_dim);
  const int64_t inner = ProductOf(params.shape(), depth, params.rank());
  // There is nothing to copy; rows may still have no positions.
  if (depth == 0 && inner == 0) return absl::OkStatus();
  const size_t element = ElementSize(params.dtype());
  const SliceCopier copier(params.dtype(), inner);
  FirstBad bad;
  ParallelFor(
      pool, picks.num_elements(), copier.cost() + 3 * depth, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          int64_t row = 0;
          bool good = true;
          for (int d = 0; d < depth; ++d) {
            const int64_t at = IndexAt(indices, i * depth + d);
            good &= at >= 0 && at < params.dim(d);
            row = good ? row * params.dim(d) + at : 0;
          }
          if (good)
            copier.Copy(At(params.raw(), row * inner, element), At(out.raw(), i * inner, element));
          else if (!ignore_bad)
            bad.Note(i);
          else if (IsPlain(params.dtype()))
            std::memset(At(out.raw(), i * inner, element), 0, static_cast<size_t>(inner) * element);
        }
      });
  if (bad.at() == kNone) return absl::OkStatus();
  std::string index;
  for (int d = 0; d < depth; ++d)
    absl::StrAppend(&index, d == 0 ? "" : ", ", IndexAt(indices, bad.at() * depth + d));
  return InvalidArgument("indices", PositionText(picks, bad.at()), " = [", index,
                         "] does not index into param shape ", params.shape());
}

}  // namespace sluice::kernels
