// SPDX-License-Identifier: Apache-2.0
// NthElement: the element at position n of each sorted row.
#include <algorithm>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kBlock = 1 << 18;  // elements copied between two looks at the cancellation

struct NthElement {
  bool reverse;

  static absl::StatusOr<NthElement> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool reverse, node.Get<bool>("reverse"));
    return NthElement{reverse};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    if (ctx.input(1).rank() != 0) {
      return InvalidArgument("N must be scalar, got shape ", ctx.input(1).shape());
    }
    int64_t n = ctx.input(1).scalar<int32_t>();
    if (n < 0)
      return InvalidArgument("Need n >= 0, got ", n, ": n must be non-negative but is ", n);
    if (in.rank() < 1)
      return InvalidArgument("Input must be >= 1-D, got shape ", in.shape(),
                             ": Input must be at least rank 1 but is rank 0");
    const int64_t width = in.dim(in.rank() - 1);
    if (width <= n)
      return InvalidArgument(
          "Input must have at least n+1 columns: Input must have last dimension > n = ", n);
    if (reverse) n = width - n - 1;
    Shape shape = in.shape();
    shape.RemoveDim(in.rank() - 1);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitDType(RealTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      using C = ComputeType<T>;
      // NaN sorts last: without a fixed position it would break the order.
      const auto before = [](C a, C b) { return a < b || (b != b && a == a); };
      ParallelFor(ctx.pool(), shape.num_elements(), 5.0 * width, [&](int64_t begin, int64_t end) {
        std::vector<C> row;
        CancelPoints points(1 << 20);
        for (int64_t i = begin; i < end; ++i) {
          const T* from = in.data<T>() + i * width;
          row.clear();
          row.reserve(width);
          while (static_cast<int64_t>(row.size()) < width) {
            ThrowIfCancelled();
            const auto copied = static_cast<int64_t>(row.size());
            row.resize(std::min(width, copied + kBlock));
            std::transform(from + copied, from + row.size(), row.begin() + copied,
                           [](T v) { return static_cast<C>(v); });
          }
          std::nth_element(row.begin(), row.begin() + n, row.end(),
                           CancellableOrder(points, before));
          out->mutable_data<T>()[i] = T(row[n]);
        }
      });
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterNthElement(KernelRegistry& kernels) {
  kernels.Add<NthElement>("NthElement", kCpu, {{"T", kReal}});
}

}  // namespace sluice::kernels
