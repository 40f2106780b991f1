// SPDX-License-Identifier: Apache-2.0
// Sequences of numbers: Range, LinSpace; and Bucketize, which finds numbers among boundaries.
#include "core/op/producer_version.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

// The number of steps of `delta` from start to limit, without limit.
template <typename T, typename C = ComputeType<T>>
absl::StatusOr<int64_t> CountSteps(C start, C limit, C delta) {
  if (delta == C(0)) return InvalidArgument("Requires delta != 0: 0");
  if (delta > C(0) ? start > limit : start < limit) {
    return InvalidArgument("Requires start ", delta > C(0) ? "<=" : ">=", " limit when delta ",
                           delta > C(0) ? ">" : "<", " 0: ", start, "/", limit);
  }
  if constexpr (std::is_integral_v<T>) {
    using U = uint64_t;
    const U distance = start > limit ? static_cast<U>(start) - static_cast<U>(limit)
                                     : static_cast<U>(limit) - static_cast<U>(start);
    const U step = delta > C(0) ? static_cast<U>(delta) : U(0) - static_cast<U>(delta);
    const U count = distance / step + (distance % step != 0);
    if (count > static_cast<U>(std::numeric_limits<int64_t>::max())) {
      return InvalidArgument("Requires ((limit - start) / delta) <= ",
                             std::numeric_limits<int64_t>::max());
    }
    return static_cast<int64_t>(count);
  } else {
    // Rounded in the dtype: (0.6 - 0) / 0.1 is 6 steps, though 0.1 is a little less.
    const C distance = static_cast<C>(static_cast<T>(limit - start));
    const double count = std::ceil(std::abs(static_cast<double>(static_cast<T>(distance / delta))));
    if (!(count <= 0x1p62))
      return InvalidArgument("Requires ((limit - start) / delta) <= ",
                             std::numeric_limits<int64_t>::max());
    return static_cast<int64_t>(count);
  }
}

struct Range {
  bool as_in_1x;

  static absl::StatusOr<Range> Create(const NodeSpec& node) { return Range{IsFrom1x(node)}; }

  absl::Status Run(KernelContext& ctx) const {
    static constexpr const char* kNames[] = {"start", "limit", "delta"};
    for (int i = 0; i < 3; ++i) {
      if (!IsScalarLike(ctx.input(i), as_in_1x)) {
        return InvalidArgument(kNames[i], " must be a scalar, not shape ", ctx.input(i).shape());
      }
    }
    return VisitDType(RealTypes{}, ctx.input(0).dtype(),
                      [&]<typename T>(Type<T>) { return Fill<T>(ctx); });
  }

 private:
  template <typename T>
  static absl::Status Fill(KernelContext& ctx) {
    using C = ComputeType<T>;
    const C start = ctx.input(0).scalar<T>(), limit = ctx.input(1).scalar<T>(),
            delta = ctx.input(2).scalar<T>();
    SLUICE_ASSIGN(int64_t count, CountSteps<T>(start, limit, delta));
    SLUICE_ASSIGN(Shape shape, Shape::Create({count}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    T* y = out->mutable_data<T>();
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_integral_v<T>) {
        y[i] = static_cast<T>(static_cast<uint64_t>(start) +
                              static_cast<uint64_t>(i) * static_cast<uint64_t>(delta));
      } else {
        const C offset = static_cast<C>(T(static_cast<C>(T(i)) * delta));
        y[i] = T(start + offset);
      }
    }
    return absl::OkStatus();
  }
};

struct LinSpace {
  absl::Status Run(KernelContext& ctx) const {
    for (int i = 0; i < 3; ++i) {
      if (ctx.input(i).rank() != 0) {
        return InvalidArgument(i == 0   ? "start"
                               : i == 1 ? "stop"
                                        : "num",
                               " must be a scalar, not shape ", ctx.input(i).shape());
      }
    }
    SLUICE_ASSIGN(int64_t count, IntScalar(ctx.input(2)));
    if (count <= 0) return InvalidArgument("Requires num > 0: ", count);
    SLUICE_ASSIGN(Shape shape, Shape::Create({count}));
    return VisitDType(
        FloatingTypes{}, ctx.input(0).dtype(), [&]<typename T>(Type<T>) -> absl::Status {
          using C = ComputeType<T>;
          const C start = ctx.input(0).scalar<T>(), stop = ctx.input(1).scalar<T>();
          SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
          T* y = out->mutable_data<T>();
          const C step = count > 1 ? (stop - start) / static_cast<C>(count - 1) : C(0);
          for (int64_t i = 0; i < count; ++i) y[i] = T(start + step * static_cast<C>(i));
          y[0] = T(start);  // for any step
          if (count > 1) y[count - 1] = T(stop);
          return absl::OkStatus();
        });
  }
};

// The index of the first boundary above each value.
struct Bucketize {
  std::vector<float> boundaries;

  static absl::StatusOr<Bucketize> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::vector<float> boundaries, node.Get<std::vector<float>>("boundaries"));
    if (!std::is_sorted(boundaries.begin(), boundaries.end()))
      return InvalidArgument("Expected sorted boundaries");
    return Bucketize{std::move(boundaries)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    int32_t* y = out->mutable_data<int32_t>();
    return VisitDType(
        TypeList<float, double, int32_t, int64_t>{}, x.dtype(), [&]<typename T>(Type<T>) {
          const T* values = x.data<T>();
          ParallelFor(ctx.pool(), x.num_elements(), 10, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
              y[i] = static_cast<int32_t>(
                  std::upper_bound(boundaries.begin(), boundaries.end(), values[i]) -
                  boundaries.begin());
            }
          });
          return absl::OkStatus();
        });
  }
};

}  // namespace

void RegisterSequence(KernelRegistry& kernels) {
  kernels.Add<Range>("Range", kCpu, {{"Tidx", kReal}});
  kernels.Add<LinSpace>("LinSpace", kCpu, {{"T", kFloating}, {"Tidx", kIndex}});
  // TensorFlow's GPUs keep both in host memory.
  kernels.Add<Range>("Range", kGpu, {{"Tidx", kReal}},
                     HostMemory{"start", "limit", "delta", "output"});
  kernels.Add<LinSpace>("LinSpace", kGpu, {{"T", kFloating}, {"Tidx", kIndex}},
                        HostMemory{"start", "stop", "num", "output"});
  kernels.Add<Bucketize>("Bucketize", kCpu, {{"T", {kFloat, kDouble, kInt32, kInt64}}});
}

}  // namespace sluice::kernels
