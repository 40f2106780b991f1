// SPDX-License-Identifier: Apache-2.0
// Ops that combine several: resizing, mirrored padding and convolution.
#include <memory>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/window.h"
#include "kernels/common/strided_copy.h"
#include "kernels/cpu/array/register.h"
#include "kernels/cpu/image/register.h"
#include "kernels/cpu/math/register.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

// One op of the sequence. Its first input is the previous op's output, the others are the node's
// inputs.
struct Stage {
  std::unique_ptr<Kernel> kernel;
  DType output_type;

  static absl::StatusOr<Stage> Create(const KernelRegistry& kernels, const NodeSpec& whole,
                                      absl::string_view op, AttrMap attrs,
                                      std::vector<DType> inputs, DType output) {
    NodeSpec node;
    node.name = whole.name;
    node.op = std::string(op);
    node.device = whole.device;
    node.attrs = std::move(attrs);
    node.input_types = std::move(inputs);
    node.output_types = {output};
    SLUICE_ASSIGN(std::unique_ptr<Kernel> kernel, kernels.Make(node, kCpu));
    return Stage{std::move(kernel), output};
  }

  absl::StatusOr<Tensor> Run(const KernelContext& ctx, const Tensor& first,
                             std::initializer_list<int> others) const {
    std::vector<Slot> inputs(1 + others.size()), outputs(1);
    inputs[0].value = first;
    size_t next = 1;
    for (int i : others) inputs[next++].value = ctx.input(i);
    for (Slot& slot : inputs) slot.state = Slot::State::kValue;
    KernelContext inner(ctx.step(), absl::MakeSpan(inputs), absl::MakeSpan(outputs), &output_type,
                        ctx.frame(), ctx.iteration());
    SLUICE_RETURN_IF_ERROR(kernel->Run(inner));
    return std::move(outputs[0].value);
  }
};

// Leading rows or columns that the filter never reaches. If the strides leave some over, these ops,
// unlike Conv2D, leave half of them on either side (with VALID, one less in front).
int64_t LeftOver(const Window& window, Padding padding) {
  const int64_t reach = (window.out - 1) * window.stride + window.kernel;
  return std::max<int64_t>(0, (window.in - reach - (padding == Padding::kValid ? 1 : 0)) / 2);
}

// The image without its first rows and columns.
absl::StatusOr<Tensor> From(KernelContext& ctx, const Tensor& image, int64_t row, int64_t column) {
  if (row == 0 && column == 0) return image;
  const Shape shape{image.dim(0), image.dim(1) - row, image.dim(2) - column, image.dim(3)};
  SLUICE_ASSIGN(Tensor rest, ctx.AllocateTemporary(image.dtype(), shape));
  const Shape::Dims from = DenseStrides(image.shape()), to = DenseStrides(shape);
  CopyDims dims;
  for (int d = 0; d < shape.rank(); ++d) dims.push_back({shape.dim(d), from[d], to[d]});
  const size_t offset = (row * from[1] + column * from[2]) * SizeOf(image.dtype());
  StridedCopy(ctx.pool(), image.dtype(), dims, static_cast<const char*>(image.raw()) + offset,
              rest.raw());
  return rest;
}

struct FusedPadConv {
  std::vector<Stage> stages;  // (resize, cast,) pad, convolve
  WindowAttrs window;

  static absl::StatusOr<FusedPadConv> Create(const NodeSpec& node) {
    static const KernelRegistry& parts = *[] {
      auto* kernels = new KernelRegistry;
      RegisterResize(*kernels);
      RegisterCast(*kernels);
      RegisterPad(*kernels);
      RegisterConv(*kernels);
      return kernels;
    }();
    const DType type = node.input_types[0];
    FusedPadConv fused;
    const auto add = [&](absl::string_view op, AttrMap attrs, std::vector<DType> inputs,
                         DType output) -> absl::Status {
      SLUICE_ASSIGN(Stage stage,
                    Stage::Create(parts, node, op, std::move(attrs), std::move(inputs), output));
      fused.stages.push_back(std::move(stage));
      return absl::OkStatus();
    };
    if (node.op == "FusedResizeAndPadConv2D") {
      SLUICE_ASSIGN(const bool align, node.Get<bool>("resize_align_corners"));
      SLUICE_RETURN_IF_ERROR(add(
          "ResizeBilinear", {{"T", type}, {"align_corners", align}, {"half_pixel_centers", false}},
          {type, kInt32}, kFloat));
      SLUICE_RETURN_IF_ERROR(
          add("Cast", {{"SrcT", kFloat}, {"DstT", type}, {"Truncate", false}}, {kFloat}, type));
    }
    SLUICE_ASSIGN(fused.window, WindowAttrs::Create(node));
    AttrMap pad{{"T", type}, {"Tpaddings", kInt32}}, conv{{"T", type}};
    SLUICE_ASSIGN(const auto mode, node.Get<std::string>("mode"));
    SLUICE_ASSIGN(const auto padding, node.Get<std::string>("padding"));
    SLUICE_ASSIGN(const auto strides, node.Get<std::vector<int64_t>>("strides"));
    pad["mode"] = mode;
    conv["padding"] = padding;
    conv["strides"] = strides;
    conv["data_format"] = std::string("NHWC");
    SLUICE_RETURN_IF_ERROR(add("MirrorPad", std::move(pad), {type, kInt32}, type));
    SLUICE_RETURN_IF_ERROR(add("Conv2D", std::move(conv), {type, type}, type));
    return fused;
  }

  absl::Status Run(KernelContext& ctx) const {
    Tensor images = ctx.input(0);
    if (images.rank() != 4) {
      return InvalidArgument("input must be 4-dimensional", images.shape());
    }
    size_t at = 0;
    int paddings = stages.size() == 4 ? 2 : 1;  // index of the input
    const Tensor& filter = ctx.input(paddings + 1);
    if (filter.rank() == 4 && filter.dim(2) != images.dim(3)) {
      return InvalidArgument("input and filter must have the same depth: ", images.dim(3), " vs ",
                             filter.dim(2));
    }
    if (stages.size() == 4) {
      SLUICE_ASSIGN(images, stages[at++].Run(ctx, images, {1}));
      SLUICE_ASSIGN(images, stages[at++].Run(ctx, images, {}));
    }
    SLUICE_ASSIGN(images, stages[at++].Run(ctx, images, {paddings}));
    SLUICE_ASSIGN(images, SkipLeftOver(ctx, images, filter.shape()));
    SLUICE_ASSIGN(images, stages[at].Run(ctx, images, {paddings + 1}));
    ctx.SetOutput(0, std::move(images));
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<Tensor> SkipLeftOver(KernelContext& ctx, const Tensor& images,
                                      const Shape& filter) const {
    // Conv2D reports the error
    if (filter.rank() != 4 || images.num_elements() == 0) return images;
    SLUICE_ASSIGN(const Window rows, PlaceWindow(window, 0, images.dim(1), filter.dim(0)));
    SLUICE_ASSIGN(const Window columns, PlaceWindow(window, 1, images.dim(2), filter.dim(1)));
    return From(ctx, images, LeftOver(rows, window.padding), LeftOver(columns, window.padding));
  }
};

}  // namespace

void RegisterFusedPadConv(KernelRegistry& kernels) {
  for (const char* op : {"FusedPadConv2D", "FusedResizeAndPadConv2D"}) {
    kernels.Add<FusedPadConv>(op, kCpu, {{"T", {kHalf, kFloat, kDouble}}});
  }
}

}  // namespace sluice::kernels
