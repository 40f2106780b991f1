// SPDX-License-Identifier: Apache-2.0
// Diagonals of tensors (Diag, DiagPart) and of batches of matrices (MatrixDiag, MatrixDiagPart,
// MatrixSetDiag in their three versions, MatrixBandPart).
#include "absl/strings/match.h"
#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/strided_copy.h"

namespace sluice::kernels {
namespace {

struct Diag {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    if (x.rank() < 1) return InvalidArgument("Input must be at least rank 1, got 0");
    SLUICE_ASSIGN(Shape shape, JoinShapes(x.shape(), x.shape()));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    std::memset(out->raw(), 0, out->bytes());
    StridedCopy(ctx.pool(), x.dtype(), {{x.num_elements(), 1, x.num_elements() + 1}}, x.raw(),
                out->raw());
    return absl::OkStatus();
  }
};

struct DiagPart {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    const int half = x.rank() / 2;
    if (x.rank() % 2 != 0 || x.rank() == 0)
      return InvalidArgument("The rank of the tensor should be even and positive, got shape ",
                             x.shape());
    for (int d = 0; d < half; ++d) {
      if (x.dim(d) != x.dim(d + half)) {
        return InvalidArgument("Invalid shape ", x.shape(), ": dimensions ", d, " and ", d + half,
                               " do not match.");
      }
    }
    const Shape shape = SubShape(x.shape(), 0, half);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    StridedCopy(ctx.pool(), x.dtype(), {{shape.num_elements(), shape.num_elements() + 1, 1}},
                x.raw(), out->raw());
    return absl::OkStatus();
  }
};

// Diagonals low..high of matrices [rows, columns], and how shorter ones are padded to the length of
// the longest.
struct Diagonals {
  int64_t low = 0, high = 0;
  int64_t rows = 0, columns = 0;
  bool right_upper = false,
       right_lower = false;  // aligned at the right: diagonals >= 0, diagonals < 0

  int64_t count() const { return high - low + 1; }
  int64_t length(int64_t d) const {
    return std::max<int64_t>(
        0, std::min(rows + std::min<int64_t>(d, 0), columns - std::max<int64_t>(d, 0)));
  }
  int64_t longest() const {
    return std::max<int64_t>(
        0, std::min(rows + std::min<int64_t>(high, 0), columns - std::max<int64_t>(low, 0)));
  }
  // Where diagonal d begins in its row of `longest()` elements.
  int64_t indent(int64_t d) const {
    return (d >= 0 ? right_upper : right_lower) ? longest() - length(d) : 0;
  }
  int64_t first(int64_t d) const { return d >= 0 ? d : -d * columns; }  // flat place in the matrix

  absl::Status CheckRange() const {
    const auto inside = [&](int64_t d) { return (-rows < d && d < columns) || d == 0; };
    if (!inside(low))
      return InvalidArgument("lower_diag_index is out of bound: ", low, ". It must be between ",
                             -rows, " and ", columns);
    if (!inside(high))
      return InvalidArgument("upper_diag_index is out of bound: ", high, " It must be between ",
                             -rows, " and ", columns);
    if (low > high)
      return InvalidArgument("lower_diag_index must not be larger than upper_diag_index: ", low,
                             " > ", high);
    return absl::OkStatus();
  }

  absl::Status ReadRange(const Tensor& k) {
    if (k.rank() > 1)
      return InvalidArgument("diag_index must be a scalar or vector, received shape: ", k.shape());
    if (k.num_elements() < 1 || k.num_elements() > 2) {
      return InvalidArgument("diag_index must have only one or two elements, received ",
                             k.num_elements(), " elements.");
    }
    low = IndexAt(k, 0);
    high = IndexAt(k, k.num_elements() - 1);
    return absl::OkStatus();
  }

  absl::Status ReadAlignment(const NodeSpec& node) {
    const std::string align = GetAttrOr<std::string>(node.attrs, "align", "LEFT_LEFT");
    if (align != "LEFT_LEFT" && align != "LEFT_RIGHT" && align != "RIGHT_LEFT" &&
        align != "RIGHT_RIGHT") {
      return InvalidArgument("unknown align \"", align, "\"");
    }
    right_upper = absl::StartsWith(align, "RIGHT");
    right_lower = absl::EndsWith(align, "RIGHT");
    return absl::OkStatus();
  }

  // The shape of `batch` sets of diagonals: one diagonal has no dimension of its own.
  absl::StatusOr<Shape> PackedShape(const Shape& batch) const {
    return JoinShapes(batch, count() == 1 ? Shape{longest()} : Shape{count(), longest()});
  }

  // Copies between matrices and packed diagonals.
  void Copy(KernelContext& ctx, DType dtype, int64_t batch, const void* from, void* to,
            bool to_matrix) const {
    const size_t element = ElementSize(dtype);
    for (int64_t d = low; d <= high; ++d) {
      const int64_t packed = (high - d) * longest() + indent(d);
      CopyDims dims{{batch, rows * columns, count() * longest()}, {length(d), columns + 1, 1}};
      int64_t read = first(d), write = packed;
      if (to_matrix) {
        for (CopyDim& dim : dims) std::swap(dim.from, dim.to);
        std::swap(read, write);
      }
      if (length(d) > 0 && batch > 0)
        StridedCopy(ctx.pool(), dtype, dims, At(from, read, element), At(to, write, element));
    }
  }
};

absl::Status FillOrZero(KernelContext& ctx, Tensor& out, int padding_input) {
  if (out.num_elements() == 0) return absl::OkStatus();
  if (ctx.num_inputs() > padding_input) {
    const Tensor& padding = ctx.input(padding_input);
    if (padding.num_elements() != 1)
      return InvalidArgument("padding_value must have only one element, received shape ",
                             padding.shape());
    FillElements(ctx.pool(), out.dtype(), padding.raw(), out.raw(), out.num_elements());
  } else if (IsPlain(out.dtype())) {
    std::memset(out.raw(), 0, out.bytes());
  }
  return absl::OkStatus();
}

struct MatrixDiagPart {
  Diagonals wanted;

  static absl::StatusOr<MatrixDiagPart> Create(const NodeSpec& node) {
    MatrixDiagPart kernel;
    SLUICE_RETURN_IF_ERROR(kernel.wanted.ReadAlignment(node));
    return kernel;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    if (x.rank() < 2)
      return InvalidArgument("input must be at least 2-dim, received shape: ", x.shape());
    Diagonals diagonals = wanted;
    if (ctx.num_inputs() > 1) SLUICE_RETURN_IF_ERROR(diagonals.ReadRange(ctx.input(1)));
    diagonals.rows = x.dim(x.rank() - 2);
    diagonals.columns = x.dim(x.rank() - 1);
    SLUICE_RETURN_IF_ERROR(diagonals.CheckRange());
    const Shape batch = SubShape(x.shape(), 0, x.rank() - 2);
    SLUICE_ASSIGN(Shape shape, diagonals.PackedShape(batch));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    SLUICE_RETURN_IF_ERROR(FillOrZero(ctx, *out, 2));
    if (shape.num_elements() > 0)
      diagonals.Copy(ctx, x.dtype(), batch.num_elements(), x.raw(), out->raw(), false);
    return absl::OkStatus();
  }
};

struct MatrixDiag {
  Diagonals given;

  static absl::StatusOr<MatrixDiag> Create(const NodeSpec& node) {
    MatrixDiag kernel;
    SLUICE_RETURN_IF_ERROR(kernel.given.ReadAlignment(node));
    return kernel;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    if (x.rank() < 1)
      return InvalidArgument("diagonal must be at least 1-dim, received shape: ", x.shape());
    Diagonals diagonals = given;
    if (ctx.num_inputs() > 1) SLUICE_RETURN_IF_ERROR(diagonals.ReadRange(ctx.input(1)));
    if (diagonals.low > diagonals.high) {
      return InvalidArgument("lower_diag_index must not be larger than upper_diag_index: ",
                             diagonals.low, " > ", diagonals.high);
    }
    const bool one = diagonals.count() == 1;
    if (!one && (x.rank() < 2 || x.dim(x.rank() - 2) != diagonals.count())) {
      return InvalidArgument(
          "The number of diagonals provided in the input does not match the lower_diag_index and "
          "upper_diag_index range: shape ",
          x.shape(), ", range ", diagonals.low, " to ", diagonals.high);
    }
    SLUICE_RETURN_IF_ERROR(FindSize(ctx, x.dim(x.rank() - 1), diagonals));
    const Shape batch = SubShape(x.shape(), 0, x.rank() - (one ? 1 : 2));
    SLUICE_ASSIGN(Shape shape, JoinShapes(batch, Shape{diagonals.rows, diagonals.columns}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    SLUICE_RETURN_IF_ERROR(FillOrZero(ctx, *out, 4));
    if (shape.num_elements() > 0 && x.num_elements() > 0)
      diagonals.Copy(ctx, x.dtype(), batch.num_elements(), x.raw(), out->raw(), true);
    return absl::OkStatus();
  }

 private:
  // The matrix's size: as given, or the least that holds the diagonals; square when neither is
  // given.
  static absl::Status FindSize(const KernelContext& ctx, int64_t longest, Diagonals& diagonals) {
    int64_t rows = -1, columns = -1;
    if (ctx.num_inputs() > 3) {
      if (ctx.input(2).num_elements() != 1) return InvalidArgument("num_rows must be a scalar");
      if (ctx.input(3).num_elements() != 1) return InvalidArgument("num_cols must be a scalar");
      rows = IndexAt(ctx.input(2), 0);
      columns = IndexAt(ctx.input(3), 0);
    }
    const int64_t least_rows = longest - std::min<int64_t>(diagonals.high, 0);
    const int64_t least_columns = longest + std::max<int64_t>(diagonals.low, 0);
    if (rows != -1 && rows < least_rows)
      return InvalidArgument("The number of rows is too small: ", rows, " < ", least_rows);
    if (columns != -1 && columns < least_columns)
      return InvalidArgument("The number of columns is too small: ", columns, " < ", least_columns);
    if (rows == -1 && columns == -1) {
      rows = columns = std::max(least_rows, least_columns);
    } else if (rows == -1) {
      rows = least_rows;
    } else if (columns == -1) {
      columns = least_columns;
    }
    if (rows != least_rows && columns != least_columns) {
      return InvalidArgument(
          "The number of rows or columns is not consistent with the specified d_lower, d_upper, "
          "and diagonal");
    }
    diagonals.rows = rows;
    diagonals.columns = columns;
    // A diagonal without elements may lie beside its matrix.
    return longest == 0 ? absl::OkStatus() : diagonals.CheckRange();
  }
};

struct MatrixSetDiag {
  Diagonals given;

  static absl::StatusOr<MatrixSetDiag> Create(const NodeSpec& node) {
    MatrixSetDiag kernel;
    SLUICE_RETURN_IF_ERROR(kernel.given.ReadAlignment(node));
    return kernel;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor diagonal = ctx.input(1);
    const Shape shape = ctx.input(0).shape();
    if (shape.rank() < 2)
      return InvalidArgument("input must be at least 2-dim, received shape: ", shape);
    if (diagonal.rank() < 1)
      return InvalidArgument("diagonal must be at least 1-dim, received shape: ", diagonal.shape());
    Diagonals diagonals = given;
    if (ctx.num_inputs() > 2) SLUICE_RETURN_IF_ERROR(diagonals.ReadRange(ctx.input(2)));
    diagonals.rows = shape.dim(shape.rank() - 2);
    diagonals.columns = shape.dim(shape.rank() - 1);
    SLUICE_RETURN_IF_ERROR(diagonals.CheckRange());
    const Shape batch = SubShape(shape, 0, shape.rank() - 2);
    SLUICE_ASSIGN(Shape expected, diagonals.PackedShape(batch));
    if (!(diagonal.shape() == expected)) {
      return InvalidArgument(
          "Either first dimensions of diagonal don't match input.shape[:-2], or "
          "diagonal.shape[:-1] is not equal to the longests diagonal in range "
          "[lower_diag_index:upper_diag_index].\nInput shape: ",
          shape, "\nDiagonal shape: ", diagonal.shape(), "\nExpected diagonal shape: ", expected);
    }
    const void* before = ctx.input(0).raw();
    const DType dtype = ctx.input(0).dtype();
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    if (out->raw() != before)
      StridedCopy(ctx.pool(), dtype, {{shape.num_elements(), 1, 1}}, before, out->raw());
    diagonals.Copy(ctx, dtype, batch.num_elements(), diagonal.raw(), out->raw(), true);
    return absl::OkStatus();
  }
};

// Everything but so many diagonals below and above the main one becomes zero; a negative number
// keeps all.
struct MatrixBandPart {
  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    if (shape.rank() < 2)
      return InvalidArgument("input must be at least 2-dim, received shape: ", shape);
    const int64_t rows = shape.dim(shape.rank() - 2), columns = shape.dim(shape.rank() - 1);
    if (ctx.input(1).num_elements() != 1 || ctx.input(1).rank() != 0)
      return InvalidArgument("num_lower must be scalar, got shape ", ctx.input(1).shape());
    if (ctx.input(2).num_elements() != 1 || ctx.input(2).rank() != 0)
      return InvalidArgument("num_upper must be scalar, got shape ", ctx.input(2).shape());
    SLUICE_ASSIGN(int64_t lower, IntScalar(ctx.input(1)));
    SLUICE_ASSIGN(int64_t upper, IntScalar(ctx.input(2)));
    if (lower > rows)
      return InvalidArgument("num_lower must be negative or less or equal to number of rows (",
                             rows, ") got: ", lower);
    if (upper > columns)
      return InvalidArgument("num_upper must be negative or less or equal to number of columns (",
                             columns, ") got: ", upper);
    const void* before = ctx.input(0).raw();
    const DType dtype = ctx.input(0).dtype();
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const size_t element = SizeOf(dtype);
    const bool in_place = out->raw() == before;
    ParallelFor(ctx.pool(), shape.num_elements() / columns, 0.3 * static_cast<double>(columns) + 5,
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    const int64_t i = row % rows;
                    const int64_t from = lower < 0 ? 0 : std::clamp<int64_t>(i - lower, 0, columns);
                    const int64_t to =
                        upper < 0 ? columns : std::clamp<int64_t>(i + upper + 1, from, columns);
                    char* y = static_cast<char*>(At(out->raw(), row * columns, element));
                    if (!in_place)
                      std::memcpy(y, At(before, row * columns, element),
                                  static_cast<size_t>(columns) * element);
                    std::memset(y, 0, static_cast<size_t>(from) * element);
                    std::memset(y + static_cast<size_t>(to) * element, 0,
                                static_cast<size_t>(columns - to) * element);
                  }
                });
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterDiagonal(KernelRegistry& kernels) {
  const DTypeSet values = kNumeric | DTypeSet(kBool);
  kernels.Add<Diag>("Diag", kCpu, {{"T", kNumeric}});
  kernels.Add<DiagPart>("DiagPart", kCpu, {{"T", kNumeric}});
  for (const char* op : {"MatrixDiag", "BatchMatrixDiag", "MatrixDiagV2", "MatrixDiagV3"})
    kernels.Add<MatrixDiag>(op, kCpu, {{"T", values}});
  for (const char* op :
       {"MatrixDiagPart", "BatchMatrixDiagPart", "MatrixDiagPartV2", "MatrixDiagPartV3"}) {
    kernels.Add<MatrixDiagPart>(op, kCpu, {{"T", values}});
  }
  for (const char* op :
       {"MatrixSetDiag", "BatchMatrixSetDiag", "MatrixSetDiagV2", "MatrixSetDiagV3"}) {
    kernels.Add<MatrixSetDiag>(op, kCpu, {{"T", values}});
  }
  for (const char* op : {"MatrixBandPart", "BatchMatrixBandPart"})
    kernels.Add<MatrixBandPart>(op, kCpu, {{"T", values}});
}

}  // namespace sluice::kernels
