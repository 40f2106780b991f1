// SPDX-License-Identifier: Apache-2.0
// RaggedRange, RaggedGather, RaggedTensorToSparse.
#include "kernels/any/ragged/ragged.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/variant.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/ragged/register.h"
#include "kernels/common/update.h"

namespace sluice::kernels {

absl::Status SetSplits(KernelContext& ctx, int index, DType dtype,
                       absl::Span<const int64_t> splits) {
  const auto size = static_cast<int64_t>(splits.size());
  SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(index, {size}));
  return VisitDType(TypeList<int32_t, int64_t>{}, dtype, [&]<typename T>(Type<T>) {
    std::transform(splits.begin(), splits.end(), out->mutable_data<T>(),
                   [](int64_t split) { return static_cast<T>(split); });
    return absl::OkStatus();
  });
}

absl::StatusOr<Splits> SplitsIn(const Tensor& tensor) {
  SLUICE_ASSIGN(const Shape::Dims splits, IntVector(tensor));
  return Splits(splits.begin(), splits.end());
}

namespace {

template <typename T>
absl::StatusOr<int64_t> RangeSize(T start, T limit, T delta, int64_t most) {
  if (delta == T(0)) return InvalidArgument("Requires delta != 0");
  if (delta > T(0) && start >= limit) return 0;
  if (delta < T(0) && start <= limit) return 0;
  const double size = std::ceil((static_cast<double>(limit) - static_cast<double>(start)) /
                                static_cast<double>(delta));
  if (size <= static_cast<double>(most)) return static_cast<int64_t>(size);
  return InvalidArgument("Requires ((limit - start) / delta) <= ", most);
}

// starts, limits, deltas -> the numbers of a range for each; scalars repeat.
struct RaggedRange {
  DType splits_type;

  static absl::StatusOr<RaggedRange> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType splits_type, node.Get<DType>("Tsplits"));
    return RaggedRange{splits_type};
  }

  absl::Status Run(KernelContext& ctx) const {
    constexpr const char* kNames[] = {"starts", "limits", "deltas"};
    int64_t rows = -1;
    for (int i = 0; i < 3; ++i) {
      const Tensor& input = ctx.input(i);
      if (input.rank() > 1) return InvalidArgument(kNames[i], " must be a scalar or vector");
      if (input.rank() == 0) continue;
      if (rows >= 0 && rows != input.dim(0)) {
        return InvalidArgument("starts, limits, and deltas must have the same shape");
      }
      rows = input.dim(0);
    }
    if (rows < 0) rows = 1;
    const DType dtype = ctx.input(0).dtype();
    return VisitDType(Join<FloatingTypes, TypeList<int32_t, int64_t>>{}, dtype,
                      [&]<typename T>(Type<T>) { return Ranges<T>(ctx, rows); });
  }

  template <typename T>
  absl::Status Ranges(KernelContext& ctx, int64_t rows) const {
    const auto of_row = [&](int input, int64_t row) {
      return ctx.input(input).data<T>()[ctx.input(input).rank() == 0 ? 0 : row];
    };
    // The limit is memory, far below the range of the integers.
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    Splits splits{0};
    for (const int64_t row : Cancellable(rows)) {
      using C = ComputeType<T>;
      SLUICE_ASSIGN(const int64_t size,
                    RangeSize<C>(static_cast<C>(of_row(0, row)), static_cast<C>(of_row(1, row)),
                                 static_cast<C>(of_row(2, row)), kMost));
      splits.push_back(splits.back() + size);
    }
    SLUICE_RETURN_IF_ERROR(SetSplits(ctx, 0, splits_type, splits));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(1, {splits.back()}));
    T* to = out->mutable_data<T>();
    for (const int64_t row : Cancellable(rows)) {
      T value = of_row(0, row);
      CancelPoints points(1 << 16);
      for (int64_t i = splits[row]; i < splits[row + 1]; ++i) {
        points.Pass();
        *to++ = value;
        value = static_cast<T>(value + of_row(2, row));  // accumulated, as in TensorFlow
      }
    }
    return absl::OkStatus();
  }
};

// The position of a dense tensor's rows among those of its first dimension.
struct Piece {
  int64_t begin, end;
};

// params_nested_splits, params_dense_values, indices -> the rows that the indices select; the
// indices' shape comes before the rows' shape.
struct RaggedGather {
  int depth;  // of params
  DType splits_type;

  static absl::StatusOr<RaggedGather> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t depth, node.Get<int64_t>("PARAMS_RAGGED_RANK"));
    SLUICE_ASSIGN(const DType splits_type, node.Get<DType>("Tsplits"));
    return RaggedGather{static_cast<int>(depth), splits_type};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& values = ctx.input(depth);
    const Tensor& indices = ctx.input(depth + 1);
    if (values.rank() == 0) return InvalidArgument("params.rank must be nonzero");
    if (indices.rank() + depth != ctx.num_outputs()) {  // values and splits
      return InvalidArgument("indices of rank ", indices.rank(), " do not give ",
                             ctx.num_outputs() - 1, " dimensions of rows");
    }
    std::vector<Splits> params(depth);
    for (int i = 0; i < depth; ++i) {
      if (ctx.input(i).rank() == 0) return InvalidArgument("Split tensors must not be scalars");
      SLUICE_ASSIGN(params[i], SplitsIn(ctx.input(i)));
    }
    SLUICE_RETURN_IF_ERROR(CheckSplits(params, values.dim(0)));
    SLUICE_ASSIGN(const Shape::Dims wanted, IntVector(indices));
    const int64_t rows = ctx.input(0).dim(0) - 1;
    std::vector<Piece> pieces;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] < 0 || wanted[i] >= rows) {
        return RowOutOfRange(indices.shape(), static_cast<int64_t>(i), wanted[i], rows);
      }
      pieces.push_back({wanted[i], wanted[i] + 1});
    }
    int output = 0;
    for (int d = 1; d < indices.rank(); ++d) {
      SLUICE_RETURN_IF_ERROR(SetSplits(ctx, output++, splits_type, Even(indices.shape(), d)));
    }
    for (int i = 0; i < depth; ++i) {
      // A single row has no outer splits.
      if (i > 0 || indices.rank() > 0)
        SLUICE_RETURN_IF_ERROR(SetRows(ctx, output++, params[i], pieces));
      for (Piece& piece : pieces) piece = {params[i][piece.begin], params[i][piece.end]};
    }
    return CopyPieces(ctx, values, pieces, output);
  }

  static absl::Status CheckSplits(absl::Span<const Splits> params, int64_t values) {
    for (size_t i = 0; i < params.size(); ++i) {
      const Splits& splits = params[i];
      const bool last = i + 1 == params.size();
      if (splits.empty()) return InvalidArgument("Ragged splits may not be empty");
      if (splits[0] < 0) return InvalidArgument("Ragged splits must be non-negative");
      const int64_t most = last ? values : static_cast<int64_t>(params[i + 1].size()) - 1;
      if (splits.back() > most) return InvalidArgument("Ragged splits must not point past values");
      if (!std::is_sorted(splits.begin(), splits.end())) {
        return InvalidArgument("Ragged splits must be sorted");
      }
    }
    return absl::OkStatus();
  }

  // The splits of dimension d if all of its rows have one length.
  static Splits Even(const Shape& shape, int d) {
    int64_t rows = 1;
    for (int i = 0; i < d; ++i) rows *= shape.dim(i);
    Splits splits;
    for (int64_t row = 0; row <= rows; ++row) splits.push_back(row * shape.dim(d));
    return splits;
  }

  // Output `index`: the splits of the rows in the pieces.
  absl::Status SetRows(KernelContext& ctx, int index, const Splits& params,
                       absl::Span<const Piece> pieces) const {
    int64_t rows = 0;
    for (const Piece& piece : pieces) rows += piece.end - piece.begin;
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(index, {rows + 1}));
    return VisitDType(TypeList<int32_t, int64_t>{}, splits_type, [&]<typename T>(Type<T>) {
      T* to = out->mutable_data<T>();
      int64_t split = 0;
      *to++ = 0;
      CancelPoints points(1 << 14);
      for (const Piece& piece : pieces) {
        points.Pass(1 + piece.end - piece.begin);
        for (int64_t row = piece.begin; row < piece.end; ++row) {
          split += params[row + 1] - params[row];
          *to++ = static_cast<T>(split);
        }
      }
      return absl::OkStatus();
    });
  }

  static absl::Status CopyPieces(KernelContext& ctx, const Tensor& values,
                                 absl::Span<const Piece> pieces, int output) {
    Shape::Dims dims(values.shape().dims().begin(), values.shape().dims().end());
    dims[0] = 0;
    for (const Piece& piece : pieces) dims[0] += piece.end - piece.begin;
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(output, shape));
    const int64_t width = values.dim(0) == 0 ? 0 : values.num_elements() / values.dim(0);
    return VisitWidth(values.dtype(), [&]<typename T>(Type<T>) {
      T* to = out->mutable_data<T>();
      CancelPoints points(1 << 14);
      for (const Piece& piece : pieces) {
        points.Pass(1 + (piece.end - piece.begin) * width);
        const T* from = values.data<T>();
        to = std::copy(from + piece.begin * width, from + piece.end * width, to);
      }
      return absl::OkStatus();
    });
  }
};

// rt_nested_splits, rt_dense_values -> sparse_indices, sparse_values, sparse_dense_shape.
struct RaggedTensorToSparse {
  absl::Status Run(KernelContext& ctx) const {
    const int depth = ctx.num_inputs() - 1;
    const Tensor& values = ctx.input(depth);
    std::vector<Splits> nested(depth);
    for (int i = 0; i < depth; ++i) {
      if (ctx.input(i).rank() != 1) {
        return InvalidArgument("ragged splits must be vectors, got shape ", ctx.input(i).shape());
      }
      SLUICE_ASSIGN(nested[i], SplitsIn(ctx.input(i)));
    }
    SLUICE_RETURN_IF_ERROR(CheckSplits(nested, values.shape()));
    const int rank = depth + values.rank();
    SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(0, {values.num_elements(), rank}));
    SLUICE_ASSIGN(Tensor * flat, ctx.AllocateOutput(1, {values.num_elements()}));
    SLUICE_ASSIGN(Tensor * shape, ctx.AllocateOutput(2, {rank}));
    const int64_t rows = values.dim(0);
    const int64_t width = rows == 0 ? 0 : values.num_elements() / rows;
    // at[i]: the row of nested[i] that contains the value.
    Splits at(depth, 0);
    int64_t* to = indices->mutable_data<int64_t>();
    for (const int64_t row : Cancellable(rows)) {
      int64_t inner = row;
      for (int i = depth - 1; i >= 0; --i) {
        while (nested[i][at[i] + 1] <= inner) ++at[i];
        inner = at[i];
      }
      for (int64_t element = 0; element < width; ++element) {
        *to++ = at[0];
        for (int i = 0; i < depth; ++i) {
          *to++ = (i + 1 < depth ? at[i + 1] : row) - nested[i][at[i]];
        }
        int64_t stride = width, rest = element;
        for (int d = 1; d < values.rank(); ++d) {
          stride /= values.dim(d);
          *to++ = rest / stride;
          rest %= stride;
        }
      }
    }
    SetShape(nested, values.shape(), shape->mutable_data<int64_t>());
    return VisitWidth(values.dtype(), [&]<typename T>(Type<T>) {
      std::copy_n(values.data<T>(), values.num_elements(), flat->mutable_data<T>());
      return absl::OkStatus();
    });
  }

  static void SetShape(absl::Span<const Splits> nested, const Shape& values, int64_t* to) {
    *to++ = static_cast<int64_t>(nested[0].size()) - 1;
    for (const Splits& splits : nested) {
      int64_t longest = 0;
      for (size_t row = 1; row < splits.size(); ++row) {
        longest = std::max(longest, splits[row] - splits[row - 1]);
      }
      *to++ = longest;
    }
    for (int d = 1; d < values.rank(); ++d) *to++ = values.dim(d);
  }

  static absl::Status CheckSplits(absl::Span<const Splits> nested, const Shape& values) {
    for (const Splits& splits : nested) {
      if (splits.empty()) return InvalidArgument("ragged splits may not be empty.");
      if (splits[0] != 0) return InvalidArgument("First value of ragged splits must be 0.");
      for (size_t row = 1; row < splits.size(); ++row) {
        if (splits[row] >= splits[row - 1]) continue;
        return InvalidArgument("Ragged splits should be non decreasing, but we got ",
                               splits[row - 1], " followed by ", splits[row]);
      }
    }
    for (size_t i = 0; i < nested.size(); ++i) {
      const bool last = i + 1 == nested.size();
      if (last && values.rank() > 0 && nested[i].back() == values.dim(0)) continue;
      if (!last && nested[i].back() == static_cast<int64_t>(nested[i + 1].size()) - 1) continue;
      return InvalidArgument(
          "Final value of ragged splits must match the length the corresponding ragged values.");
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterRagged(KernelRegistry& kernels) {
  const DTypeSet index{kInt32, kInt64};
  kernels.Add<RaggedRange>("RaggedRange", kCpu, {{"T", kFloating | index}, {"Tsplits", index}});
  kernels.Add<RaggedGather>("RaggedGather", kCpu, {{"Tindices", index}, {"Tsplits", index}});
  kernels.Add<RaggedTensorToSparse>("RaggedTensorToSparse", kCpu, {{"Tsplits", index}});
  RegisterRaggedCross(kernels);
  RegisterRaggedFill(kernels);
  RegisterRaggedToTensor(kernels);
  RegisterRaggedVariants(kernels);
}

}  // namespace sluice::kernels
