// SPDX-License-Identifier: Apache-2.0
// Reference variables: their memory, assignment, and updates in place. The updates serve resource
// variables too.
#include "core/runtime/device.h"
#include "kernels/any/state/register.h"
#include "kernels/common/resource_handle.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

struct Variable {
  DType dtype;
  PartialShape shape;
  ResourcePlace place;
  CachedResource<RefVariable> cached;

  static absl::StatusOr<std::unique_ptr<Variable>> Create(const NodeSpec& node) {
    auto variable = std::make_unique<Variable>();
    SLUICE_ASSIGN(variable->dtype, node.Get<DType>("dtype"));
    SLUICE_ASSIGN(variable->shape, node.Get<PartialShape>("shape"));
    SLUICE_ASSIGN(variable->place, ResourcePlace::Create(node, /*shared_by_node_name=*/true));
    return variable;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(RefPtr<RefVariable> variable, cached.Get([&] {
      return ctx.resources().LookupOrCreate<RefVariable>(
          place.container, place.name,
          [&]() -> absl::StatusOr<RefPtr<RefVariable>> { return New(place.node_name); });
    }));
    if (variable->dtype != dtype) {
      return Internal("Output 0 of type ", MakeRef(variable->dtype),
                      " does not match declared output type ", MakeRef(dtype));
    }
    ctx.SetOutputRef(0, std::move(variable));
    return absl::OkStatus();
  }

  RefPtr<RefVariable> New(const std::string& shown_name) const {
    auto made = MakeRefCounted<RefVariable>(dtype, shown_name);
    made->declared_shape = shape;
    return made;
  }
};

// A variable that lives until its DestroyTemporaryVariable in the same frame and iteration of a
// step.
struct TemporaryVariable {
  DType dtype;
  Shape shape;
  std::string name;
  const Primitives* on = nullptr;

  static constexpr absl::string_view kContainer = "temporary";
  static std::string NameIn(const KernelContext& ctx, absl::string_view name) {
    if (ctx.frame() == 0 && ctx.iteration() == 0) return std::string(name);
    return absl::StrCat(name, "/", ctx.frame(), ":", ctx.iteration());
  }
  static absl::StatusOr<TemporaryVariable> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("dtype"));
    SLUICE_ASSIGN(const PartialShape partial, node.Get<PartialShape>("shape"));
    SLUICE_ASSIGN(Shape shape, partial.ToShape());
    std::string name = GetAttrOr(node.attrs, "var_name", std::string());
    return TemporaryVariable{dtype, std::move(shape), name.empty() ? node.name : name};
  }

  absl::Status Run(KernelContext& ctx) const ABSL_NO_THREAD_SAFETY_ANALYSIS {
    SLUICE_ASSIGN(Tensor value, ctx.AllocateTemporary(dtype, shape));
    SLUICE_RETURN_IF_ERROR(on->Zero(ctx, dtype, value.raw(), value.num_elements()));
    auto made = MakeRefCounted<RefVariable>(dtype, name);
    SLUICE_RETURN_IF_ERROR(StoreRef(ctx, *on, *made, std::move(value)));
    SLUICE_ASSIGN(RefPtr<RefVariable> stored,
                  ctx.step_resources().LookupOrCreate<RefVariable>(
                      kContainer, NameIn(ctx, name),
                      [&]() -> absl::StatusOr<RefPtr<RefVariable>> { return made; }));
    if (stored != made)
      return AlreadyExists("temporary variable ", name, " exists already in this step");
    ctx.SetOutputRef(0, std::move(made));
    return absl::OkStatus();
  }
};

struct DestroyTemporaryVariable {
  std::string name;

  static absl::StatusOr<DestroyTemporaryVariable> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string name, node.Get<std::string>("var_name"));
    return DestroyTemporaryVariable{std::move(name)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(ctx.step_resources().Delete(TemporaryVariable::kContainer,
                                                       RefVariable::kTypeName,
                                                       TemporaryVariable::NameIn(ctx, name)));
    SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, 0, LockedVariable::kRead));
    ctx.SetOutput(0, variable.value());
    return absl::OkStatus();
  }
};

struct IsVariableInitialized {
  absl::Status Run(KernelContext& ctx) const {
    const RefVariable& variable = ctx.ref_input(0);
    absl::ReaderMutexLock lock(&variable.guard->mu);
    ctx.SetOutput(0, Tensor::Scalar<bool>(variable.value.valid()));
    return absl::OkStatus();
  }
};

struct Assign {
  bool validate_shape;
  const Primitives* on = nullptr;

  static absl::StatusOr<Assign> Create(const NodeSpec& node) {
    return Assign{GetAttrOr(node.attrs, "validate_shape", true)};
  }
  absl::Status Run(KernelContext& ctx) const {
    RefVariable& variable = ctx.ref_input(0);
    Tensor value = ctx.TakeInput(1);
    if (value.dtype() != variable.dtype) {
      return InvalidArgument("cannot assign ", value.dtype(), " to variable ", variable.name,
                             " of ", variable.dtype);
    }
    absl::MutexLock lock(&variable.guard->mu);
    if (validate_shape) {
      const PartialShape& wanted = variable.declared_shape;
      const bool fits = variable.value.valid() ? variable.value.shape() == value.shape()
                                               : wanted.CompatibleWith(value.shape());
      if (!fits) {
        const std::string lhs =
            variable.value.valid() ? variable.value.shape().ToString() : wanted.ToString();
        return InvalidArgument("Assign requires shapes of both tensors to match. lhs shape= ", lhs,
                               " rhs shape= ", value.shape());
      }
    }
    SLUICE_RETURN_IF_ERROR(StoreRef(ctx, *on, variable, std::move(value)));
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

// Passes a reference on; ops on resource variables have no output.
void ForwardReference(KernelContext& ctx) {
  if (ctx.num_outputs() > 0) ctx.ForwardSlot(0, 0);
}

absl::Status CheckDType(const Tensor& variable, const Tensor& value) {
  if (variable.dtype() == value.dtype()) return absl::OkStatus();
  return InvalidArgument("Trying to update variable with wrong dtype. Expected ", variable.dtype(),
                         " got ", value.dtype());
}

// variable op= value.
template <Combine how>
struct AssignUpdate {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, 0, LockedVariable::kWrite));
    const Tensor& value = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckDType(variable.value(), value));
    if (variable.value().shape() != value.shape()) {
      if (ctx.input_is_ref(0))
        return InvalidArgument("Parameters and update must be the same size");
      return InvalidArgument("Cannot update variable with shape ", variable.value().shape(),
                             " using a Tensor with shape ", value.shape(),
                             ", shapes must be equal.");
    }
    SLUICE_RETURN_IF_ERROR(variable.PrepareToWrite(ctx, *on));
    SLUICE_RETURN_IF_ERROR(on->Update(ctx, how, variable.value(), value));
    ForwardReference(ctx);
    return absl::OkStatus();
  }
};

// variable[indices] op= updates, by rows or (Nd) by slices.
template <Combine how, bool nd>
struct Scatter {
  bool ignore_bad;
  const Primitives* on = nullptr;

  static absl::StatusOr<Scatter> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool ignore, IgnoresBadIndices(node));
    return Scatter{ignore};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, 0, LockedVariable::kWrite));
    const Tensor& indices = ctx.input(1);
    const Tensor& updates = ctx.input(2);
    SLUICE_RETURN_IF_ERROR(CheckDType(variable.value(), updates));
    Shape shape = variable.value().shape();
    if (!nd && !ctx.input_is_ref(0)) {
      // As in TensorFlow: without rows only the rank is checked, and a scalar is a row for scalar
      // updates.
      const bool fits = updates.rank() == 0 || updates.rank() == indices.rank() + shape.rank() - 1;
      if (indices.num_elements() == 0 && fits) return absl::OkStatus();
      if (shape.rank() == 0 && updates.rank() == 0) shape = Shape{1};
    }
    SLUICE_RETURN_IF_ERROR(Write(ctx, shape, variable, indices, updates));
    ForwardReference(ctx);
    return absl::OkStatus();
  }

 private:
  absl::Status Write(KernelContext& ctx, const Shape& shape, LockedVariable& variable,
                     const Tensor& indices, const Tensor& updates) const {
    if constexpr (nd) {
      if (shape.rank() < 1)
        return InvalidArgument("Output must be at least 1-D, got shape: ", shape);
      SLUICE_RETURN_IF_ERROR(CheckSlices(shape, indices.shape(), updates.shape()));
      SLUICE_RETURN_IF_ERROR(variable.PrepareToWrite(ctx, *on));
      return on->UpdateSlices(ctx, how, variable.value(), indices, updates, ignore_bad);
    } else {
      SLUICE_ASSIGN(const RowSizes rows, CheckRows(shape, indices.shape(), updates.shape()));
      SLUICE_RETURN_IF_ERROR(variable.PrepareToWrite(ctx, *on));
      return on->UpdateRows(ctx, how, variable.value(), rows, indices, updates);
    }
  }
};

struct CountUpTo {
  int64_t limit;

  static absl::StatusOr<CountUpTo> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t limit, node.Get<int64_t>("limit"));
    return CountUpTo{limit};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, 0, LockedVariable::kWrite));
    if (variable.value().rank() != 0)
      return InvalidArgument("input is not a scalar: ", variable.value().shape());
    if (variable.value().dtype() != ctx.output_type(0)) {
      return InvalidArgument("cannot count as ", ctx.output_type(0), " in a variable of ",
                             variable.value().dtype());
    }
    return VisitDType(IndexTypes{}, variable.value().dtype(), [&]<typename T>(Type<T>) {
      const T before = variable.value().scalar<T>();
      if (before >= limit) return OutOfRange("Reached limit of ", limit);
      SLUICE_RETURN_IF_ERROR(variable.PrepareToWrite(ctx, CpuPrimitives()));
      *variable.value().mutable_data<T>() = before + 1;
      ctx.SetOutput(0, Tensor::Scalar<T>(before));
      return absl::OkStatus();
    });
  }
};

template <Combine how>
void RegisterScatterRows(KernelRegistry& kernels, const Primitives& on, const std::string& suffix,
                         DTypeSet types) {
  types = TypesButInt32On(on, types);
  AddOn<Scatter<how, false>>(kernels, on, "Scatter" + suffix, {{"T", types}, {"Tindices", kIndex}});
  AddOn<Scatter<how, false>>(kernels, on, "ResourceScatter" + suffix,
                             {{"dtype", types}, {"Tindices", kIndex}}, HostMemory{"resource"});
}

template <Combine how>
void RegisterScatterNd(KernelRegistry& kernels, const Primitives& on, const std::string& suffix,
                       DTypeSet types) {
  types = TypesButInt32On(on, types);
  AddOn<Scatter<how, true>>(kernels, on, "ScatterNd" + suffix,
                            {{"T", types}, {"Tindices", kIndex}});
  AddOn<Scatter<how, true>>(kernels, on, "ResourceScatterNd" + suffix,
                            {{"T", types}, {"Tindices", kIndex}}, HostMemory{"ref"});
}

void RegisterScatters(KernelRegistry& kernels, const Primitives& on) {
  // A GPU exchanges no 8 or 16 bytes at once that are two numbers.
  const DTypeSet factors = on.device_type() == kCpu ? kNumeric : kReal;
  RegisterScatterRows<Combine::kReplace>(kernels, on, "Update", kAnyType);
  RegisterScatterRows<Combine::kAdd>(kernels, on, "Add", kNumeric);
  RegisterScatterRows<Combine::kSub>(kernels, on, "Sub", kNumeric);
  RegisterScatterRows<Combine::kMul>(kernels, on, "Mul", factors);
  RegisterScatterRows<Combine::kDiv>(kernels, on, "Div", factors);
  RegisterScatterRows<Combine::kMin>(kernels, on, "Min", kReal);
  RegisterScatterRows<Combine::kMax>(kernels, on, "Max", kReal);
  RegisterScatterNd<Combine::kReplace>(kernels, on, "Update", kAnyType);
  RegisterScatterNd<Combine::kAdd>(kernels, on, "Add", kNumeric);
  RegisterScatterNd<Combine::kSub>(kernels, on, "Sub", kNumeric);
  if (on.device_type() != kCpu) return;
  RegisterScatterNd<Combine::kMin>(kernels, on, "Min", kReal);
  RegisterScatterNd<Combine::kMax>(kernels, on, "Max", kReal);
}

}  // namespace

void RegisterState(KernelRegistry& kernels, const Primitives& on) {
  for (auto op : {"VariableV2", "Variable"})
    AddOn<Variable>(kernels, on, op, AnyButInt32On(on, "dtype"), {}, kCheap);
  AddOn<TemporaryVariable>(kernels, on, "TemporaryVariable", AnyButInt32On(on, "dtype"));
  AddOn<DestroyTemporaryVariable>(kernels, on, "DestroyTemporaryVariable", AnyButInt32On(on, "T"),
                                  {}, kCheap);
  AddOn<IsVariableInitialized>(kernels, on, "IsVariableInitialized", {},
                               HostMemory{"is_initialized"}, kCheap);
  AddOn<Assign>(kernels, on, "Assign", AnyButInt32On(on, "T"));
  const DTypeSet numeric = TypesButInt32On(on, kNumeric);
  AddOn<AssignUpdate<Combine::kAdd>>(kernels, on, "AssignAdd", {{"T", numeric}});
  AddOn<AssignUpdate<Combine::kSub>>(kernels, on, "AssignSub", {{"T", numeric}});
  AddOn<AssignUpdate<Combine::kAdd>>(kernels, on, "AssignAddVariableOp", {{"dtype", numeric}},
                                     HostMemory{"resource"});
  AddOn<AssignUpdate<Combine::kSub>>(kernels, on, "AssignSubVariableOp", {{"dtype", numeric}},
                                     HostMemory{"resource"});
  RegisterScatters(kernels, on);
  if (on.device_type() != kCpu) return;  // the host reads a counter
  kernels.Add<CountUpTo>("CountUpTo", kCpu, {{"T", kIndex}});
  kernels.Add<CountUpTo>("ResourceCountUpTo", kCpu, {{"T", kIndex}});
}

}  // namespace sluice::kernels
