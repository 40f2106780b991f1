// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/kernel_runner.h"

#include <cmath>
#include <utility>

#include "absl/synchronization/notification.h"
#include "core/tensor/variant.h"
#include "graph/all_ops.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

// The attributes of `op` that follow from the inputs: types and lengths.
void InferAttrs(const OpDef& op, const std::vector<DType>& inputs, AttrMap& attrs) {
  size_t at = 0;
  for (const ArgDef& arg : op.inputs) {
    size_t count = 1;
    if (!arg.type_list_attr.empty() || !arg.number_attr.empty()) {
      // The only list gets the inputs that other arguments leave. If there are several lists, the
      // attributes must give their lengths.
      count = inputs.size() -
              std::min(inputs.size(), at + (op.inputs.size() - 1 - (&arg - op.inputs.data())));
      if (!arg.number_attr.empty()) {
        if (auto n = GetAttr<int64_t>(attrs, arg.number_attr); n.ok())
          count = static_cast<size_t>(*n);
        else
          attrs[arg.number_attr] = static_cast<int64_t>(count);
      } else if (auto types = GetAttr<std::vector<DType>>(attrs, arg.type_list_attr); types.ok()) {
        count = types->size();
      }
    }
    if (at + count > inputs.size()) return;
    if (!arg.type_list_attr.empty() && !attrs.contains(arg.type_list_attr)) {
      std::vector<DType> types;
      for (size_t i = 0; i < count; ++i) types.push_back(RemoveRef(inputs[at + i]));
      attrs[arg.type_list_attr] = types;
    } else if (!arg.type_attr.empty() && count > 0 && !attrs.contains(arg.type_attr)) {
      attrs[arg.type_attr] = RemoveRef(inputs[at]);
    }
    at += count;
  }
}

std::vector<DType> TypesOf(const std::vector<Slot>& slots) {
  std::vector<DType> types;
  for (const Slot& slot : slots) {
    types.push_back(slot.state == Slot::State::kRef ? MakeRef(slot.ref->dtype)
                                                    : slot.value.dtype());
  }
  return types;
}

// A reference at a value input is read, as the executor does.
absl::Status LoadReferences(const NodeSpec& node, std::vector<Slot>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Slot& slot = inputs[i];
    if (slot.state != Slot::State::kRef || IsRef(node.input_types[i])) continue;
    const RefPtr<RefVariable> variable = slot.ref;
    absl::ReaderMutexLock lock(&variable->guard->mu);
    if (!variable->value.valid())
      return FailedPrecondition("Attempting to use uninitialized value ", variable->name);
    slot = ValueSlot(variable->value);
  }
  return absl::OkStatus();
}

template <typename T>
bool SameElement(const T& a, const T& b, double tolerance) {
  if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>) {
    return SameElement(a.real(), b.real(), tolerance) && SameElement(a.imag(), b.imag(), tolerance);
  } else if constexpr (std::is_floating_point_v<T> || kIsNarrowFloat<T>) {
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return x == y || std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y));
  } else {
    return a == b;
  }
}

}  // namespace

const OpRegistry& AllOps() { return graph::AllOps(); }

Slot ValueSlot(Tensor value) {
  Slot slot;
  slot.state = Slot::State::kValue;
  slot.value = std::move(value);
  return slot;
}

Slot RefSlot(RefPtr<RefVariable> ref) {
  Slot slot;
  slot.state = Slot::State::kRef;
  slot.ref = std::move(ref);
  return slot;
}

Slot DeadSlot() {
  Slot slot;
  slot.state = Slot::State::kDead;
  return slot;
}

KernelRunner::KernelRunner()
    : pool_(CreateThreadPool(2, "kernels")),
      device_(CreateCpuDevice("/job:localhost/replica:0/task:0/device:CPU:0", pool_.get())) {
  step_.step_id = 1;
  step_.device = device_.get();
  step_.pool = pool_.get();
  step_.resources = &device_->resources();
  step_.step_resources = &step_resources_;
  step_.cancel = &cancel_;
}

KernelRunner::~KernelRunner() = default;

void KernelRunner::EndStep() {
  step_resources_.ClearAll();
  ++step_.step_id;
}

absl::StatusOr<TestNode> KernelRunner::Make(absl::string_view op, AttrMap attrs,
                                            const std::vector<DType>& input_types,
                                            std::string name) {
  TestNode node;
  NodeSpec& spec = node.spec;
  spec.name = std::move(name);
  spec.op = std::string(op);
  spec.device = device_->name();
  spec.op_def = AllOps().Find(op);
  if (spec.op_def == nullptr) return NotFound("no op ", op);
  InferAttrs(*spec.op_def, input_types, attrs);
  SLUICE_RETURN_IF_ERROR(CheckAndCompleteAttrs(*spec.op_def, attrs));
  spec.attrs = std::move(attrs);
  ArgTypes inputs, outputs;
  SLUICE_RETURN_IF_ERROR(ResolveArgs(*spec.op_def, spec.attrs, &inputs, &outputs));
  spec.input_types = std::move(inputs.types);
  spec.output_types = std::move(outputs.types);
  if (input_types.size() != spec.input_types.size()) {
    return InvalidArgument(op, " takes ", spec.input_types.size(), " inputs, got ",
                           input_types.size());
  }
  for (size_t i = 0; i < input_types.size(); ++i) {
    if (input_types[i] != kInvalid && RemoveRef(input_types[i]) != RemoveRef(spec.input_types[i])) {
      return InvalidArgument("input ", i, " of ", op, " is ", spec.input_types[i], ", got ",
                             input_types[i]);
    }
    spec.inputs.push_back(absl::StrCat("input", i));
  }
  SLUICE_ASSIGN(node.kernel, AllKernels()->Make(spec, device_->type()));
  return node;
}

absl::StatusOr<std::vector<Slot>> KernelRunner::RunSlots(const TestNode& node,
                                                         std::vector<Slot> inputs) {
  SLUICE_RETURN_IF_ERROR(LoadReferences(node.spec, inputs));
  std::vector<Slot> outputs(node.spec.output_types.size());
  KernelContext ctx(step_, absl::MakeSpan(inputs), absl::MakeSpan(outputs),
                    node.spec.output_types.data(), frame, iteration);
  const bool all_dead = std::all_of(inputs.begin(), inputs.end(), [](const Slot& slot) {
    return slot.state == Slot::State::kDead;
  });
  ctx.set_dead(!inputs.empty() && all_dead);
  absl::Status status;
  if (node.kernel->asynchronous()) {
    absl::Notification finished;
    node.kernel->Start(ctx, [&](absl::Status s) {
      status = std::move(s);
      finished.Notify();
    });
    finished.WaitForNotification();
  } else {
    status = device_->Run(*node.kernel, ctx);
  }
  if (!status.ok()) return status;
  return outputs;
}

absl::StatusOr<std::vector<Slot>> KernelRunner::RunSlots(absl::string_view op, AttrMap attrs,
                                                         std::vector<Slot> inputs) {
  SLUICE_ASSIGN(const TestNode node, Make(op, std::move(attrs), TypesOf(inputs)));
  return RunSlots(node, std::move(inputs));
}

absl::StatusOr<std::vector<Tensor>> KernelRunner::Run(const TestNode& node,
                                                      std::vector<Tensor> inputs) {
  std::vector<Slot> slots;
  for (Tensor& input : inputs) slots.push_back(ValueSlot(std::move(input)));
  SLUICE_ASSIGN(std::vector<Slot> outputs, RunSlots(node, std::move(slots)));
  std::vector<Tensor> values;
  for (size_t i = 0; i < outputs.size(); ++i) {
    values.push_back(std::move(outputs[i].value));
    if (values.back().valid() && values.back().dtype() != node.spec.output_types[i]) {
      return Internal("output ", static_cast<int>(i), " of ", node.spec.op, " is ",
                      values.back().dtype(), ", declared ", node.spec.output_types[i]);
    }
  }
  return values;
}

absl::StatusOr<std::vector<Tensor>> KernelRunner::Run(absl::string_view op, AttrMap attrs,
                                                      std::vector<Tensor> inputs) {
  std::vector<DType> types;
  for (const Tensor& input : inputs) types.push_back(input.dtype());
  SLUICE_ASSIGN(const TestNode node, Make(op, std::move(attrs), types));
  return Run(node, std::move(inputs));
}

absl::StatusOr<std::vector<Tensor>> RunOp(absl::string_view op, AttrMap attrs,
                                          std::vector<Tensor> inputs) {
  KernelRunner runner;
  return runner.Run(op, std::move(attrs), std::move(inputs));
}

absl::Status SameTensor(const Tensor& a, const Tensor& b, double tolerance) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) {
    return Internal(a.dtype(), " ", a.shape(), " is not ", b.dtype(), " ", b.shape());
  }
  using Compared =
      Join<NumericTypes, TypeList<bool, std::string, Qint8, Quint8, Qint16, Quint16, Qint32>>;
  return VisitDType(Compared{}, a.dtype(), [&]<typename T>(Type<T>) {
    for (int64_t i = 0; i < a.num_elements(); ++i) {
      if (SameElement(a.flat<T>()[i], b.flat<T>()[i], tolerance)) continue;
      return Internal("element ", i, " differs: ", a.ToString(32), " is not ", b.ToString(32));
    }
    return absl::OkStatus();
  });
}

}  // namespace sluice::kernels
