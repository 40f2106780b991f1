// SPDX-License-Identifier: Apache-2.0
// Stacks keep the values that a loop's gradient reads, last in, first out.
#include <atomic>

#include "core/runtime/device.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/common/resource_handle.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

// Owner:    the step's resources and the handles.
// Threads:  any; one mutex.
class Stack : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "Stack";
  static constexpr absl::string_view kContainer = "stacks";
  Stack(std::string name, std::string device_type, DType dtype, int64_t max_size)
      : name_(std::move(name)),
        device_type_(std::move(device_type)),
        dtype_(dtype),
        max_size_(max_size) {}

  std::string ToString() const override { return "Stack[" + name_ + "]"; }
  absl::string_view type_name() const override { return kTypeName; }

  const std::string& device_type() const { return device_type_; }

  absl::Status Push(Tensor value) {
    if (value.dtype() != dtype_)
      return InvalidArgument("Must have type ", dtype_, " but got ", value.dtype());
    absl::MutexLock lock(&mu_);
    SLUICE_RETURN_IF_ERROR(CheckOpen());
    if (max_size_ >= 0 && static_cast<int64_t>(values_.size()) >= max_size_) {
      return InvalidArgument(*this, " overflowed its max_size (", max_size_, ")");
    }
    values_.push_back(std::move(value));
    return absl::OkStatus();
  }
  absl::StatusOr<Tensor> Pop() {
    absl::MutexLock lock(&mu_);
    SLUICE_RETURN_IF_ERROR(CheckOpen());
    if (values_.empty()) return InvalidArgument(*this, " is empty when calling Pop().");
    Tensor value = std::move(values_.back());
    values_.pop_back();
    return value;
  }
  void Close() {
    std::vector<Tensor> freed;  // destroyed without the lock
    absl::MutexLock lock(&mu_);
    closed_ = true;
    freed.swap(values_);
  }

 private:
  absl::Status CheckOpen() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return closed_ ? InvalidArgument(*this, " has already been closed.") : absl::OkStatus();
  }

  const std::string name_;
  const std::string device_type_;
  const DType dtype_;
  const int64_t max_size_;  // negative: no limit
  absl::Mutex mu_;
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<Tensor> values_ ABSL_GUARDED_BY(mu_);
};

absl::StatusOr<RefPtr<Stack>> StackOf(KernelContext& ctx) {
  SLUICE_ASSIGN(RefPtr<Stack> stack, ResourceIn<Stack>(ctx.step_resources(), ctx, 0));
  if (stack->device_type() == ctx.device().type()) return stack;
  return InvalidArgument("Trying to access ", *stack, " of a ", stack->device_type(),
                         " from device ", ctx.device().name());
}

struct NewStack {
  DType dtype;
  std::string name;

  static absl::StatusOr<NewStack> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("elem_type"));
    std::string name = GetAttrOr(node.attrs, "stack_name", std::string());
    return NewStack{dtype, name.empty() ? node.name : name};
  }
  absl::Status Run(KernelContext& ctx) const {
    static std::atomic<int64_t> count{0};
    SLUICE_ASSIGN(const int64_t limit, MaxSize(ctx));
    ResourceHandle handle;
    handle.name = absl::StrCat(name, "_", count.fetch_add(1));
    handle.container = std::string(Stack::kContainer);
    handle.device = ctx.device().name();
    handle.type_name = std::string(Stack::kTypeName);
    SLUICE_ASSIGN(handle.object,
                  ctx.step_resources().LookupOrCreate<Stack>(
                      handle.container, handle.name, [&]() -> absl::StatusOr<RefPtr<Stack>> {
                        return MakeRefCounted<Stack>(handle.name, ctx.device().type(), dtype,
                                                     limit);
                      }));
    if (ctx.output_type(0) == kString) {
      ctx.SetOutputRef(0, RefHandle(handle.container, handle.name, handle.object));
    } else {
      ctx.SetOutput(0, Tensor::Scalar<ResourceHandle>(std::move(handle)));
    }
    return absl::OkStatus();
  }
  // The V1 op has no limit.
  static absl::StatusOr<int64_t> MaxSize(const KernelContext& ctx) {
    if (ctx.num_inputs() == 0) return -1;
    const Tensor& max_size = ctx.input(0);
    if (max_size.rank() == 0) return IntScalar(max_size);
    return InvalidArgument("Stack size must be a scalar, but had shape: ", max_size.shape());
  }
};

struct Push {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Stack> stack, StackOf(ctx));
    Tensor value = ctx.input(1);
    if (value.buffer() && value.buffer()->guard()) {  // a variable's memory will change
      SLUICE_ASSIGN(value, CopyHere(ctx, *on, value));
    }
    SLUICE_RETURN_IF_ERROR(stack->Push(std::move(value)));
    ctx.ForwardSlot(1, 0);
    return absl::OkStatus();
  }
};

struct Pop {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Stack> stack, StackOf(ctx));
    SLUICE_ASSIGN(Tensor value, stack->Pop());
    if (value.dtype() != ctx.output_type(0)) {
      return InvalidArgument(*stack, " holds ", value.dtype(), ", ", ctx.output_type(0),
                             " was asked for");
    }
    ctx.SetOutput(0, std::move(value));
    return absl::OkStatus();
  }
};

struct Close {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Stack> stack, StackOf(ctx));
    stack->Close();
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterStacks(KernelRegistry& kernels, const Primitives& on) {
  const auto typed = [&](const char* attr) { return AnyButInt32On(on, attr); };
  for (const std::string v : {"", "V2"}) {
    AddOn<NewStack>(kernels, on, "Stack" + v, {},
                    v.empty() ? HostMemory{"handle"} : HostMemory{"handle", "max_size"}, kCheap);
    AddOn<Push>(kernels, on, "StackPush" + v, typed("T"), HostMemory{"handle"}, kCheap);
    AddOn<Pop>(kernels, on, "StackPop" + v, typed("elem_type"), HostMemory{"handle"}, kCheap);
    AddOn<Close>(kernels, on, "StackClose" + v, {}, HostMemory{"handle"}, kCheap);
    AddOnHost<Push>(kernels, on, "StackPush" + v, {{"T", kInt32}},
                    HostMemory{"handle", "elem", "output"}, kCheap);
    AddOnHost<Pop>(kernels, on, "StackPop" + v, {{"elem_type", kInt32}},
                   HostMemory{"handle", "elem"}, kCheap);
  }
}

}  // namespace sluice::kernels
