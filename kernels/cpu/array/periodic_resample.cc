// SPDX-License-Identifier: Apache-2.0
// PeriodicResample moves elements of one dimension into the others (Shi et al., "Real-time single
// image and video super-resolution using an efficient sub-pixel convolutional neural network",
// 2016), and its gradient.
#include <atomic>
#include <cmath>
#include <cstring>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

// Where each element of the result is in the input.
struct ResampleMap {
  Shape result;
  Shape::Dims repeat;  // elements along each dimension of the result, for one of the input
  Shape::Dims weight;  // the part of an element's position among those, in the free dimension
  Shape::Dims step;    // between neighbours of the input
  int free = -1;       // the dimension whose size follows

  // `op`: its name in errors.
  static absl::StatusOr<ResampleMap> Of(const Shape& input, const PartialShape& wanted,
                                        absl::string_view op) {
    ResampleMap map;
    const int rank = input.rank();
    Shape::Dims sizes(rank);
    int64_t others = 1;
    for (int d = 0; d < rank; ++d) {
      sizes[d] = wanted.dim(d);
      if (sizes[d] < 1) {
        if (map.free >= 0) {
          return InvalidArgument(
              "periodic_resample expects only one index to be marked as adjustable.");
        }
        map.free = d;
      } else if (sizes[d] < input.dim(d)) {
        return InvalidArgument(
            "periodic_resample expects the size of non-adjustable dimensions be at least as large "
            "as size of input tensor. Dimension ",
            d, " input tensor has size ", input.dim(d), ", desired shape has size ", sizes[d], ".");
      } else if (!MulFits(others, sizes[d], &others)) {
        return InvalidArgument("the desired shape has too many elements");
      }
    }
    if (map.free < 0) {
      return InvalidArgument(
          "periodic_resample expects at least one index to be marked as adjustable.");
    }
    sizes[map.free] = input.num_elements() / others;
    if (sizes[map.free] == 0) {
      return InvalidArgument(op, " found that the adjustable dimension, ", map.free,
                             ", isn't greater than zero, 0.");
    }
    SLUICE_ASSIGN(map.result, Shape::Create(sizes));
    map.Prepare(input);
    return map;
  }

  // The input's element for one of the result; -1 if it lies behind the last one. A position
  // beyond the free dimension counts further elements, as in TensorFlow.
  int64_t InputOf(int64_t element, const Shape& input) const {
    int64_t at = 0, position = 0, own = 0;
    for (int d = result.rank() - 1; d >= 0; --d) {
      const int64_t i = element % result.dim(d);
      element /= result.dim(d);
      if (d == free) {
        own = i;
      } else {
        at += i / repeat[d] * step[d];
        position += weight[d] * (i % repeat[d]);
      }
    }
    position = position * result.dim(free) + own;
    at += position * step[free];
    return at < input.num_elements() ? at : -1;
  }

 private:
  // The input is not empty: the result has as many elements, or fewer.
  void Prepare(const Shape& input) {
    const int rank = input.rank();
    step.assign(rank, 1);
    for (int d = rank - 1; d > 0; --d) step[d - 1] = step[d] * input.dim(d);
    int64_t product = 1;
    for (int d = 0; d < rank; ++d) {
      repeat.push_back(static_cast<int64_t>(
          std::ceil(static_cast<float>(result.dim(d)) / static_cast<float>(input.dim(d)))));
      weight.push_back(product);
      product *= repeat[d];
    }
  }
};

absl::Status CheckRanks(int rank, const PartialShape& wanted) {
  const int length = wanted.rank_known() ? wanted.rank() : 0;
  if (rank == length) return absl::OkStatus();
  return InvalidArgument("periodic_resample expects the rank of the input tensor, ", rank,
                         ", to be the same as the length of the desired shape, ", length, ".");
}

// Calls move(element of the result, element of the input) for all elements of the result.
template <typename Fn>
absl::Status ForEachPair(KernelContext& ctx, const ResampleMap& map, const Shape& input, Fn move) {
  std::atomic<bool> outside = false;
  ParallelFor(ctx.pool(), map.result.num_elements(), 20, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at = map.InputOf(i, input);
      if (at < 0)
        outside = true;
      else
        move(i, at);
    }
  });
  if (!outside) return absl::OkStatus();
  return InvalidArgument("a tensor of shape ", input, " has too few elements for shape ",
                         map.result);
}

struct PeriodicResample {
  PartialShape wanted;

  static absl::StatusOr<PeriodicResample> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const PartialShape wanted, node.Get<PartialShape>("shape"));
    return PeriodicResample{wanted};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(CheckRanks(in.rank(), wanted));
    SLUICE_ASSIGN(const ResampleMap map, ResampleMap::Of(in.shape(), wanted, "periodic_resample"));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, map.result));
    return VisitWidth(in.dtype(), [&]<typename T>(Type<T>) {
      if constexpr (requires(T & a, const T& b) { a = b; }) {
        const T* from = in.data<T>();
        T* to = out->mutable_data<T>();
        return ForEachPair(ctx, map, in.shape(), [&](int64_t i, int64_t at) { to[i] = from[at]; });
      }
      return absl::OkStatus();
    });
  }
};

struct PeriodicResampleGrad {
  Shape original;
  PartialShape wanted;

  static absl::StatusOr<PeriodicResampleGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const PartialShape original, node.Get<PartialShape>("original_shape"));
    SLUICE_ASSIGN(const PartialShape wanted, node.Get<PartialShape>("desired_shape"));
    SLUICE_ASSIGN(const Shape known, original.ToShape());
    return PeriodicResampleGrad{known, wanted};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& grad = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(CheckRanks(grad.rank(), wanted));
    SLUICE_RETURN_IF_ERROR(CheckRanks(original.rank(), wanted));
    SLUICE_ASSIGN(const ResampleMap map,
                  ResampleMap::Of(original, wanted, "periodic_resample gradient"));
    if (!(grad.shape() == map.result))
      return InvalidArgument("the gradient must have shape ", map.result, ", got ", grad.shape());
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, original));
    std::memset(out->raw(), 0, out->bytes());
    return VisitWidth(grad.dtype(), [&]<typename T>(Type<T>) {
      if constexpr (requires(T & a, const T& b) { a = b; }) {
        const T* from = grad.data<T>();
        T* to = out->mutable_data<T>();
        return ForEachPair(ctx, map, original, [&](int64_t i, int64_t at) { to[at] = from[i]; });
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterPeriodicResample(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", kPlain.Without(kBool)}};
  kernels.Add<PeriodicResample>("PeriodicResample", kCpu, types);
  kernels.Add<PeriodicResampleGrad>("PeriodicResampleOpGrad", kCpu, types);
}

}  // namespace sluice::kernels
