// SPDX-License-Identifier: Apache-2.0
// Helpers of functions and branches: the truth value of any tensor, and substitutes for values that
// the taken branch does not have.
#include <algorithm>

#include "absl/strings/str_join.h"
#include "core/device_name.h"
#include "core/runtime/function_caller.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/functions/register.h"

namespace sluice::kernels {
namespace {

// A scalar is true if it is not zero or empty. Any other tensor is true if it has elements.
struct ToBool {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    bool truth = input.num_elements() > 0;
    if (input.rank() == 0) {
      SLUICE_ASSIGN(truth, OfScalar(input));
    }
    ctx.SetOutput(0, Tensor::Scalar<bool>(truth));
    return absl::OkStatus();
  }

  static absl::StatusOr<bool> OfScalar(const Tensor& input) {
    if (input.dtype() == kString) return !input.scalar<std::string>().empty();
    bool truth = false;
    SLUICE_RETURN_IF_ERROR(
        VisitDType(Join<NumericTypes, TypeList<bool>>{}, input.dtype(), [&]<typename T>(Type<T>) {
          truth = input.scalar<T>() != T(0);
          return absl::OkStatus();
        }));
    return truth;
  }
};

// The value that one branch of a conditional returns for an output of the other. It is never read.
struct FakeParam {
  Shape shape;

  static absl::StatusOr<FakeParam> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const PartialShape partial, node.Get<PartialShape>("shape"));
    Shape::Dims dims;
    for (int i = 0; i < partial.rank(); ++i) dims.push_back(std::max<int64_t>(0, partial.dim(i)));
    SLUICE_ASSIGN(Shape shape, Shape::Create(dims));
    return FakeParam{std::move(shape)};
  }

  absl::Status Run(KernelContext& ctx) const { return ctx.AllocateOutput(0, shape).status(); }
};

// The reason why a call was not lowered; OK if there is none.
absl::Status Refusal(const NodeSpec& node) {
  const int64_t code = GetAttrOr<int64_t>(node.attrs, "_refused_code", 0);
  if (code <= 0 || code > static_cast<int64_t>(absl::StatusCode::kUnauthenticated))
    return absl::OkStatus();
  return absl::Status(static_cast<absl::StatusCode>(code),
                      GetAttrOr<std::string>(node.attrs, "_refused", ""));
}

// A function on a device that only the running graph knows. The first input names the device. With
// `_asks_task` it calls nothing: it returns the index, in `_tasks`, of the task that the target
// names.
struct RemoteCall {
  FunctionRef function;
  std::vector<std::string> tasks;  // of the session; empty: not known
  bool asks_task = false;
  DeviceName here;
  absl::Status refusal;

  static absl::StatusOr<RemoteCall> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(FunctionRef function, node.Get<FunctionRef>("f"));
    SLUICE_ASSIGN(DeviceName here, DeviceName::Parse(node.device));
    return RemoteCall{
        std::move(function), GetAttrOr<std::vector<std::string>>(node.attrs, "_tasks", {}),
        GetAttrOr<bool>(node.attrs, "_asks_task", false), std::move(here), Refusal(node)};
  }

  absl::StatusOr<DeviceName> Target(const KernelContext& ctx) const {
    const Tensor& target = ctx.input(0);
    if (target.rank() != 0) return InvalidArgument("the target must be a scalar");
    auto name = DeviceName::Parse(target.scalar<std::string>());
    if (!name.ok())
      return InvalidArgument("Could not parse ", target.scalar<std::string>(),
                             " into a device specification.");
    name->MergeOver(here);
    return name;
  }

  absl::StatusOr<int32_t> TaskOf(const DeviceName& target) const {
    const auto found = std::find(tasks.begin(), tasks.end(), target.task_name());
    if (found == tasks.end())
      return InvalidArgument("Could not find worker with target: ", target.ToString(),
                             " Available workers: ", absl::StrJoin(tasks, ", "));
    return static_cast<int32_t>(found - tasks.begin());
  }

  absl::StatusOr<std::shared_ptr<const Function>> Find(const KernelContext& ctx,
                                                       const DeviceName& target) const {
    FunctionCaller* functions = ctx.step().functions;
    if (functions == nullptr) return FailedPrecondition("the graph has no functions");
    SLUICE_ASSIGN(auto found, functions->Find(function, target.ToString()));
    if (found->result_types().size() == static_cast<size_t>(ctx.num_outputs())) return found;
    return InvalidArgument("function \"", function.name, "\" returns ",
                           found->result_types().size(), " values, but ", ctx.num_outputs(),
                           " are expected");
  }

  void Start(KernelContext& ctx, Done done) const {
    if (!refusal.ok()) return done(refusal);
    const auto target = Target(ctx);
    if (!target.ok()) return done(target.status());
    if (!tasks.empty()) {
      const auto task = TaskOf(*target);
      if (!task.ok()) return done(task.status());
      if (asks_task) {
        ctx.SetOutput(0, Tensor::Scalar<int32_t>(*task));
        return done(absl::OkStatus());
      }
    }
    auto found = Find(ctx, *target);
    if (!found.ok()) return done(found.status());
    Function::Call call;
    for (int i = 1; i < ctx.num_inputs(); ++i) call.args.push_back(ctx.input(i));
    call.step_id = ctx.step_id();
    call.cancel = &ctx.cancel();
    call.step_resources = &ctx.step_resources();
    call.collectives = ctx.step().collectives;
    auto end = [&ctx, done = std::move(done)](absl::StatusOr<std::vector<Tensor>> results) mutable {
      for (size_t i = 0; results.ok() && i < results->size(); ++i)
        ctx.SetOutput(static_cast<int>(i), std::move((*results)[i]));
      done(results.status());
    };
    (*found)->Start(std::move(call), std::move(end));
  }
};

// A call whose function was not lowered: running it reports the reason.
struct RefusedCall {
  absl::Status refusal;

  static absl::StatusOr<RefusedCall> Create(const NodeSpec& node) {
    return RefusedCall{Refusal(node)};
  }
  absl::Status Run(KernelContext&) const {
    return refusal.ok() ? FailedPrecondition("the graph has no functions") : refusal;
  }
};

}  // namespace

void RegisterCalls(KernelRegistry& kernels, absl::string_view device) {
  const bool host = device == kCpu;
  // The host reads the inputs that select the branch or the target.
  const auto reads = [&](std::initializer_list<const char*> args) {
    return host ? HostMemory() : HostMemory(args);
  };
  kernels.Add<ToBool>("ToBool", device, {}, reads({"input", "output"}), kCheap);
  kernels.Add<FakeParam>("FakeParam", device, {}, kCheap);
  // The arguments and results of a body are in host memory.
  kernels.Add<RemoteCall>("RemoteCall", device, {}, reads({"target", "args", "output"}));
  for (auto op : {"PartitionedCall", "StatefulPartitionedCall", "SymbolicGradient", "While",
                  "StatelessWhile"})
    kernels.Add<RefusedCall>(op, device, {}, kCheap);
  for (auto op : {"If", "StatelessIf"})
    kernels.Add<RefusedCall>(op, device, {}, reads({"cond"}), kCheap);
  for (auto op : {"Case", "StatelessCase"})
    kernels.Add<RefusedCall>(op, device, {}, reads({"branch_index"}), kCheap);
  kernels.Add<RefusedCall>("For", device, {}, reads({"start", "limit", "delta"}), kCheap);
}

}  // namespace sluice::kernels
