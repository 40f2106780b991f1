// SPDX-License-Identifier: Apache-2.0
// Sums, maxima and products of sparse tensors with each other and with dense ones.
#include <algorithm>
#include <limits>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/tensor/wrapping.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/broadcast.h"
#include "kernels/common/elementwise.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {
namespace {

// One row of the union of two lists of rows: its position in each list, -1 if it is missing.
struct Match {
  int64_t a, b;
};

// The union of two sorted lists.
std::vector<Match> Union(const SparseTensor& a, const SparseTensor& b) {
  std::vector<Match> rows;
  rows.reserve(a.count() + b.count());
  int64_t i = 0, j = 0;
  while (i < a.count() || j < b.count()) {
    const int order = i == a.count()   ? 1
                      : j == b.count() ? -1
                                       : CompareRows(a.row(i), b.row(j), a.rank());
    rows.push_back({order <= 0 ? i++ : -1, order >= 0 ? j++ : -1});
  }
  return rows;
}

absl::Status CheckSameShape(const SparseTensor& a, const SparseTensor& b) {
  if (a.rank() != b.rank()) {
    return InvalidArgument(
        "Operands do not have the same ranks; got shapes: ", absl::StrJoin(a.shape.dims(), " "),
        " and ", absl::StrJoin(b.shape.dims(), " "));
  }
  for (int d = 0; d < a.rank(); ++d) {
    if (a.shape.dim(d) != b.shape.dim(d)) {
      return InvalidArgument("Operands' shapes do not match: got ", a.shape.dim(d), " and ",
                             b.shape.dim(d), " for dimension ", d);
    }
  }
  return absl::OkStatus();
}

absl::Status SetUnionRows(KernelContext& ctx, const SparseTensor& a, const SparseTensor& b,
                          absl::Span<const Match> rows) {
  SLUICE_ASSIGN(Tensor * out,
                ctx.AllocateOutput(0, Shape{static_cast<int64_t>(rows.size()), a.rank()}));
  int64_t* to = out->mutable_data<int64_t>();
  for (const Match& m : rows) to = std::copy_n(m.a >= 0 ? a.row(m.a) : b.row(m.b), a.rank(), to);
  return absl::OkStatus();
}

// The magnitude of a value, in the real type of its dtype.
template <typename T>
auto Magnitude(T x) {
  using C = ComputeType<T>;
  if constexpr (std::is_integral_v<T>)
    return x < T{0} ? ProductOf<T>(x, static_cast<T>(-1)) : x;
  else
    return std::abs(static_cast<C>(x));
}

// Sums below the threshold are left out. Values that only one side has are kept.
struct SparseAdd {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor a, SparseTensor::At(ctx, 0));
    SLUICE_ASSIGN(const SparseTensor b, SparseTensor::At(ctx, 3));
    if (ctx.input(6).rank() != 0) {
      return InvalidArgument("The magnitude threshold must be a scalar: got shape ",
                             ctx.input(6).shape());
    }
    SLUICE_RETURN_IF_ERROR(CheckSameShape(a, b));
    SLUICE_RETURN_IF_ERROR(SetSizes(ctx, 2, a.shape.dims()));
    const std::vector<Match> rows = Union(a, b);
    return VisitDType(NumericTypes{}, a.values.dtype(), [&]<typename T>(Type<T>) {
      using Real = decltype(Magnitude(T{}));
      return VisitDType(RealTypes{}, ctx.input(6).dtype(), [&]<typename R>(Type<R>) {
        if constexpr (!std::is_same_v<ComputeType<R>, Real>)
          return InvalidArgument("thresh must be of the values' real type");
        else
          return Add<T, Real>(ctx, a, b, rows, static_cast<Real>(ctx.input(6).scalar<R>()));
      });
    });
  }

 private:
  template <typename T, typename Real>
  static absl::Status Add(KernelContext& ctx, const SparseTensor& a, const SparseTensor& b,
                          const std::vector<Match>& rows, Real threshold) {
    std::vector<Match> kept;
    std::vector<T> sums;
    CancelPoints points(64);
    for (const Match& m : rows) {
      points.Pass();
      T sum = m.a >= 0 ? a.values.data<T>()[m.a] : b.values.data<T>()[m.b];
      if (m.a >= 0 && m.b >= 0) {
        sum = SumOf(sum, b.values.data<T>()[m.b]);
        if (!(threshold <= Magnitude(sum))) continue;
      }
      kept.push_back(m);
      sums.push_back(sum);
    }
    SLUICE_RETURN_IF_ERROR(SetUnionRows(ctx, a, b, kept));
    ctx.SetOutput(1, Tensor::Vector<T>(sums));
    return absl::OkStatus();
  }
};

// A value's gradient is that of the sum's element at its row. It is zero if the element was left
// out.
struct SparseAddGrad {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &grad = ctx.input(0), &sum = ctx.input(3);
    for (int i : {3, 1, 2}) {
      if (ctx.input(i).rank() != 2)
        return InvalidArgument(
            "Input indices should be matrices but received shapes: ", ctx.input(1).shape(), " and ",
            ctx.input(2).shape(), " and ", sum.shape());
      if (ctx.input(i).dim(1) != sum.dim(1)) {
        return InvalidArgument("The densified operands should have the same ndims; for A, B, sum ",
                               "got: ", ctx.input(i).dim(1), " and ", sum.dim(1));
      }
    }
    if (grad.rank() != 1)
      return InvalidArgument("Input backprop_val_grad should be a vector but received shape: ",
                             grad.shape());
    if (grad.dim(0) != sum.dim(0)) {
      return InvalidArgument("# elements of backprop_val_grad and # rows of sum_indices should ",
                             "match (#nnz of sum): got ", grad.dim(0), " and ", sum.dim(0));
    }
    SLUICE_RETURN_IF_ERROR(Pick(ctx, 0));
    return Pick(ctx, 1);
  }

 private:
  static absl::Status Pick(KernelContext& ctx, int operand) {
    const Tensor &grad = ctx.input(0), &rows = ctx.input(1 + operand), &sum = ctx.input(3);
    const int rank = static_cast<int>(sum.dim(1));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(operand, Shape{rows.dim(0)}));
    return VisitDType(NumericTypes{}, grad.dtype(), [&]<typename T>(Type<T>) {
      int64_t k = 0;
      for (const int64_t i : Cancellable(rows.dim(0))) {
        const int64_t* row = rows.data<int64_t>() + i * rank;
        int order = 1;
        while (k < sum.dim(0) &&
               (order = CompareRows(row, sum.data<int64_t>() + k * rank, rank)) > 0)
          ++k;
        out->mutable_data<T>()[i] = k < sum.dim(0) && order == 0 ? grad.data<T>()[k] : T();
      }
      return absl::OkStatus();
    });
  }
};

// Takes the union of rows; a missing value counts as 0.
template <bool kMaximum>
struct SparseSparseExtreme {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor a, SparseTensor::At(ctx, 0));
    SLUICE_ASSIGN(const SparseTensor b, SparseTensor::At(ctx, 3));
    SLUICE_RETURN_IF_ERROR(CheckSameShape(a, b));
    for (const SparseTensor* x : {&a, &b}) SLUICE_RETURN_IF_ERROR(x->CheckBounds());
    const std::vector<Match> rows = Union(a, b);
    SLUICE_RETURN_IF_ERROR(SetUnionRows(ctx, a, b, rows));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(1, Shape{static_cast<int64_t>(rows.size())}));
    return VisitDType(RealTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      using C = ComputeType<T>;
      T* to = out->mutable_data<T>();
      CancelPoints points(64);
      for (const Match& m : rows) {
        points.Pass();
        const C x = m.a >= 0 ? static_cast<C>(a.values.data<T>()[m.a]) : C{},
                y = m.b >= 0 ? static_cast<C>(b.values.data<T>()[m.b]) : C{};
        *to++ = static_cast<T>(kMaximum ? (x < y ? y : x) : (y < x ? y : x));
      }
      return absl::OkStatus();
    });
  }
};

// Indices may be of either index type.
absl::StatusOr<int64_t> PlaceIn(const Tensor& indices, int64_t i, const Shape& shape) {
  int64_t at = 0;
  for (int d = 0; d < shape.rank(); ++d) {
    const int64_t k = i * shape.rank() + d;
    const int64_t index =
        indices.dtype() == kInt64 ? indices.data<int64_t>()[k] : indices.data<int32_t>()[k];
    if (index < 0 || index >= shape.dim(d)) {
      return InvalidArgument("Sparse tensor has some invalid index on dimension ", d,
                             "; dense tensor shape: ", shape);
    }
    at = at * shape.dim(d) + index;
  }
  return at;
}

struct SparseTensorDenseAdd {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &indices = ctx.input(0), &values = ctx.input(1), &b = ctx.input(3);
    if (indices.rank() != 2)
      return InvalidArgument("Input a_indices should be a matrix but received shape: ",
                             indices.shape());
    if (values.rank() != 1 || ctx.input(2).rank() != 1) {
      return InvalidArgument("Inputs a_values and a_shape should be vectors but received shapes: ",
                             values.shape(), " and ", ctx.input(2).shape());
    }
    if (values.dim(0) != indices.dim(0)) {
      return InvalidArgument("Number of values and indices don't match: ", values.dim(0), " and ",
                             indices.dim(0));
    }
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(2)));
    if (shape.rank() != b.rank() || indices.dim(1) != b.rank()) {
      return InvalidArgument("Two operands have different ranks; received: ", shape.rank(), " and ",
                             b.rank());
    }
    for (int d = 0; d < b.rank(); ++d) {
      if (shape.dim(d) != b.dim(d)) {
        return InvalidArgument("Dimension ", d,
                               " does not equal (no broadcasting is supported): ", "sparse side ",
                               shape.dim(d), " vs dense side ", b.dim(d));
      }
    }
    SLUICE_ASSIGN(Tensor sum, b.Copy());
    SLUICE_RETURN_IF_ERROR(
        VisitDType(NumericTypes{}, b.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
          for (const int64_t i : Cancellable(values.dim(0))) {
            SLUICE_ASSIGN(int64_t at, PlaceIn(indices, i, shape));
            T& to = sum.mutable_data<T>()[at];
            to = SumOf(to, values.data<T>()[i]);
          }
          return absl::OkStatus();
        }));
    ctx.SetOutput(0, std::move(sum));
    return absl::OkStatus();
  }
};

enum class Arithmetic { kAdd, kMul, kDiv };

// Combines values of the sparse side with the dense elements at their positions; the dense side
// broadcasts.
template <Arithmetic kHow>
struct SparseDenseCwise {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor x, SparseTensor::At(ctx, 0));
    const Tensor& dense = ctx.input(3);
    const int extra = x.rank() - dense.rank();
    bool fits = extra >= 0;
    for (int d = 0; fits && d < dense.rank(); ++d)
      fits = dense.dim(d) == 1 || dense.dim(d) == x.shape.dim(d + extra);
    if (!fits) {
      return InvalidArgument("SparseDenseBinaryOpShared broadcasts dense to sparse only; got ",
                             "incompatible shapes: [", absl::StrJoin(x.shape.dims(), ","),
                             "] vs. [", absl::StrJoin(dense.shape().dims(), ","), "]");
    }
    if (dense.num_elements() == 0 && x.count() > 0)
      return InvalidArgument("indices are outside of an empty tensor");
    if (!x.CheckBounds().ok()) {
      return InvalidArgument("Provided indices are out-of-bounds w.r.t. dense side with ",
                             "broadcasted shape");
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{x.count()}));
    std::vector<int64_t> at(x.count(), 0);
    for (const int64_t i : Cancellable(x.count())) {
      for (int d = 0; d < dense.rank(); ++d)
        at[i] = at[i] * dense.dim(d) + (dense.dim(d) == 1 ? 0 : x.row(i)[d + extra]);
    }
    return VisitDType(NumericTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      return Combine<T>(x.values.flat<T>(), dense.data<T>(), at, out->mutable_data<T>());
    });
  }

 private:
  template <typename T>
  static absl::Status Combine(absl::Span<const T> values, const T* dense,
                              const std::vector<int64_t>& at, T* out) {
    using C = ComputeType<T>;
    for (size_t i = 0; i < values.size(); ++i) {
      [[maybe_unused]] const auto a = static_cast<C>(values[i]), b = static_cast<C>(dense[at[i]]);
      if constexpr (kHow == Arithmetic::kAdd) {
        out[i] = SumOf(values[i], dense[at[i]]);
      } else if constexpr (kHow == Arithmetic::kMul) {
        out[i] = ProductOf(values[i], dense[at[i]]);
      } else {
        if constexpr (std::is_integral_v<T>) {
          if (b == 0) return InvalidArgument("Integer division by zero");
          // The smallest integer divided by -1 wraps.
          out[i] = std::is_signed_v<T> && b == static_cast<C>(-1) ? ProductOf<T>(a, b)
                                                                  : static_cast<T>(a / b);
        } else {
          out[i] = static_cast<T>(a / b);
        }
      }
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSparseMath(KernelRegistry& kernels) {
  kernels.Add<SparseAdd>("SparseAdd", kCpu, {{"T", kNumeric}});
  kernels.Add<SparseAddGrad>("SparseAddGrad", kCpu, {{"T", kNumeric}});
  kernels.Add<SparseSparseExtreme<true>>("SparseSparseMaximum", kCpu, {{"T", kReal}});
  kernels.Add<SparseSparseExtreme<false>>("SparseSparseMinimum", kCpu, {{"T", kReal}});
  kernels.Add<SparseTensorDenseAdd>("SparseTensorDenseAdd", kCpu,
                                    {{"T", kNumeric}, {"Tindices", kIndex}});
  kernels.Add<SparseDenseCwise<Arithmetic::kAdd>>("SparseDenseCwiseAdd", kCpu, {{"T", kNumeric}});
  kernels.Add<SparseDenseCwise<Arithmetic::kMul>>("SparseDenseCwiseMul", kCpu, {{"T", kNumeric}});
  kernels.Add<SparseDenseCwise<Arithmetic::kDiv>>("SparseDenseCwiseDiv", kCpu, {{"T", kNumeric}});
}

}  // namespace sluice::kernels
