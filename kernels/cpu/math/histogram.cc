// SPDX-License-Identifier: Apache-2.0
// Counts of values: Bincount, DenseBincount, HistogramFixedWidth.
#include <algorithm>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "core/tensor/wrapping.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

// Sums of weights (or counts) per integer value; values from `size` on are ignored.
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
      for (const int64_t i : Cancellable(values.num_elements())) {
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

// For a vector, or for each row of a matrix. `binary`: 1 if a value occurs at all.
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
    for (const int64_t i : Cancellable(values.num_elements())) {
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

// Values outside the range count in the first or last bin.
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
  // For integers whose distance may exceed the range of their type.
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
      if (value != value) return InvalidArgument("Histogram values must not contain NaN");
      const double at = Distance(std::max(value, low), low) / step;
      ++counts[static_cast<int64_t>(std::clamp(at, 0.0, bins - 1))];
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterHistograms(KernelRegistry& kernels) {
  kernels.Add<DenseBincount>("DenseBincount", kCpu,
                             {{"Tidx", kIndex}, {"T", {kInt32, kInt64, kFloat, kDouble}}});
  kernels.Add<Bincount>("Bincount", kCpu, {{"T", kNumeric}});
  kernels.Add<HistogramFixedWidth>("HistogramFixedWidth", kCpu, {{"T", kReal}, {"dtype", kIndex}});
}

}  // namespace sluice::kernels
