// SPDX-License-Identifier: Apache-2.0
// Ops that look values up: ListDiff, LowerBound, UpperBound, UnravelIndex.
#include <algorithm>
#include <limits>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/tensor/wrapping.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

// What comparing a value costs, in bytes.
template <typename T>
int64_t CostOf(const T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return 64 + static_cast<int64_t>(value.size());
  else
    return 64;  // a line of the cache
}

// The value that equality and hashing use.
template <typename T>
decltype(auto) Key(const T& value) {
  if constexpr (kIsNarrowFloat<T>)
    return static_cast<float>(value);
  else
    return (value);
}

struct ListDiff {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &x = ctx.input(0), &y = ctx.input(1);
    if (x.rank() != 1) return InvalidArgument("x should be a 1D vector.");
    if (y.rank() != 1) return InvalidArgument("y should be a 1D vector.");
    return VisitDType(
        Join<RealTypes, TypeList<std::string>>{}, x.dtype(),
        [&]<typename T>(Type<T>) -> absl::Status {
          absl::flat_hash_set<std::decay_t<decltype(Key(std::declval<const T&>()))>> known;
          CancelPoints points(1 << 20);
          for (const T& value : y.flat<T>()) {
            points.Pass(CostOf(value));
            const auto& key = Key(value);
            if (key == key) known.insert(key);  // a NaN is equal to nothing
          }
          std::vector<int64_t> kept;
          for (int64_t i = 0; i < x.dim(0); ++i) {
            const T& value = x.data<T>()[i];
            points.Pass(CostOf(value));
            if (!known.contains(Key(value))) kept.push_back(i);
          }
          const Shape shape{static_cast<int64_t>(kept.size())};
          SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
          SLUICE_ASSIGN(Tensor * places, ctx.AllocateOutput(1, shape));
          for (size_t i = 0; i < kept.size(); ++i) {
            points.Pass(CostOf(x.data<T>()[kept[i]]));
            out->mutable_data<T>()[i] = x.data<T>()[kept[i]];
            if (places->dtype() == kInt64)
              places->mutable_data<int64_t>()[i] = kept[i];
            else
              places->mutable_data<int32_t>()[i] = static_cast<int32_t>(kept[i]);
          }
          return absl::OkStatus();
        });
  }
};

struct UnravelIndex {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &indices = ctx.input(0), &dims = ctx.input(1);
    if (indices.rank() > 1)
      return InvalidArgument("The indices can only be scalar or vector, got \"", indices.shape(),
                             "\"");
    if (dims.rank() != 1)
      return InvalidArgument("The indices can only be 1-D, got \"", dims.shape(), "\"");
    SLUICE_ASSIGN(const Shape::Dims sizes, IntVector(dims));
    int64_t total = 1;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] == 0) {
        return InvalidArgument(
            "Input dims cannot contain a dim of zero, but dims contains zero at index ", i);
      }
      if (sizes[i] < 0) {
        return InvalidArgument("Input dims cannot be negative. Got dim = ", sizes[i], " at index ",
                               i);
      }
      // The product has to fit the type of the dims.
      const int64_t most = dims.dtype() == kInt32 ? std::numeric_limits<int32_t>::max()
                                                  : std::numeric_limits<int64_t>::max();
      if (!MulFits(total, sizes[i], &total) || total > most) {
        return InvalidArgument("Input dims product is causing integer overflow: ",
                               absl::StrJoin(sizes, ", "));
      }
    }
    const int64_t n = indices.num_elements(), rank = dims.dim(0);
    SLUICE_ASSIGN(Tensor * out,
                  ctx.AllocateOutput(0, indices.rank() == 0 ? Shape{rank} : Shape{rank, n}));
    return VisitDType(IndexTypes{}, indices.dtype(), [&]<typename T>(Type<T>) {
      for (int64_t i = 0; i < n; ++i) {
        int64_t at = indices.data<T>()[i];
        if (at < 0 || at >= total)
          return InvalidArgument("index is out of bound as with dims: ", at, " is not in [0, ",
                                 total, ")");
        for (int64_t d = rank - 1; d >= 0; --d) {
          out->mutable_data<T>()[d * n + i] = static_cast<T>(at % sizes[d]);
          at /= sizes[d];
        }
      }
      return absl::OkStatus();
    });
  }
};

template <bool kUpper>
struct Bound {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &sorted = ctx.input(0), &values = ctx.input(1);
    if (sorted.rank() != 2 || values.rank() != 2) {
      return InvalidArgument("sorted_inputs and values must be matrices, got ", sorted.shape(),
                             " and ", values.shape());
    }
    if (sorted.dim(0) != values.dim(0))
      return InvalidArgument("Leading dim_size of both tensors must match.");
    if (ctx.output_type(0) == kInt32 && sorted.dim(1) > INT32_MAX)
      return InvalidArgument("values tensor size must less than INT_MAX");
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, values.shape()));
    return VisitDType(RealTypes{}, sorted.dtype(), [&]<typename T>(Type<T>) {
      return VisitDType(IndexTypes{}, out->dtype(), [&]<typename I>(Type<I>) {
        const int64_t n = sorted.dim(1), m = values.dim(1);
        ParallelFor(ctx.pool(), values.num_elements(), 30, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const T* row = sorted.data<T>() + i / m * n;
            const auto less = [](const T& a, const T& b) { return Key(a) < Key(b); };
            const T& value = values.data<T>()[i];
            const T* at = kUpper ? std::upper_bound(row, row + n, value, less)
                                 : std::lower_bound(row, row + n, value, less);
            out->mutable_data<I>()[i] = static_cast<I>(at - row);
          }
        });
        return absl::OkStatus();
      });
    });
  }
};

}  // namespace

void RegisterSearch(KernelRegistry& kernels) {
  kernels.Add<ListDiff>("ListDiff", kCpu, {{"T", kReal | DTypeSet{kString}}, {"out_idx", kIndex}});
  kernels.Add<UnravelIndex>("UnravelIndex", kCpu, {{"Tidx", kIndex}});
  kernels.Add<Bound<false>>("LowerBound", kCpu, {{"T", kReal}, {"out_type", kIndex}});
  kernels.Add<Bound<true>>("UpperBound", kCpu, {{"T", kReal}, {"out_type", kIndex}});
}

}  // namespace sluice::kernels
