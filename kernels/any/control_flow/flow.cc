// SPDX-License-Identifier: Apache-2.0
// Control-flow ops, which only move slots or check them: the executor implements frames and dead
// values.
#include "kernels/any/control_flow/register.h"
#include "kernels/common/forward.h"

namespace sluice::kernels {
namespace {

struct NoOp {
  absl::Status Run(KernelContext&) const { return absl::OkStatus(); }
};

struct Switch {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& pred = ctx.input(1);
    if (pred.dtype() != kBool || pred.rank() != 0) {
      return InvalidArgument("The second input must be a scalar, but it has shape ", pred.shape(),
                             " and type ", pred.dtype());
    }
    ctx.ForwardSlot(0, pred.scalar<bool>() ? 1 : 0);
    return absl::OkStatus();
  }
};

// An index out of range selects the last output.
struct SwitchN {
  absl::Status Run(KernelContext& ctx) const {
    if (ctx.input(1).rank() != 0) {
      return InvalidArgument("The second input must be a scalar, but it has shape ",
                             ctx.input(1).shape());
    }
    SLUICE_ASSIGN(const int64_t index, IntScalar(ctx.input(1)));
    const int last = ctx.num_outputs() - 1;
    ctx.ForwardSlot(0, index < 0 || index > last ? last : static_cast<int>(index));
    return absl::OkStatus();
  }
};

struct Merge {
  absl::Status Run(KernelContext& ctx) const {
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      if (!ctx.has_input(i)) continue;
      ctx.ForwardSlot(i, 0);
      if (ctx.num_outputs() > 1) ctx.SetOutput(1, Tensor::Scalar<int32_t>(i));
      return absl::OkStatus();
    }
    return Internal("a Merge ran without a live input");
  }
};

struct RefSelect {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& index = ctx.input(0);
    if (index.rank() != 0)
      return InvalidArgument("Index must be a scalar, but it has shape ", index.shape());
    const int64_t n = ctx.num_inputs() - 1;
    const int64_t i = index.scalar<int32_t>();
    if (i < 0 || i >= n)
      return InvalidArgument("Index must be in the range [0, ", n, ") but got ", i);
    ctx.ForwardSlot(static_cast<int>(i) + 1, 0);
    return absl::OkStatus();
  }
};

// A task serves many clients, so no client may end it.
struct Abort {
  std::string message;

  static absl::StatusOr<Abort> Create(const NodeSpec& node) {
    return Abort{GetAttrOr(node.attrs, "error_msg", std::string())};
  }
  absl::Status Run(KernelContext&) const { return Aborted("Abort op: ", message); }
};

}  // namespace

void RegisterFlow(KernelRegistry& kernels, absl::string_view device) {
  for (auto op : {"NoOp", "ControlTrigger"}) kernels.Add<NoOp>(op, device, {}, kCheap);
  for (auto op : {"Enter", "RefEnter", "Exit", "RefExit", "NextIteration", "RefNextIteration"})
    kernels.Add<Forward>(op, device, {}, kCheap);
  kernels.Add<Forward>("LoopCond", device, {}, HostMemory{"input", "output"}, kCheap);
  for (auto op : {"Switch", "RefSwitch"})
    kernels.Add<Switch>(op, device, {}, HostMemory{"pred"}, kCheap);
  kernels.Add<SwitchN>("_SwitchN", device, {}, HostMemory{"output_index"}, kCheap);
  for (auto op : {"Merge", "RefMerge"})
    kernels.Add<Merge>(op, device, {}, HostMemory{"value_index"}, kCheap);
  kernels.Add<RefSelect>("RefSelect", device, {}, HostMemory{"index"}, kCheap);
  if (device == kCpu) kernels.Add<Abort>("Abort", device, {}, kCheap);
}

}  // namespace sluice::kernels
