// SPDX-License-Identifier: Apache-2.0
// The ops that apply a gradient to variables: dense and sparse, to references and to resources.
#include <algorithm>
#include <array>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/training/training_plan.h"
#include "kernels/common/training/training_variables.h"
#include "kernels/cpu/training/register.h"
#include "kernels/cpu/training/training_span.h"

namespace sluice::kernels {
namespace {

using Scalars = std::array<double, kMaxTrainingScalars>;

// The common part of dense and sparse updates.
struct Update {
  TrainingPlan plan;
  TrainingSpan span;

  static absl::StatusOr<Update> Create(const NodeSpec& node, bool sparse) {
    SLUICE_ASSIGN(TrainingPlan plan, TrainingPlan::Of(node, sparse));
    const TrainingSpan span = TrainingSpanOf(plan.optimizer->rule, plan.dtype);
    if (span == nullptr) return Unimplemented("no kernel code for dtype ", plan.dtype);
    return Update{std::move(plan), span};
  }

  absl::StatusOr<Scalars> ReadScalars(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(plan.CheckScalars(ctx));
    Scalars values{};
    for (size_t i = 0; i < plan.scalars.size(); ++i) {
      const Tensor& input = ctx.input(plan.scalars[i]);
      using Types = Join<FloatingTypes, TypeList<int64_t>>;
      SLUICE_RETURN_IF_ERROR(VisitDType(Types{}, input.dtype(), [&]<typename T>(Type<T>) {
        values[i] = static_cast<double>(input.scalar<T>());
        return absl::OkStatus();
      }));
    }
    if (plan.optimizer->check != nullptr) {
      SLUICE_RETURN_IF_ERROR(plan.optimizer->check(plan.options, values.data()));
    }
    return values;
  }

  // Applies `count` elements of the gradient from `from` to the variables' elements from `to`.
  void Apply(const Scalars& values, const LockedVariables& variables, const Tensor& grad,
             int64_t from, int64_t to, int64_t count) const {
    const size_t width = SizeOf(plan.dtype);
    std::array<void*, kMaxTrainingVariables> at{};
    for (size_t i = 0; i < plan.optimizer->variables.size(); ++i) {
      at[i] = static_cast<char*>(variables.data(static_cast<int>(i))) + to * width;
    }
    span(plan.options, values.data(), count, at.data(),
         static_cast<const char*>(grad.raw()) + from * width);
  }

  double ElementCost() const { return SizeOf(plan.dtype) == 2 ? 6 : 1.5; }  // ns
};

struct DenseUpdate {
  Update update;

  static absl::StatusOr<DenseUpdate> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Update made, Update::Create(node, false));
    return DenseUpdate{std::move(made)};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Scalars scalars, update.ReadScalars(ctx));
    const Tensor& grad = ctx.input(update.plan.gradient);
    LockedVariables variables;
    SLUICE_RETURN_IF_ERROR(
        variables.Lock(ctx, update.plan.optimizer->variables, update.plan.dtype));
    SLUICE_RETURN_IF_ERROR(update.plan.CheckDense(variables.shape(), grad.shape()));
    SLUICE_RETURN_IF_ERROR(variables.PrepareToWrite(ctx));
    ParallelFor(ctx.pool(), grad.num_elements(), update.ElementCost(),
                [&](int64_t begin, int64_t end) {
                  update.Apply(scalars, variables, grad, begin, begin, end - begin);
                });
    if (update.plan.reference) ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

struct SparseUpdate {
  Update update;

  static absl::StatusOr<SparseUpdate> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Update made, Update::Create(node, true));
    return SparseUpdate{std::move(made)};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Scalars scalars, update.ReadScalars(ctx));
    const Tensor& grad = ctx.input(update.plan.gradient);
    LockedVariables variables;
    SLUICE_RETURN_IF_ERROR(
        variables.Lock(ctx, update.plan.optimizer->variables, update.plan.dtype));
    const Tensor& indices = ctx.input(update.plan.indices);
    SLUICE_RETURN_IF_ERROR(CheckTrainingRows(variables.shape(), grad.shape(), indices.shape()));
    SLUICE_ASSIGN(const Shape::Dims rows, IntVector(indices));
    const int64_t count = variables.shape().dim(0);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] >= 0 && rows[i] < count) continue;
      return InvalidArgument("Index ", rows[i], " at offset ", i,
                             " in indices is out of range [0, ", count, ")");
    }
    if (grad.num_elements() > 0) {
      SLUICE_RETURN_IF_ERROR(variables.PrepareToWrite(ctx));
      ApplyRows(ctx.pool(), scalars, variables, grad, rows);
    }
    if (update.plan.reference) ctx.ForwardSlot(0, 0);
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
  const std::vector<TypeConstraint> dense{{"T", kFloating}};
  const std::vector<TypeConstraint> sparse{{"T", kFloating}, {"Tindices", kIndex}};
  for (const Optimizer& optimizer : Optimizers()) {
    ForEachTrainingOp(
        optimizer, [&](absl::string_view op) { kernels.Add<DenseUpdate>(op, kCpu, dense); },
        [&](absl::string_view op) { kernels.Add<SparseUpdate>(op, kCpu, sparse); });
  }
}

}  // namespace sluice::kernels
