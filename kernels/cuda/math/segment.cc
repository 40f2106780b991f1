// SPDX-License-Identifier: Apache-2.0
// Segments: combines rows with the same number. As TensorFlow documents for GPUs, a row whose
// number is out of range is dropped, and the order of SegmentSum's numbers is not checked.
#include "kernels/cuda/math/segment.h"

#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/axis.h"
#include "kernels/common/math_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/math/register.h"

namespace sluice::kernels {
namespace {

using cuda::SegmentOp;
using cuda::SegmentSizes;

template <SegmentOp kOp>
struct UnsortedSegment {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &data = ctx.input(0), &ids = ctx.input(1);
    SLUICE_ASSIGN(const UnsortedSegmentPlan plan,
                  PlanUnsortedSegment(data.shape(), ids.shape(), ctx.input(2)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
    if (plan.output.num_elements() == 0) return absl::OkStatus();
    const Element element = ElementOf(data.dtype());
    const SegmentSizes sizes{ids.num_elements(), plan.inner, plan.segments};
    Tensor workspace;  // freed in the order of the stream
    if (const size_t bytes = cuda::UnsortedSegmentWorkspace(element, sizes); bytes > 0) {
      SLUICE_ASSIGN(workspace, ctx.AllocateTemporary(kUint8, Shape{static_cast<int64_t>(bytes)}));
    }
    return Launched(cuda::LaunchUnsortedSegment(kOp, element, ElementOf(ids.dtype()), sizes,
                                                data.raw(), ids.raw(), out->raw(), workspace.raw(),
                                                StreamOf(ctx)));
  }
};

// The last number decides the result's shape, so it is copied to the host.
struct SegmentSum {
  void Start(KernelContext& ctx, Done done) const {
    const Tensor& ids = ctx.input(1);
    if (absl::Status status = CheckSegmentShapes(ctx.input(0).shape(), ids.shape()); !status.ok())
      return done(std::move(status));
    const int64_t rows = ids.num_elements();
    if (rows == 0) return done(Combine(ctx, 0));
    ctx.device().CopyToHost(ids.Rows(rows - 1, rows),
                            [&ctx, done = std::move(done)](absl::StatusOr<Tensor> last) mutable {
                              done(last.ok() ? CombineUpTo(ctx, *last) : last.status());
                            });
  }

 private:
  static absl::Status CombineUpTo(KernelContext& ctx, const Tensor& last_id) {
    const int64_t last = IndexAt(last_id, 0);
    if (last < 0) return InvalidArgument("segment ids must be >= 0");
    return Combine(ctx, last + 1);
  }

  static absl::Status Combine(KernelContext& ctx, int64_t segments) {
    const Tensor &data = ctx.input(0), &ids = ctx.input(1);
    SLUICE_ASSIGN(const Shape shape, SegmentShape(data.shape(), segments));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const SegmentSizes sizes{ids.num_elements(), ProductOf(data.shape(), 1, data.rank()), segments};
    return Launched(cuda::LaunchSegmentSum(ElementOf(data.dtype()), ElementOf(ids.dtype()), sizes,
                                           data.raw(), ids.raw(), out->raw(), StreamOf(ctx)));
  }
};

template <SegmentOp kOp>
void AddUnsorted(KernelRegistry& kernels, const char* op, DTypeSet types) {
  kernels.Add<UnsortedSegment<kOp>>(op, kGpu,
                                    {{"T", types}, {"Tindices", kIndex}, {"Tnumsegments", kIndex}},
                                    HostMemory{"num_segments"});
}

}  // namespace

void RegisterCudaSegments(KernelRegistry& kernels) {
  constexpr DTypeSet kOrdered = kFloating | DTypeSet{kInt32};
  AddUnsorted<SegmentOp::kSum>(kernels, "UnsortedSegmentSum", kOrdered | kComplex);
  AddUnsorted<SegmentOp::kProd>(kernels, "UnsortedSegmentProd", kOrdered);
  AddUnsorted<SegmentOp::kMax>(kernels, "UnsortedSegmentMax", kOrdered);
  AddUnsorted<SegmentOp::kMin>(kernels, "UnsortedSegmentMin", kOrdered);
  kernels.Add<SegmentSum>("SegmentSum", kGpu, {{"T", kFloating}, {"Tindices", kIndex}});
}

}  // namespace sluice::kernels
