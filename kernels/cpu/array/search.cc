// Ops that look values up: ListDiff, LowerBound, UpperBound, UnravelIndex, Bincount, histograms.
#include <algorithm>
#include <cmath>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_join.h"
#include "core/kernel_registry.h"
#include "kernels/common/axis.h"
#include "kernels/cpu/array/register.h"
#include "kernels/cpu/common/wrapping.h"

namespace sluice::kernels {
namespace {

// What equality and hashing see of a value.
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
          for (const T& value : y.flat<T>()) {
            const auto& key = Key(value);
            if (key == key) known.insert(key);  // a NaN is equal to nothing
          }
          std::vector<int64_t> kept;
          for (int64_t i = 0; i < x.dim(0); ++i) {
            if (!known.contains(Key(x.data<T>()[i]))) kept.push_back(i);
          }
          const Shape shape{static_cast<int64_t>(kept.size())};
          SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
          SLUICE_ASSIGN(Tensor * places, ctx.AllocateOutput(1, shape));
          for (size_t i = 0; i < kept.size(); ++i) {
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
      if (!MulFits(total, sizes[i], &total)) {
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

// Sums of weights (or counts) of equal integers; those from `size` on are left out.
struct Bincount {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &values = ctx.input(0), &weights = ctx.input(2);
    if (ctx.input(1).rank() != 0)
      return InvalidArgument("Shape must be rank 0 but is rank ", ctx.input(1).rank());
    const int32_t size = ctx.input(1).scalar<int32_t>();
    if (size < 0) return InvalidArgument("size (", size, ") must be non-negative");
    const bool weighted = weights.num_elements() > 0;
    if (weighted && weights.shape() != values.shape()) {
      return InvalidArgument("`weights` must be the same shape as `arr` or a length-0 `Tensor`, ",
                             "in which case it acts as all weights equal to 1. Received ",
                             weights.shape());
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{size}));
    return VisitDType(NumericTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      std::fill_n(out->mutable_data<T>(), size, T());
      for (int64_t i = 0; i < values.num_elements(); ++i) {
        const int32_t value = values.data<int32_t>()[i];
        if (value < 0) return InvalidArgument("Input arr must be non-negative!");
        if (value >= size) continue;
        T& bin = out->mutable_data<T>()[value];
        bin = SumOf(bin, weighted ? weights.data<T>()[i] : static_cast<T>(1));
      }
      return absl::OkStatus();
    });
  }
};

// Of a vector, or of each row of a matrix; `binary`: whether a value occurs at all.
struct DenseBincount {
  bool binary;

  static absl::StatusOr<DenseBincount> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool binary, node.Get<bool>("binary_output"));
    return DenseBincount{binary};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &values = ctx.input(0), &weights = ctx.input(2);
    if (values.rank() > 2)
      return InvalidArgument("Shape must be at most rank 2 but is rank ", values.rank());
    if (ctx.input(1).rank() != 0)
      return InvalidArgument("Shape must be rank 0 but is rank ", ctx.input(1).rank());
    SLUICE_ASSIGN(const int64_t size, IntScalar(ctx.input(1)));
    if (size < 0) return InvalidArgument("size (", size, ") must be non-negative");
    const bool weighted = weights.num_elements() > 0;
    if (weighted && weights.shape() != values.shape()) {
      return InvalidArgument("`weights` must be the same shape as `arr` or a length-0 `Tensor`, ",
                             "in which case it acts as all weights equal to 1. Received ",
                             weights.shape());
    }
    const bool matrix = values.rank() == 2;
    SLUICE_ASSIGN(const Shape shape,
                  matrix ? Shape::Create({values.dim(0), size}) : Shape::Create({size}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitDType(TypeList<int32_t, int64_t, float, double>{}, out->dtype(),
                      [&]<typename T>(Type<T>) -> absl::Status {
                        const T* weight = weighted ? weights.data<T>() : nullptr;
                        return Count(values, weight, size, out->mutable_data<T>());
                      });
  }

 private:
  template <typename T>
  absl::Status Count(const Tensor& values, const T* weights, int64_t size, T* bins) const {
    const int64_t row = values.rank() == 2 ? values.dim(1) : values.num_elements();
    std::fill_n(bins, (values.rank() == 2 ? values.dim(0) : 1) * size, T());
    for (int64_t i = 0; i < values.num_elements(); ++i) {
      const int64_t value = IndexAt(values, i);
      if (value < 0) {
        return InvalidArgument("Input ", values.rank() == 2 ? "'in'" : "arr",
                               " must be non-negative! Negative input value found: ", value);
      }
      if (value >= size) continue;
      T& bin = bins[i / row * size + value];
      bin = binary ? T(1) : SumOf(bin, weights != nullptr ? weights[i] : T(1));
    }
    return absl::OkStatus();
  }
};

// What lies outside the range counts in the first or last bin.
struct HistogramFixedWidth {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &values = ctx.input(0), &range = ctx.input(1);
    if (range.rank() != 1) return InvalidArgument("value_range should be a vector.");
    if (range.dim(0) != 2) return InvalidArgument("value_range should be a vector of 2 elements.");
    if (ctx.input(2).rank() != 0) return InvalidArgument("nbins should be a scalar.");
    const int32_t bins = ctx.input(2).scalar<int32_t>();
    if (bins <= 0)
      return InvalidArgument("nbins should be a positive number, but got '", bins, "'");
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{bins}));
    std::vector<int64_t> counts(bins, 0);
    SLUICE_RETURN_IF_ERROR(
        VisitDType(RealTypes{}, values.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
          return Count(range.data<T>(), values.flat<T>(), counts);
        }));
    return VisitDType(IndexTypes{}, out->dtype(), [&]<typename I>(Type<I>) {
      for (int32_t i = 0; i < bins; ++i) out->mutable_data<I>()[i] = static_cast<I>(counts[i]);
      return absl::OkStatus();
    });
  }

 private:
  // Of integers that may lie further apart than their type reaches.
  template <typename C>
  static double Distance(C a, C b) {
    if constexpr (std::is_integral_v<C>)
      return static_cast<double>(a) - static_cast<double>(b);
    else
      return static_cast<double>(a - b);
  }
  template <typename T>
  static absl::Status Count(const T* range, absl::Span<const T> values,
                            std::vector<int64_t>& counts) {
    using C = ComputeType<T>;
    const C low = static_cast<C>(range[0]), high = static_cast<C>(range[1]);
    if (!(low < high)) {
      return InvalidArgument("value_range should satisfy value_range[0] < value_range[1], but got ",
                             "'[", static_cast<double>(low), ", ", static_cast<double>(high), "]'");
    }
    const auto bins = static_cast<double>(counts.size());
    const double step = Distance(high, low) / bins;
    for (const T& element : values) {
      const auto value = static_cast<C>(element);
      if (value != value) return InvalidArgument("values must not contain NaN");
      const double at = Distance(std::max(value, low), low) / step;
      ++counts[static_cast<int64_t>(std::clamp(at, 0.0, bins - 1))];
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSearch(KernelRegistry& kernels) {
  kernels.Add<ListDiff>("ListDiff", kCpu, {{"T", kReal | DTypeSet{kString}}, {"out_idx", kIndex}});
  kernels.Add<UnravelIndex>("UnravelIndex", kCpu, {{"Tidx", kIndex}});
  kernels.Add<Bound<false>>("LowerBound", kCpu, {{"T", kReal}, {"out_type", kIndex}});
  kernels.Add<Bound<true>>("UpperBound", kCpu, {{"T", kReal}, {"out_type", kIndex}});
  kernels.Add<DenseBincount>("DenseBincount", kCpu,
                             {{"Tidx", kIndex}, {"T", {kInt32, kInt64, kFloat, kDouble}}});
  kernels.Add<Bincount>("Bincount", kCpu, {{"T", kNumeric}});
  kernels.Add<HistogramFixedWidth>("HistogramFixedWidth", kCpu, {{"T", kReal}, {"dtype", kIndex}});
}

}  // namespace sluice::kernels
