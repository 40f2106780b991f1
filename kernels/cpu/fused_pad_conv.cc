// Ops that are others in a row: resizing, mirrored padding and convolution.
#include <memory>
#include <vector>

#include "core/kernel_registry.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

// One op of the row. Its first input is what the one before made, the others are the node's.
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

struct FusedPadConv {
  std::vector<Stage> stages;  // (resize, cast,) pad, convolve

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
    int paddings = 1;
    if (stages.size() == 4) {
      SLUICE_ASSIGN(images, stages[at++].Run(ctx, images, {paddings++}));
      SLUICE_ASSIGN(images, stages[at++].Run(ctx, images, {}));
    }
    SLUICE_ASSIGN(images, stages[at++].Run(ctx, images, {paddings}));
    SLUICE_ASSIGN(images, stages[at].Run(ctx, images, {paddings + 1}));
    ctx.SetOutput(0, std::move(images));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterFusedPadConv(KernelRegistry& kernels) {
  for (const char* op : {"FusedPadConv2D", "FusedResizeAndPadConv2D"}) {
    kernels.Add<FusedPadConv>(op, kCpu, {{"T", {kHalf, kFloat, kDouble}}});
  }
}

}  // namespace sluice::kernels
