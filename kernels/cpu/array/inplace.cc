// SPDX-License-Identifier: Apache-2.0
// In-place updates of rows, the parts of ParallelConcat, ImmutableConst, TileGrad.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/io/file.h"
#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "core/tensor/wrapping.h"
#include "kernels/common/array/inplace_plan.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/variables.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

struct ParallelConcatStart {
  Shape shape;

  static absl::StatusOr<ParallelConcatStart> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const PartialShape partial, node.Get<PartialShape>("shape"));
    SLUICE_ASSIGN(Shape shape, partial.ToShape());
    return ParallelConcatStart{std::move(shape)};
  }
  absl::Status Run(KernelContext& ctx) const { return ctx.AllocateOutput(0, shape).status(); }
};

// Writes its row into the memory of the concatenation, which all its updates share.
struct ParallelConcatUpdate {
  int64_t row;

  static absl::StatusOr<ParallelConcatUpdate> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t row, node.Get<int64_t>("loc"));
    return ParallelConcatUpdate{row};
  }
  absl::Status Run(KernelContext& ctx) const {
    Tensor value = ctx.input(0);
    const Tensor& update = ctx.input(1);
    if (value.rank() == 0 || update.rank() != value.rank() || update.dim(0) != 1 || row < 0 ||
        row >= value.dim(0) || update.num_elements() != value.num_elements() / value.dim(0)) {
      return InvalidArgument("update ", update.shape(), " does not fit row ", row, " of ",
                             value.shape());
    }
    return VisitWidth(value.dtype(), [&]<typename T>(Type<T>) {
      const int64_t n = update.num_elements();
      std::copy_n(update.data<T>(), n, value.mutable_data<T>() + row * n);
      ctx.SetOutput(0, value);
      return absl::OkStatus();
    });
  }
};

enum class InplaceRule { kUpdate, kAdd, kSub };

// x[i] op= v by rows, in the memory of x. Other holders of x see the change, as in TensorFlow.
// Memory is copied only if it is foreign, or a reference variable's. Indices count modulo the rows.
template <InplaceRule kRule>
struct Inplace {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckInplace(ctx.input(0), ctx.input(1), ctx.input(2)));
    Tensor x = ctx.TakeInput(0);
    if (NeedsCopyInPlace(x)) {
      SLUICE_ASSIGN(x, x.Copy());
    }
    const Tensor& v = ctx.input(2);
    const int64_t rows = x.dim(0), row = rows == 0 ? 0 : x.num_elements() / rows;
    const auto each = [&](auto combine) {
      for (int64_t k = 0; k < v.dim(0); ++k) {
        const int64_t at = (ctx.input(1).data<int32_t>()[k] % rows + rows) % rows;
        combine(at * row, k * row);
      }
      return absl::OkStatus();
    };
    absl::Status status;
    if constexpr (kRule == InplaceRule::kUpdate) {
      status = VisitWidth(x.dtype(), [&]<typename T>(Type<T>) {
        return each([&](int64_t to, int64_t from) {
          std::copy_n(v.data<T>() + from, row, x.mutable_data<T>() + to);
        });
      });
    } else {
      const BinaryLoop loop = kRule == InplaceRule::kAdd ? AddLoop(x.dtype()) : SubLoop(x.dtype());
      if (loop.fn == nullptr) return InvalidArgument("Unsupported data type: ", x.dtype());
      const size_t size = ElementSize(x.dtype());
      status = each([&](int64_t to, int64_t from) {
        void* target = At(x.raw(), to, size);
        loop.Run(target, At(v.raw(), from, size), target, row);
      });
    }
    ctx.SetOutput(0, std::move(x));
    return status;
  }
};

// The bytes of a file as a tensor.
struct ImmutableConst {
  DType dtype;
  Shape shape;
  std::string path;

  static absl::StatusOr<ImmutableConst> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("dtype"));
    SLUICE_ASSIGN(const PartialShape partial, node.Get<PartialShape>("shape"));
    SLUICE_ASSIGN(Shape shape, partial.ToShape());
    SLUICE_ASSIGN(std::string path, node.Get<std::string>("memory_region_name"));
    if (!IsPlain(dtype))
      return InvalidArgument("Sorry, DT_", dtype,
                             " is not currently supported for ImmutableConst.");
    return ImmutableConst{dtype, std::move(shape), std::move(path)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string bytes, ReadFile(path));
    int64_t wanted;
    if (!MulFits(shape.num_elements(), static_cast<int64_t>(SizeOf(dtype)), &wanted) ||
        wanted > static_cast<int64_t>(bytes.size())) {
      return InvalidArgument("file ", path, " of ", bytes.size(), " bytes is too short for ", dtype,
                             " ", shape);
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (wanted > 0) std::memcpy(out->raw(), bytes.data(), wanted);
    return absl::OkStatus();
  }
};

// The gradient of Tile: the sum over the copies.
struct TileGrad {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const Shape shape, TileGradShape(x.shape(), ctx.input(1)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitDType(NumericTypes{}, x.dtype(), [&]<typename T>(Type<T>) {
      Sum(x.shape(), shape, x.data<T>(), out->mutable_data<T>());
      return absl::OkStatus();
    });
  }

 private:
  template <typename T>
  static void Sum(const Shape& from, const Shape& to, const T* x, T* out) {
    std::fill_n(out, to.num_elements(), T());
    Shape::Dims at(from.rank(), 0);
    for (int64_t i = 0; i < from.num_elements(); ++i) {
      int64_t target = 0;
      for (int d = 0; d < from.rank(); ++d) target = target * to.dim(d) + at[d] % to.dim(d);
      out[target] = SumOf(out[target], x[i]);
      for (int d = from.rank() - 1; d >= 0 && ++at[d] == from.dim(d); --d) at[d] = 0;
    }
  }
};

}  // namespace

void RegisterInplace(KernelRegistry& kernels) {
  kernels.Add<ParallelConcatStart>("_ParallelConcatStart", kCpu);
  kernels.Add<ParallelConcatUpdate>("_ParallelConcatUpdate", kCpu);
  kernels.Add<Inplace<InplaceRule::kUpdate>>("InplaceUpdate", kCpu);
  kernels.Add<Inplace<InplaceRule::kAdd>>("InplaceAdd", kCpu);
  kernels.Add<Inplace<InplaceRule::kSub>>("InplaceSub", kCpu);
  kernels.Add<ImmutableConst>("ImmutableConst", kCpu);
  kernels.Add<TileGrad>("TileGrad", kCpu, {{"T", kNumeric}});
}

}  // namespace sluice::kernels
