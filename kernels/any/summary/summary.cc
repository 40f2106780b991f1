// SPDX-License-Identifier: Apache-2.0
// Summary ops that return a serialised Summary: ScalarSummary, HistogramSummary, ImageSummary,
// AudioSummary(V2), TensorSummary(V2), MergeSummary.
#include "absl/container/flat_hash_set.h"
#include "core/codec/codec.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/summary/register.h"
#include "kernels/any/summary/summary_values.h"
#include "proto/summary.pb.h"

namespace sluice::kernels {
namespace {

absl::Status SetSummary(KernelContext& ctx, const proto::Summary& summary) {
  std::string bytes;
  if (summary.ByteSizeLong() > INT32_MAX || !summary.SerializeToString(&bytes)) {
    return ResourceExhausted("the summary is too large: ", summary.ByteSizeLong(), " bytes");
  }
  ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(bytes)));
  return absl::OkStatus();
}

struct ScalarSummary {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& tags = ctx.input(0);
    const Tensor& values = ctx.input(1);
    if (!(tags.shape() == values.shape())) {
      const std::string single =
          tags.num_elements() == 1 ? Cat(" (tag '", tags.scalar<std::string>(), "')") : "";
      return InvalidArgument("tags and values not the same shape: ", tags.shape(),
                             " != ", values.shape(), single);
    }
    proto::Summary summary;
    for (int64_t i = 0; i < tags.num_elements(); ++i) {
      SLUICE_ASSIGN(const double value, RealAt(values, i));
      auto* added = summary.add_value();
      added->set_tag(tags.data<std::string>()[i]);
      added->set_simple_value(static_cast<float>(value));
    }
    return SetSummary(ctx, summary);
  }
};

struct HistogramSummary {
  std::string node_name;

  static absl::StatusOr<HistogramSummary> Create(const NodeSpec& node) {
    return HistogramSummary{node.name};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(std::string tag, TagOf(ctx.input(0), "tags must be scalar"));
    proto::Summary summary;
    auto* value = summary.add_value();
    value->set_tag(std::move(tag));
    SLUICE_RETURN_IF_ERROR(FillHistogram(ctx.input(1), node_name, value->mutable_histo()));
    return SetSummary(ctx, summary);
  }
};

struct MergeSummary {
  absl::Status Run(KernelContext& ctx) const {
    proto::Summary merged;
    absl::flat_hash_set<std::string> tags;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      for (const std::string& bytes : ctx.input(i).flat<std::string>()) {
        proto::Summary part;
        if (!part.ParseFromString(bytes)) {
          return InvalidArgument("Could not parse one of the summary inputs");
        }
        for (auto& value : *part.mutable_value()) {
          if (!tags.insert(value.tag()).second) {
            return InvalidArgument("Duplicate tag ", value.tag(), " found in summary inputs");
          }
          merged.add_value()->Swap(&value);
        }
      }
    }
    return SetSummary(ctx, merged);
  }
};

struct ImageSummary {
  int64_t most;
  Tensor bad_color;

  static absl::StatusOr<ImageSummary> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t most, node.Get<int64_t>("max_images"));
    SLUICE_ASSIGN(Tensor color, node.Get<Tensor>("bad_color"));
    if (most < 1) return InvalidArgument("max_images must be at least 1, got ", most);
    if (color.dtype() != kUint8) {
      return InvalidArgument("bad_color must be uint8, got ", color.dtype());
    }
    if (color.rank() != 1) {
      return InvalidArgument("bad_color must be a vector, got shape ", color.shape());
    }
    return ImageSummary{most, std::move(color)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string tag, TagOf(ctx.input(0), "Tags must be a scalar"));
    proto::Summary summary;
    SLUICE_RETURN_IF_ERROR(AddImages(tag, ctx.input(1), most, bad_color, &summary));
    return SetSummary(ctx, summary);
  }
};

struct AudioSummary {
  int64_t most;
  float sample_rate;  // of V1; V2 has it as an input

  static absl::StatusOr<AudioSummary> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t most, node.Get<int64_t>("max_outputs"));
    if (most < 1) return InvalidArgument("max_outputs must be at least 1, got ", most);
    return AudioSummary{most, GetAttrOr(node.attrs, "sample_rate", 0.0f)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string tag, TagOf(ctx.input(0), "Tag must be a scalar"));
    float rate = sample_rate;
    if (ctx.num_inputs() > 2) {
      if (ctx.input(2).rank() != 0) {
        return InvalidArgument("sample_rate must be scalar, got shape ", ctx.input(2).shape());
      }
      rate = ctx.input(2).scalar<float>();
    }
    proto::Summary summary;
    SLUICE_RETURN_IF_ERROR(AddAudio(tag, ctx.input(1), rate, most, &summary));
    return SetSummary(ctx, summary);
  }
};

struct TensorSummary {
  std::string node_name;

  static absl::StatusOr<TensorSummary> Create(const NodeSpec& node) {
    return TensorSummary{node.name};
  }
  absl::Status Run(KernelContext& ctx) const {
    proto::Summary summary;
    auto* value = summary.add_value();
    value->set_node_name(node_name);
    SLUICE_RETURN_IF_ERROR(
        EncodeTensor(ctx.input(0), value->mutable_tensor(), TensorForm::kReadable));
    return SetSummary(ctx, summary);
  }
};

struct TensorSummaryV2 {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(std::string tag, TagOf(ctx.input(0), "tag must be scalar"));
    const Tensor& metadata = ctx.input(2);
    if (metadata.rank() != 0) {
      return InvalidArgument("serialized_summary_metadata must be scalar, got shape ",
                             metadata.shape());
    }
    proto::Summary summary;
    auto* value = summary.add_value();
    value->set_tag(std::move(tag));
    SLUICE_RETURN_IF_ERROR(
        EncodeTensor(ctx.input(1), value->mutable_tensor(), TensorForm::kReadable));
    if (!value->mutable_metadata()->ParseFromString(metadata.scalar<std::string>())) {
      return InvalidArgument("serialized_summary_metadata is not a SummaryMetadata");
    }
    return SetSummary(ctx, summary);
  }
};

}  // namespace

void RegisterSummaries(KernelRegistry& kernels) {
  const DTypeSet real = kReal.Without({kUint32, kUint64});
  kernels.Add<ScalarSummary>("ScalarSummary", kCpu, {{"T", real}});
  kernels.Add<HistogramSummary>("HistogramSummary", kCpu, {{"T", real}});
  kernels.Add<MergeSummary>("MergeSummary", kCpu);
  kernels.Add<ImageSummary>("ImageSummary", kCpu);
  kernels.Add<AudioSummary>("AudioSummary", kCpu);
  kernels.Add<AudioSummary>("AudioSummaryV2", kCpu);
  kernels.Add<TensorSummary>("TensorSummary", kCpu);
  kernels.Add<TensorSummaryV2>("TensorSummaryV2", kCpu);
}

}  // namespace sluice::kernels
