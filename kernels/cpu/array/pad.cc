// SPDX-License-Identifier: Apache-2.0
// Pad, PadV2 (with a given value), MirrorPad (with the tensor's own edge) and its gradient.
#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "kernels/common/array/pad_plan.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/strided_copy.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

struct Pad {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    SLUICE_ASSIGN(Paddings paddings, ReadPaddings(ctx.input(1), input.shape()));
    const bool has_value = ctx.num_inputs() > 2;
    if (has_value) SLUICE_RETURN_IF_ERROR(CheckPadValue(ctx.input(2).shape()));
    SLUICE_ASSIGN(Shape shape, PaddedShape(input.shape(), paddings));
    if (shape == input.shape()) {
      ctx.SetOutput(0, input);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitWidth(input.dtype(), [&]<typename T>(Type<T>) {
      const T value = has_value ? *static_cast<const T*>(ctx.input(2).raw()) : T{};
      PadRows(ctx.pool(), input.shape(), shape, paddings, value, static_cast<const T*>(input.raw()),
              static_cast<T*>(out->raw()));
      return absl::OkStatus();
    });
  }

 private:
  // Writes every row of the output once. A row is the innermost padded dimension with the
  // dimensions inside it.
  template <typename T>
  static void PadRows(WorkQueue* pool, const Shape& inner, const Shape& outer,
                      const Paddings& paddings, const T& value, const T* from, T* to) {
    int last = outer.rank() - 1;
    int64_t element = 1;
    for (; outer.dim(last) == inner.dim(last); --last) element *= outer.dim(last);
    const int64_t width = outer.dim(last) * element, n = inner.dim(last) * element;
    const int64_t before = paddings[last].before * element;
    const double cost = 5 + 0.03 * static_cast<double>(sizeof(T)) * static_cast<double>(width);
    ParallelFor(pool, outer.num_elements() / width, cost, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        T* const y = to + row * width;
        int64_t rest = row, source = 0, stride = 1;
        bool inside = n > 0;
        for (int d = last - 1; d >= 0; --d) {
          const int64_t at = rest % outer.dim(d) - paddings[d].before;
          rest /= outer.dim(d);
          inside = inside && at >= 0 && at < inner.dim(d);
          source += at * stride;
          stride *= inner.dim(d);
        }
        if (!inside) {
          std::fill_n(y, width, value);
          continue;
        }
        std::fill_n(y, before, value);
        std::copy_n(from + source * n, n, y + before);
        std::fill_n(y + before + n, width - before - n, value);
      }
    });
  }
};

// For each position of a padded dimension, the position that it repeats. REFLECT omits the edge
// itself, SYMMETRIC repeats it.
class MirrorMap {
 public:
  // `size`: the name of the inner dimensions' sizes in errors.
  static absl::StatusOr<MirrorMap> Make(const Shape& inner, const Shape& outer,
                                        const Paddings& paddings, bool reflect,
                                        absl::string_view size) {
    SLUICE_RETURN_IF_ERROR(CheckMirrored(inner, paddings, reflect, size));
    MirrorMap map;
    const Shape::Dims strides = DenseStrides(inner);
    const int64_t edge = reflect ? 1 : 0;
    for (int d = 0; d < inner.rank(); ++d) {
      const int64_t n = inner.dim(d);
      std::vector<int64_t>& offsets = map.offsets_.emplace_back(outer.dim(d));
      for (int64_t i = 0; i < outer.dim(d); ++i) {
        int64_t at = i - paddings[d].before;
        if (at < 0)
          at = edge - 1 - at;
        else if (at >= n)
          at = 2 * n - 1 - edge - at;
        offsets[i] = at * strides[d];
      }
    }
    return map;
  }

  // Calls fn(outer row begin, inner offset, offsets within the row) for each row of the last
  // dimension.
  template <typename Fn>
  void ForEachRow(int64_t rows, Fn fn) const {
    const int outer = static_cast<int>(offsets_.size()) - 1;
    for (int64_t row = 0; row < rows; ++row) {
      int64_t rest = row, offset = 0;
      for (int d = outer - 1; d >= 0; --d) {
        const int64_t n = static_cast<int64_t>(offsets_[d].size());
        offset += offsets_[d][rest % n];
        rest /= n;
      }
      fn(row * static_cast<int64_t>(offsets_[outer].size()), offset, offsets_[outer]);
    }
  }

 private:
  std::vector<std::vector<int64_t>> offsets_;
};

struct MirrorPad {
  bool reflect;

  static absl::StatusOr<MirrorPad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool reflect, Reflects(node));
    return MirrorPad{reflect};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    SLUICE_ASSIGN(Paddings paddings, ReadPaddings(ctx.input(1), input.shape()));
    SLUICE_ASSIGN(Shape shape, PaddedShape(input.shape(), paddings));
    SLUICE_ASSIGN(MirrorMap map,
                  MirrorMap::Make(input.shape(), shape, paddings, reflect, "dimension size"));
    if (shape == input.shape()) {
      ctx.SetOutput(0, input);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitWidth(input.dtype(), [&]<typename T>(Type<T>) {
      const T* from = input.data<T>();
      T* to = out->mutable_data<T>();
      map.ForEachRow(shape.num_elements() / shape.dim(shape.rank() - 1),
                     [&](int64_t row, int64_t offset, const std::vector<int64_t>& at) {
                       for (size_t i = 0; i < at.size(); ++i) to[row + i] = from[offset + at[i]];
                     });
      return absl::OkStatus();
    });
  }
};

// Adds every gradient to the element from which its value was copied.
struct MirrorPadGrad {
  bool reflect;

  static absl::StatusOr<MirrorPadGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool reflect, Reflects(node));
    return MirrorPadGrad{reflect};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& grad = ctx.input(0);
    SLUICE_ASSIGN(Paddings paddings, ReadPaddings(ctx.input(1), grad.shape()));
    SLUICE_ASSIGN(Shape shape, UnpaddedShape(grad.shape(), paddings));
    SLUICE_ASSIGN(MirrorMap map,
                  MirrorMap::Make(shape, grad.shape(), paddings, reflect, "output dimension size"));
    if (shape == grad.shape()) {
      ctx.SetOutput(0, grad);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitDType(NumericTypes{}, grad.dtype(), [&]<typename T>(Type<T>) {
      using C = ComputeType<T>;
      const T* from = grad.data<T>();
      std::vector<C> sums(shape.num_elements(), C(0));
      map.ForEachRow(
          grad.num_elements() / grad.dim(grad.rank() - 1),
          [&](int64_t row, int64_t offset, const std::vector<int64_t>& at) {
            for (size_t i = 0; i < at.size(); ++i) {
              C& sum = sums[offset + at[i]];
              const C next = static_cast<C>(from[row + i]);
              if constexpr (std::is_integral_v<C>)
                sum = static_cast<C>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(next));
              else
                sum += next;
            }
          });
      T* to = out->mutable_data<T>();
      for (size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<T>(sums[i]);
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterPad(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> any{{"T", kAnyType.Without({kResource, kVariant})},
                                        {"Tpaddings", kIndex}};
  kernels.Add<Pad>("Pad", kCpu, any);
  kernels.Add<Pad>("PadV2", kCpu, any);
  // GPUs keep int32 on the host.
  const std::vector<TypeConstraint> int32{{"T", kInt32}, {"Tpaddings", kIndex}};
  kernels.Add<Pad>("Pad", kGpu, int32, HostMemory{"input", "paddings", "output"});
  kernels.Add<Pad>("PadV2", kGpu, int32,
                   HostMemory{"input", "paddings", "constant_values", "output"});
  kernels.Add<MirrorPad>("MirrorPad", kCpu, any);
  kernels.Add<MirrorPadGrad>("MirrorPadGrad", kCpu, {{"T", kNumeric}, {"Tpaddings", kIndex}});
}

}  // namespace sluice::kernels
