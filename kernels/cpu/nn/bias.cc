// SPDX-License-Identifier: Apache-2.0
// BiasAdd and its gradient, alone and with that of Relu.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/math_plan.h"
#include "kernels/common/nn/activations.h"
#include "kernels/common/nn/bias_plan.h"
#include "kernels/common/nn/data_format.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

using BiasTypes = NumericTypes;

// Integers wrap; narrow floats are summed in float.
template <typename T, bool = std::is_integral_v<T>>
struct Sum {
  using type = ComputeType<T>;
};
template <typename T>
struct Sum<T, true> {
  using type = std::make_unsigned_t<T>;
};
template <typename T>
using SumType = typename Sum<T>::type;

struct BiasAdd {
  bool channels_first;

  static absl::StatusOr<BiasAdd> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool first, ChannelsFirst(node));
    return BiasAdd{first};
  }

  template <typename T>
  static void Add(const BiasPlan& c, const T* in, const T* bias, T* out, WorkQueue* pool) {
    using S = SumType<T>;
    if (c.inner == 1) {
      ParallelFor(pool, c.outer, 0.3 * c.channels, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin * c.channels; i < end * c.channels; i += c.channels) {
          for (int64_t j = 0; j < c.channels; ++j) out[i + j] = T(S(in[i + j]) + S(bias[j]));
        }
      });
      return;
    }
    ParallelFor(pool, c.outer * c.channels, 0.3 * c.inner, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const S b = S(bias[i % c.channels]);
        for (int64_t j = i * c.inner; j < (i + 1) * c.inner; ++j) out[j] = T(S(in[j]) + b);
      }
    });
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    const Tensor& bias = ctx.input(1);
    SLUICE_ASSIGN(const BiasPlan c, BiasPlan::OfAdd(shape, bias.shape(), channels_first));
    const DType dtype = ctx.input(0).dtype();
    const void* in = ctx.input(0).raw();  // stays valid: if forwarded, it is the output
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitDType(BiasTypes{}, dtype, [&]<typename T>(Type<T>) {
      Add<T>(c, static_cast<const T*>(in), bias.data<T>(), out->mutable_data<T>(), ctx.pool());
      return absl::OkStatus();
    });
  }
};

struct BiasAddGrad {
  bool channels_first;

  static absl::StatusOr<BiasAddGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool first, ChannelsFirst(node));
    return BiasAddGrad{first};
  }

  // Rows are summed in blocks, then the blocks. This shortens chains of rounding, and the result
  // does not depend on the number of threads.
  static constexpr int64_t kBlock = 128;

  // at(i): the i-th element. It is called once for each.
  template <typename T, typename At>
  static void SumRows(const BiasPlan& c, const At& at, T* out, WorkQueue* pool) {
    using S = SumType<T>;
    const int64_t blocks = std::max<int64_t>(1, (c.outer + kBlock - 1) / kBlock);
    std::vector<S> sums(blocks * c.channels, S());
    ParallelFor(pool, blocks, 0.3 * kBlock * c.channels, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        S* sum = sums.data() + b * c.channels;
        const int64_t last = std::min(c.outer, (b + 1) * kBlock);
        for (int64_t i = b * kBlock; i < last; ++i) {
#pragma GCC ivdep
          for (int64_t j = 0; j < c.channels; ++j) sum[j] = S(sum[j] + S(at(i * c.channels + j)));
        }
      }
    });
    for (int64_t b = 1; b < blocks; ++b) {
      for (int64_t j = 0; j < c.channels; ++j) sums[j] = S(sums[j] + sums[b * c.channels + j]);
    }
    for (int64_t j = 0; j < c.channels; ++j) out[j] = T(sums[j]);
  }

  template <typename T>
  static void SumPlanes(const BiasPlan& c, const T* in, T* out, WorkQueue* pool) {
    using S = SumType<T>;
    ParallelFor(pool, c.channels, 0.5 * c.outer * c.inner, [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) {
        S total = S();
        for (int64_t i = 0; i < c.outer; ++i) {
          const T* plane = in + (i * c.channels + j) * c.inner;
          S sum = S();
          for (int64_t p = 0; p < c.inner; ++p) sum = S(sum + S(plane[p]));
          total = S(total + sum);
        }
        out[j] = T(total);
      }
    });
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(const BiasPlan c, BiasPlan::OfGrad(in.shape(), channels_first));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{c.channels}));
    return VisitDType(BiasTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      T* sums = out->mutable_data<T>();
      if (in.num_elements() == 0) {
        std::fill_n(sums, c.channels, T());
      } else if (c.inner == 1) {
        const T* const values = in.data<T>();
        const auto value_at = [values](int64_t i) { return values[i]; };
        SumRows<T>(c, value_at, sums, ctx.pool());
      } else {
        SumPlanes<T>(c, in.data<T>(), sums, ctx.pool());
      }
      return absl::OkStatus();
    });
  }
};

// ReluGrad, and BiasAddGrad of its result, of tensors with channels last.
struct ReluAndBiasGrad {
  OperandRule rule;

  static absl::StatusOr<ReluAndBiasGrad> Create(const NodeSpec& node) {
    return ReluAndBiasGrad{OperandRule::Create(node, /*same_shape=*/true, /*any_shape=*/false)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    if (shape != ctx.input(1).shape()) return rule.Meet(shape, ctx.input(1).shape()).status();
    SLUICE_ASSIGN(const BiasPlan c, BiasPlan::OfGrad(shape, false));
    const float* const gradients = ctx.input(0).data<float>();  // stay valid if forwarded
    const float* const features = ctx.input(1).data<float>();
    SLUICE_ASSIGN(Tensor * backprops, ctx.ForwardOrAllocate({0}, 0, shape));
    SLUICE_ASSIGN(Tensor * sums, ctx.AllocateOutput(1, Shape{c.channels}));
    if (shape.num_elements() == 0) {
      std::fill_n(sums->mutable_data<float>(), c.channels, 0.0f);
      return absl::OkStatus();
    }
    float* const to = backprops->mutable_data<float>();
    const auto grad_at = [=](int64_t i) {
      return to[i] = activations::ReluGrad{}(gradients[i], features[i]);
    };
    BiasAddGrad::SumRows<float>(c, grad_at, sums->mutable_data<float>(), ctx.pool());
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterBias(KernelRegistry& kernels) {
  const DTypeSet types = SetOf(BiasTypes{});
  kernels.Add<BiasAdd>("BiasAdd", kCpu, {{"T", types}});
  kernels.Add<BiasAdd>("BiasAddV1", kCpu, {{"T", types}});
  kernels.Add<BiasAddGrad>("BiasAddGrad", kCpu, {{"T", types}});
  kernels.Add<ReluAndBiasGrad>("_FusedReluGrad", kCpu, {{"T", kFloat}});
}

}  // namespace sluice::kernels
