// SPDX-License-Identifier: Apache-2.0
// Normalisation with given means and variances, one for each channel, and its gradient: ops of old
// graphs.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

struct GlobalBatchNorm {
  float epsilon;
  bool scale;  // whether to multiply by gamma

  static absl::StatusOr<GlobalBatchNorm> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const float epsilon, node.Get<float>("variance_epsilon"));
    SLUICE_ASSIGN(const bool scale, node.Get<bool>("scale_after_normalization"));
    return GlobalBatchNorm{epsilon, scale};
  }

  // Inputs 1 to 4 are vectors over channels; in the gradient, the last one has the size of the
  // images.
  static absl::Status Check(const KernelContext& ctx, int vectors) {
    const Tensor& images = ctx.input(0);
    if (images.rank() != 4) return InvalidArgument("input must be 4-dimensional", images.shape());
    static constexpr const char* kNames[] = {"mean", "var", "beta or gamma", "gamma"};
    for (int i = 1; i <= vectors; ++i) {
      const Shape& shape = ctx.input(i).shape();
      if (shape.rank() != 1) return InvalidArgument(kNames[i - 1], " must be 1-dimensional", shape);
      if (shape.dim(0) == images.dim(3)) continue;
      return InvalidArgument(kNames[i - 1], " must have ", images.dim(3), " elements, but has ",
                             shape.dim(0));
    }
    return absl::OkStatus();
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(Check(ctx, 4));
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    const int64_t channels = in.dim(3);
    return VisitDType(FloatingTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      using C = ComputeType<T>;
      const auto at = [&](int i, int64_t c) { return static_cast<C>(ctx.input(i).data<T>()[c]); };
      std::vector<C> factor(channels), shift(channels);
      for (int64_t c = 0; c < channels; ++c) {
        factor[c] = 1 / std::sqrt(at(2, c) + static_cast<C>(epsilon));
        if (scale) factor[c] *= at(4, c);
        shift[c] = at(3, c) - at(1, c) * factor[c];
      }
      for (int64_t i = 0; i < in.num_elements(); ++i) {
        const int64_t c = i % channels;
        out->mutable_data<T>()[i] = T(static_cast<C>(in.data<T>()[i]) * factor[c] + shift[c]);
      }
      return absl::OkStatus();
    });
  }
};

struct GlobalBatchNormGrad {  // t, m, v, gamma, backprop -> dx, dm, dv, db, dg
  GlobalBatchNorm norm;

  static absl::StatusOr<GlobalBatchNormGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const GlobalBatchNorm norm, GlobalBatchNorm::Create(node));
    return GlobalBatchNormGrad{norm};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(GlobalBatchNorm::Check(ctx, 3));
    const Tensor &in = ctx.input(0), &grad = ctx.input(4);
    if (!(grad.shape() == in.shape())) {
      return InvalidArgument("out_backprop must have shape ", in.shape(), ", but has ",
                             grad.shape());
    }
    const int64_t channels = in.dim(3);
    Tensor* out[5];
    for (int i = 0; i < 5; ++i) {
      SLUICE_ASSIGN(out[i], ctx.AllocateOutput(i, i == 0 ? in.shape() : Shape{channels}));
    }
    return VisitDType(FloatingTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      using C = ComputeType<T>;
      const auto at = [&](int i, int64_t c) { return static_cast<C>(ctx.input(i).data<T>()[c]); };
      std::vector<C> factor(channels), sum(channels), moment(channels);
      for (int64_t c = 0; c < channels; ++c) {
        factor[c] = 1 / std::sqrt(at(2, c) + static_cast<C>(norm.epsilon));
      }
      for (int64_t i = 0; i < in.num_elements(); ++i) {
        const int64_t c = i % channels;
        const C dy = at(4, i);
        sum[c] += dy;
        moment[c] += dy * (at(0, i) - at(1, c));
        out[0]->mutable_data<T>()[i] = T(dy * factor[c] * (norm.scale ? at(3, c) : C(1)));
      }
      for (int64_t c = 0; c < channels; ++c) {
        const C gamma = norm.scale ? at(3, c) : C(1);
        const C cube = factor[c] * factor[c] * factor[c];
        out[1]->mutable_data<T>()[c] = T(-sum[c] * gamma * factor[c]);
        out[2]->mutable_data<T>()[c] = T(moment[c] * gamma * cube / -2);
        out[3]->mutable_data<T>()[c] = T(sum[c]);
        out[4]->mutable_data<T>()[c] = T(norm.scale ? moment[c] * factor[c] : C(0));
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterGlobalBatchNorm(KernelRegistry& kernels) {
  kernels.Add<GlobalBatchNorm>("BatchNormWithGlobalNormalization", kCpu, {{"T", kFloating}});
  kernels.Add<GlobalBatchNormGrad>("BatchNormWithGlobalNormalizationGrad", kCpu,
                                   {{"T", kFloating}});
}

}  // namespace sluice::kernels
