// SPDX-License-Identifier: Apache-2.0
// IsotonicRegression: the falling sequence that is nearest to each row, by the algorithm that pools
// adjacent violators (Best, Chakravarti: "Active set algorithms for isotonic regression", 1990).
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

// Elements that have one value in the result: their mean.
template <typename T>
struct Segment {
  int64_t begin, end;
  T sum, mean;
};

// The result's type is that of floating-point elements, or wide enough for integers.
template <typename T>
using ResultOf = std::conditional_t<!std::is_integral_v<T>, T,
                                    std::conditional_t<sizeof(T) <= 2, float, double>>;

// Rounds each step, as TensorFlow does. `segments` is memory for the work.
template <typename T, typename U = ResultOf<T>>
void Regress(const T* row, int64_t n, std::vector<Segment<U>>& segments, U* out, int32_t* ids) {
  using C = ComputeType<U>;
  segments.clear();
  CancelPoints points(1 << 14);
  for (int64_t i = 0; i < n; ++i) {
    points.Pass();
    const U value = static_cast<U>(row[i]);
    segments.push_back({i, i + 1, value, value});
    while (segments.size() > 1 && C(segments.back().mean) > C(segments.end()[-2].mean)) {
      const Segment<U> last = segments.back();
      segments.pop_back();
      Segment<U>& joined = segments.back();
      joined.end = last.end;
      joined.sum = static_cast<U>(C(joined.sum) + C(last.sum));
      joined.mean = static_cast<U>(C(joined.sum) / C(U(joined.end - joined.begin)));
    }
  }
  for (size_t id = 0; id < segments.size(); ++id) {
    const Segment<U>& segment = segments[id];
    std::fill(out + segment.begin, out + segment.end, segment.mean);
    std::fill(ids + segment.begin, ids + segment.end, static_cast<int32_t>(id));
  }
}

struct IsotonicRegression {
  using Inputs = Join<FloatingTypes, TypeList<int8_t, int16_t, int32_t, int64_t>>;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    SLUICE_ASSIGN(Tensor * ids, ctx.AllocateOutput(1, x.shape()));
    if (x.num_elements() == 0) return absl::OkStatus();
    const int64_t n = x.rank() == 0 ? 1 : x.dim(x.rank() - 1);
    return VisitDType(Inputs{}, x.dtype(), [&]<typename T>(Type<T>) {
      using U = ResultOf<T>;
      ParallelFor(ctx.pool(), x.num_elements() / n, 100.0 * static_cast<double>(n),
                  [&](int64_t begin, int64_t end) {
                    std::vector<Segment<U>> segments;
                    for (int64_t row = begin; row < end; ++row) {
                      Regress(x.data<T>() + row * n, n, segments, out->mutable_data<U>() + row * n,
                              ids->mutable_data<int32_t>() + row * n);
                    }
                  });
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterIsotonicRegression(KernelRegistry& kernels) {
  const auto add = [&](DTypeSet from, DType to) {
    kernels.Add<IsotonicRegression>("IsotonicRegression", kCpu,
                                    {{"T", from}, {"output_dtype", {to}}});
  };
  for (const DType type : {kHalf, kBfloat16, kFloat, kDouble}) add({type}, type);
  add({kInt8, kInt16}, kFloat);
  add({kInt32, kInt64}, kDouble);
}

}  // namespace sluice::kernels
