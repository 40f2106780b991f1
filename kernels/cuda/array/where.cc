// SPDX-License-Identifier: Apache-2.0
// Where on the GPU: it counts, waits for the sum without holding a thread, and writes the rows.
#include "core/runtime/device.h"
#include "kernels/cuda/array/register.h"
#include "kernels/cuda/array/selection.h"
#include "kernels/cuda/common/kernel.h"

namespace sluice::kernels {
namespace {

struct Where {
  void Start(KernelContext& ctx, Done done) const {
    const Tensor& input = ctx.input(0);
    const int rank = input.rank();
    if (rank == 0) return done(InvalidArgument("WhereOp : Unhandled input dimensions: 0"));
    if (rank > cuda::ArrayShape::kMaxRank)
      return done(Unimplemented("Where in ", rank, " dimensions on a GPU"));
    if (input.num_elements() == 0) return done(ctx.AllocateOutput(0, Shape{0, rank}).status());
    absl::StatusOr<Tensor> counts = Count(ctx);
    if (!counts.ok()) return done(counts.status());
    const int64_t pieces = counts->dim(0) - 1;
    ctx.device().CopyToHost(
        counts->Rows(pieces, pieces + 1),
        [&ctx, counts = *counts, done = std::move(done)](absl::StatusOr<Tensor> total) mutable {
          done(total.ok() ? Write(ctx, counts, total->scalar<int64_t>()) : total.status());
        });
  }

 private:
  // How many elements before each piece are not zero, and at the end how many in all.
  static absl::StatusOr<Tensor> Count(KernelContext& ctx) {
    const Tensor& input = ctx.input(0);
    const int64_t n = input.num_elements();
    const int64_t pieces = (n + cuda::kSelectionPiece - 1) / cuda::kSelectionPiece;
    SLUICE_ASSIGN(Tensor counts, ctx.AllocateTemporary(kInt64, Shape{pieces + 1}));
    auto* data = static_cast<int64_t*>(counts.raw());
    SLUICE_RETURN_IF_ERROR(Launched(
        cuda::LaunchCountNonZero(ElementOf(input.dtype()), input.raw(), n, data, StreamOf(ctx))));
    SLUICE_RETURN_IF_ERROR(Launched(cuda::LaunchSumBefore(data, pieces, StreamOf(ctx))));
    return counts;
  }
  static absl::Status Write(KernelContext& ctx, const Tensor& counts, int64_t total) {
    const Tensor& input = ctx.input(0);
    SLUICE_ASSIGN(Tensor * rows, ctx.AllocateOutput(0, Shape{total, input.rank()}));
    if (total == 0) return absl::OkStatus();
    cuda::ArrayShape shape{};
    shape.rank = input.rank();
    for (int d = 0; d < input.rank(); ++d) shape.dims[d] = input.dim(d);
    return Launched(cuda::LaunchWriteNonZero(ElementOf(input.dtype()), input.raw(),
                                             input.num_elements(),
                                             static_cast<const int64_t*>(counts.raw()), shape,
                                             static_cast<int64_t*>(rows->raw()), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaWhere(KernelRegistry& kernels) {
  kernels.Add<Where>("Where", kGpu, {{"T", kNumeric | DTypeSet(kBool)}});
}

}  // namespace sluice::kernels
