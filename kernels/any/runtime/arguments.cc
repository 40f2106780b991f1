// SPDX-License-Identifier: Apache-2.0
// Arguments and results of a partition or a function body, and lists of them.
#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/data_flow/session_handle.h"
#include "kernels/any/runtime/register.h"
#include "kernels/common/forward.h"

namespace sluice::kernels {
namespace {

// A client may feed the handle of a tensor that the session keeps, in place of the tensor.
struct Arg {
  int64_t index;
  DType dtype;
  std::string container;

  static absl::StatusOr<Arg> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t index, node.Get<int64_t>("index"));
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("T"));
    return Arg{index, dtype, GetAttrOr(node.attrs, "_session_container", std::string())};
  }
  absl::Status Run(KernelContext& ctx) const {
    const auto args = ctx.step().args;
    if (index < 0 || index >= static_cast<int64_t>(args.size())) {
      return InvalidArgument("argument ", index, " is wanted, but ", args.size(), " were given");
    }
    Tensor value = args[index];
    if (value.dtype() == kResource && dtype != kResource && value.num_elements() == 1) {
      SLUICE_ASSIGN(value, KeptTensor(ctx, container, value.flat<ResourceHandle>()[0].name));
    }
    if (value.dtype() != dtype) {
      return InvalidArgument("Expects arg[", index, "] to be ", dtype, " but ", value.dtype(),
                             " is provided");
    }
    ctx.SetOutput(0, std::move(value));
    return absl::OkStatus();
  }
};

// A fetched value leaves the step, so it must be on the host. It may still be an alias of a
// reference variable; the code that returns it takes a snapshot. Run is for devices without their
// own memory.
struct Retval {
  int64_t index;

  static absl::StatusOr<Retval> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t index, node.Get<int64_t>("index"));
    return Retval{index};
  }
  absl::Status Run(KernelContext& ctx) const {
    const auto retvals = ctx.step().retvals;
    if (index < 0 || index >= static_cast<int64_t>(retvals.size())) {
      return InvalidArgument("return value ", index, " of ", retvals.size());
    }
    if (ctx.dead() || !ctx.has_input(0)) {
      retvals[index] = Parcel{Tensor(), true};
      return absl::OkStatus();
    }
    retvals[index] = Parcel{ctx.input(0), false};
    return absl::OkStatus();
  }
  void Start(KernelContext& ctx, Done done) const {
    if (!ctx.device().has_own_memory() || ctx.dead() || !ctx.has_input(0)) return done(Run(ctx));
    ctx.device().CopyToHost(
        ctx.input(0), [this, &ctx, done = std::move(done)](absl::StatusOr<Tensor> value) mutable {
          if (!value.ok()) return done(value.status());
          ctx.inputs()[0].value = *std::move(value);
          done(Run(ctx));
        });
  }
};

}  // namespace

void RegisterArguments(KernelRegistry& kernels, absl::string_view device) {
  for (auto op : {"_Arg", "_DeviceArg"}) kernels.Add<Arg>(op, device, {}, kCheap);
  for (auto op : {"_Retval", "_DeviceRetval"}) kernels.Add<Retval>(op, device, {}, kCheap);
  for (auto op : {"_ListToArray", "_ArrayToList"}) kernels.Add<Forward>(op, device, {}, kCheap);
}

}  // namespace sluice::kernels
