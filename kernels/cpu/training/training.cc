// SPDX-License-Identifier: Apache-2.0
// The ops that apply a gradient to variables: dense and sparse, to references and to resources.
#include "kernels/cpu/training/training.h"

#include <algorithm>
#include <array>

#include "absl/strings/match.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/training/register.h"

namespace sluice::kernels {
namespace {

using Scalars = std::array<double, kMaxTrainingScalars>;

// The common part of dense and sparse updates: the positions of the inputs.
struct Update {
  const Optimizer* optimizer;
  OptimizerOptions options;
  DType dtype;
  Optimizer::Span span;
  absl::InlinedVector<int, kMaxTrainingScalars> scalars;  // inputs, in the optimizer's order
  int gradient;                                           // input
  bool reference;                                         // if false, resources

  static absl::StatusOr<int> Input(const NodeSpec& node, absl::string_view name) {
    SLUICE_ASSIGN(const NodeSpec::Range range, node.InputRange(name));
    return range.begin;
  }

  static absl::StatusOr<Update> Create(const NodeSpec& node, bool sparse) {
    Update made;
    made.optimizer = FindOptimizer(node.op);
    if (made.optimizer == nullptr) return Unimplemented("unknown optimizer");
    SLUICE_ASSIGN(made.dtype, node.Get<DType>("T"));
    made.span = made.optimizer->For(made.dtype);
    if (made.span == nullptr) return Unimplemented("no kernel code for dtype ", made.dtype);
    for (absl::string_view name : made.optimizer->scalars) {
      SLUICE_ASSIGN(const int input, Input(node, name));
      made.scalars.push_back(input);
    }
    SLUICE_ASSIGN(made.gradient, Input(node, sparse ? "grad" : made.optimizer->gradient));
    made.reference = !absl::StartsWith(node.op, "Resource");
    made.options.use_nesterov = GetAttrOr(node.attrs, "use_nesterov", false);
    made.options.update_slots = GetAttrOr(node.attrs, "update_slots", true);
    made.options.multiply_linear_by_lr = GetAttrOr(node.attrs, "multiply_linear_by_lr", false);
    made.options.sparse = sparse;
    return made;
  }

  absl::StatusOr<Scalars> ReadScalars(KernelContext& ctx) const {
    Scalars values{};
    for (size_t i = 0; i < scalars.size(); ++i) {
      const Tensor& input = ctx.input(scalars[i]);
      if (input.rank() != 0) {
        return InvalidArgument(optimizer->scalars[i], " is not a scalar: ", input.shape());
      }
      using Types = Join<FloatingTypes, TypeList<int64_t>>;
      SLUICE_RETURN_IF_ERROR(VisitDType(Types{}, input.dtype(), [&]<typename T>(Type<T>) {
        values[i] = static_cast<double>(input.scalar<T>());
        return absl::OkStatus();
      }));
    }
    if (optimizer->check != nullptr) {
      SLUICE_RETURN_IF_ERROR(optimizer->check(options, values.data()));
    }
    return values;
  }

  // Applies `count` elements of the gradient from `from` to the variables' elements from `to`.
  void Apply(const Scalars& values, const LockedVariables& variables, const Tensor& grad,
             int64_t from, int64_t to, int64_t count) const {
    const size_t width = SizeOf(dtype);
    std::array<void*, kMaxTrainingVariables> at{};
    for (size_t i = 0; i < optimizer->variables.size(); ++i) {
      at[i] = static_cast<char*>(variables.data(static_cast<int>(i))) + to * width;
    }
    span(options, values.data(), count, at.data(),
         static_cast<const char*>(grad.raw()) + from * width);
  }

  double ElementCost() const { return SizeOf(dtype) == 2 ? 6 : 1.5; }  // ns
};

struct DenseUpdate {
  Update update;

  static absl::StatusOr<DenseUpdate> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Update made, Update::Create(node, false));
    return DenseUpdate{std::move(made)};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Scalars scalars, update.ReadScalars(ctx));
    const Tensor& grad = ctx.input(update.gradient);
    LockedVariables variables;
    SLUICE_RETURN_IF_ERROR(variables.Lock(ctx, update.optimizer->variables, update.dtype));
    if (!(grad.shape() == variables.shape())) {
      return InvalidArgument("var and ", update.optimizer->gradient, " do not have the same shape",
                             variables.shape(), " ", grad.shape());
    }
    SLUICE_RETURN_IF_ERROR(variables.PrepareToWrite());
    ParallelFor(ctx.pool(), grad.num_elements(), update.ElementCost(),
                [&](int64_t begin, int64_t end) {
                  update.Apply(scalars, variables, grad, begin, begin, end - begin);
                });
    if (update.reference) ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

struct SparseUpdate {
  Update update;
  int indices;  // input

  static absl::StatusOr<SparseUpdate> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Update made, Update::Create(node, true));
    SLUICE_ASSIGN(const int indices, Update::Input(node, "indices"));
    return SparseUpdate{std::move(made), indices};
  }

  static absl::Status CheckShapes(const Shape& var, const Shape& grad, const Shape& indices) {
    if (var.rank() < 1) return InvalidArgument("var must be at least 1 dimensional");
    if (indices.rank() != 1) return InvalidArgument("indices must be one-dimensional");
    for (int d = 1; d < std::max(var.rank(), grad.rank()); ++d) {
      if (d >= grad.rank() || d >= var.rank() || var.dim(d) != grad.dim(d)) {
        return InvalidArgument("var and grad must match in dimension ", d, ": ", var, " ", grad);
      }
    }
    if (grad.rank() < 1 || grad.dim(0) != indices.dim(0)) {
      return InvalidArgument("grad must be the same size as indices in the first dimension: ", grad,
                             " ", indices);
    }
    return absl::OkStatus();
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Scalars scalars, update.ReadScalars(ctx));
    const Tensor& grad = ctx.input(update.gradient);
    LockedVariables variables;
    SLUICE_RETURN_IF_ERROR(variables.Lock(ctx, update.optimizer->variables, update.dtype));
    SLUICE_RETURN_IF_ERROR(
        CheckShapes(variables.shape(), grad.shape(), ctx.input(indices).shape()));
    SLUICE_ASSIGN(const Shape::Dims rows, IntVector(ctx.input(indices)));
    const int64_t count = variables.shape().dim(0);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] >= 0 && rows[i] < count) continue;
      return InvalidArgument("Index ", rows[i], " at offset ", i,
                             " in indices is out of range [0, ", count, ")");
    }
    if (grad.num_elements() > 0) {
      SLUICE_RETURN_IF_ERROR(variables.PrepareToWrite());
      ApplyRows(ctx.pool(), scalars, variables, grad, rows);
    }
    if (update.reference) ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }

  // Repeated rows are applied one by one in order: each row belongs to one of the shards.
  void ApplyRows(WorkQueue* pool, const Scalars& scalars, const LockedVariables& variables,
                 const Tensor& grad, absl::Span<const int64_t> rows) const {
    const int64_t width = grad.num_elements() / static_cast<int64_t>(rows.size());
    const double cost = (20 + update.ElementCost() * width) * static_cast<double>(rows.size());
    constexpr double kShardNs = 20000;
    const int64_t threads = pool == nullptr ? 1 : pool->num_threads();
    const int64_t shards = std::clamp<int64_t>(static_cast<int64_t>(cost / kShardNs), 1, threads);
    ParallelFor(pool, shards, cost / static_cast<double>(shards), [&](int64_t begin, int64_t end) {
      for (size_t i = 0; i < rows.size(); ++i) {
        const int64_t shard = rows[i] % shards;
        if (shard < begin || shard >= end) continue;
        update.Apply(scalars, variables, grad, static_cast<int64_t>(i) * width, rows[i] * width,
                     width);
      }
    });
  }
};

}  // namespace

void RegisterTraining(KernelRegistry& kernels) {
  for (const Optimizer& optimizer : Optimizers()) {
    const std::vector<TypeConstraint> dense{{"T", kFloating}};
    const std::vector<TypeConstraint> sparse{{"T", kFloating}, {"Tindices", kIndex}};
    const auto name = [&](absl::string_view prefix) { return Cat(prefix, optimizer.name); };
    kernels.Add<DenseUpdate>(name("ResourceApply"), kCpu, dense);
    if (optimizer.has_reference) kernels.Add<DenseUpdate>(name("Apply"), kCpu, dense);
    if (!optimizer.has_sparse) continue;
    kernels.Add<SparseUpdate>(name("ResourceSparseApply"), kCpu, sparse);
    if (optimizer.has_reference) kernels.Add<SparseUpdate>(name("SparseApply"), kCpu, sparse);
  }
}

}  // namespace sluice::kernels
