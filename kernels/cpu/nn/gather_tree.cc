// SPDX-License-Identifier: Apache-2.0
// GatherTree: the beams of a search, read backwards from their ends.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

struct GatherTree {
  static absl::StatusOr<GatherTree> Create(const NodeSpec&) { return GatherTree{}; }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &steps = ctx.input(0), &parents = ctx.input(1), &lengths = ctx.input(2);
    if (steps.rank() != 3)
      return InvalidArgument("step_ids must be a 3-tensor, saw shape: ", steps.shape());
    if (parents.shape() != steps.shape()) {
      return InvalidArgument("parent_ids shape must match step_ids, saw shapes: ", parents.shape(),
                             " and ", steps.shape());
    }
    if (lengths.rank() != 1 || lengths.dim(0) != steps.dim(1)) {
      return InvalidArgument("max_sequence_lengths must have shape [", steps.dim(1),
                             "], the batch size of step_ids, saw shape: ", lengths.shape());
    }
    if (ctx.input(3).rank() != 0)
      return InvalidArgument("end_token must be a scalar, saw shape: ", ctx.input(3).shape());
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, steps.shape()));
    const auto beams = out->mutable_flat<int32_t>();
    const int32_t end = ctx.input(3).scalar<int32_t>();
    std::fill(beams.begin(), beams.end(), end);
    for (const int64_t batch : Cancellable(steps.dim(1))) {
      const int64_t length = std::min<int64_t>(steps.dim(0), lengths.data<int32_t>()[batch]);
      for (int64_t beam = 0; beam < steps.dim(2) && length > 0; ++beam)
        SLUICE_RETURN_IF_ERROR(Follow(steps, parents, batch, beam, length, end, beams.data()));
    }
    return absl::OkStatus();
  }

  // From the last step back to the first; all tokens after the first end token become end tokens.
  static absl::Status Follow(const Tensor& steps, const Tensor& parents, int64_t batch,
                             int64_t beam, int64_t length, int32_t end, int32_t* beams) {
    const int64_t width = steps.dim(2), row = steps.dim(1) * width, first = batch * width;
    int64_t parent = beam;
    for (int64_t time = length - 1; time >= 0; --time) {
      if (parent < 0 || parent >= width) {
        return InvalidArgument("Saw invalid parent id ", parent, " at (batch, time, beam) == (",
                               batch, ", ", time, ", ", beam, ")");
      }
      const int64_t from = time * row + first + parent;
      beams[time * row + first + beam] = steps.data<int32_t>()[from];
      parent = parents.data<int32_t>()[from];
    }
    bool ended = false;
    for (int64_t time = 0; time < length; ++time) {
      int32_t& token = beams[time * row + first + beam];
      if (ended) token = end;
      ended = ended || token == end;
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterGatherTree(KernelRegistry& kernels) {
  kernels.Add<GatherTree>("GatherTree", kCpu, {{"T", {kInt32}}});
}

}  // namespace sluice::kernels
