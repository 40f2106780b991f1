// SPDX-License-Identifier: Apache-2.0
// Pad, PadV2, MirrorPad and MirrorPadGrad on the GPU.
#include "kernels/cuda/array/pad.h"

#include "kernels/common/array/pad_plan.h"
#include "kernels/common/primitives.h"
#include "kernels/cuda/array/register.h"
#include "kernels/cuda/common/kernel.h"

namespace sluice::kernels {
namespace {

// The dimensions of a launch, joined where nothing is padded.
absl::StatusOr<std::vector<cuda::PadDim>> DimsOf(const Shape& input, const Paddings& paddings,
                                                 const Shape& padded) {
  std::vector<cuda::PadDim> dims;
  for (int d = 0; d < input.rank(); ++d)
    dims.push_back({input.dim(d), paddings[d].before, padded.dim(d)});
  dims.resize(
      static_cast<size_t>(cuda::SimplifyPadding(dims.data(), static_cast<int>(dims.size()))));
  if (dims.size() > cuda::kMaxPadRank)
    return Unimplemented("padding in ", dims.size(), " dimensions on a GPU");
  return dims;
}

struct Pad {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    SLUICE_ASSIGN(const Paddings paddings, ReadPaddings(ctx.input(1), input.shape()));
    const bool has_value = ctx.num_inputs() > 2;
    if (has_value) SLUICE_RETURN_IF_ERROR(CheckPadValue(ctx.input(2).shape()));
    SLUICE_ASSIGN(const Shape shape, PaddedShape(input.shape(), paddings));
    if (shape == input.shape()) {
      ctx.SetOutput(0, input);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_ASSIGN(const auto dims, DimsOf(input.shape(), paddings, shape));
    const uint64_t zero[2] = {};
    return Launched(cuda::LaunchPad(
        static_cast<int>(SizeOf(input.dtype())), dims.data(), static_cast<int>(dims.size()),
        has_value ? ctx.input(2).raw() : zero, input.raw(), out->raw(), StreamOf(ctx)));
  }
};

// Not joined: each dimension is mirrored for itself.
absl::StatusOr<std::vector<cuda::PadDim>> MirroredDims(const Shape& inner, const Paddings& paddings,
                                                       const Shape& padded) {
  std::vector<cuda::PadDim> dims;
  for (int d = 0; d < padded.rank(); ++d)
    dims.push_back({inner.dim(d), paddings[d].before, padded.dim(d)});
  if (dims.size() > cuda::kMaxPadRank)
    return Unimplemented("padding in ", dims.size(), " dimensions on a GPU");
  return dims;
}

struct MirrorPad {
  bool reflect;

  static absl::StatusOr<MirrorPad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool reflect, Reflects(node));
    return MirrorPad{reflect};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    SLUICE_ASSIGN(const Paddings paddings, ReadPaddings(ctx.input(1), input.shape()));
    SLUICE_ASSIGN(const Shape shape, PaddedShape(input.shape(), paddings));
    SLUICE_RETURN_IF_ERROR(CheckMirrored(input.shape(), paddings, reflect, "dimension size"));
    if (shape == input.shape()) {
      ctx.SetOutput(0, input);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_ASSIGN(const auto dims, MirroredDims(input.shape(), paddings, shape));
    return Launched(cuda::LaunchMirrorPad(static_cast<int>(SizeOf(input.dtype())), dims.data(),
                                          static_cast<int>(dims.size()), reflect, input.raw(),
                                          out->raw(), StreamOf(ctx)));
  }
};

struct MirrorPadGrad {
  bool reflect;

  static absl::StatusOr<MirrorPadGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool reflect, Reflects(node));
    return MirrorPadGrad{reflect};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& grad = ctx.input(0);
    SLUICE_ASSIGN(const Paddings paddings, ReadPaddings(ctx.input(1), grad.shape()));
    SLUICE_ASSIGN(const Shape shape, UnpaddedShape(grad.shape(), paddings));
    SLUICE_RETURN_IF_ERROR(CheckMirrored(shape, paddings, reflect, "output dimension size"));
    if (shape == grad.shape()) {
      ctx.SetOutput(0, grad);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_ASSIGN(const auto dims, MirroredDims(shape, paddings, grad.shape()));
    return Launched(cuda::LaunchMirrorPadGrad(ElementOf(grad.dtype()), dims.data(),
                                              static_cast<int>(dims.size()), reflect, grad.raw(),
                                              out->raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaPad(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types = {{"T", kPlain.Without({kInt32})},
                                             {"Tpaddings", kIndex}};
  kernels.Add<Pad>("Pad", kGpu, types, HostMemory{"paddings"});
  kernels.Add<Pad>("PadV2", kGpu, types, HostMemory{"paddings", "constant_values"});
  kernels.Add<MirrorPad>("MirrorPad", kGpu, {{"T", kPlain}, {"Tpaddings", kIndex}},
                         HostMemory{"paddings"});
  kernels.Add<MirrorPadGrad>("MirrorPadGrad", kGpu, {{"T", kFloating}, {"Tpaddings", kIndex}},
                             HostMemory{"paddings"});
}

}  // namespace sluice::kernels
