// SPDX-License-Identifier: Apache-2.0
// Ops that write events to a file themselves: SummaryWriter, CreateSummaryFileWriter,
// WriteScalarSummary, ...
#include "absl/time/clock.h"
#include "core/codec/codec.h"
#include "core/io/event_file.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/summary/event_writer.h"
#include "kernels/any/summary/register.h"
#include "kernels/any/summary/summary_values.h"
#include "kernels/common/resource_handle.h"
#include "proto/event.pb.h"

namespace sluice::kernels {
namespace {

// The name of a writer. The file is opened later, and may be closed and opened again.
struct SummaryWriter {
  std::string container, name, device;

  static absl::StatusOr<SummaryWriter> Create(const NodeSpec& node) {
    SummaryWriter writer{GetAttrOr(node.attrs, "container", std::string()),
                         GetAttrOr(node.attrs, "shared_name", std::string()), node.device};
    if (writer.container.empty()) writer.container = std::string(ResourceStore::kDefaultContainer);
    if (writer.name.empty()) writer.name = node.name;
    return writer;
  }
  absl::Status Run(KernelContext& ctx) const {
    ResourceHandle handle;
    handle.device = device;
    handle.container = container;
    handle.name = name;
    handle.type_name = std::string(EventWriter::kTypeName);
    ctx.SetOutput(0, Tensor::Scalar<ResourceHandle>(std::move(handle)));
    return absl::OkStatus();
  }
};

absl::StatusOr<const ResourceHandle*> HandleOf(const KernelContext& ctx) {
  if (ctx.input(0).num_elements() == 1) return &ctx.input(0).scalar<ResourceHandle>();
  return InvalidArgument("the writer must be one handle, got shape ", ctx.input(0).shape());
}

absl::StatusOr<RefPtr<EventWriter>> WriterOf(const KernelContext& ctx) {
  SLUICE_ASSIGN(const ResourceHandle* handle, HandleOf(ctx));
  return ctx.resources().Resolve<EventWriter>(*handle);
}

absl::StatusOr<const std::string*> OneString(const KernelContext& ctx, int input,
                                             absl::string_view name) {
  if (ctx.input(input).num_elements() == 1) return &ctx.input(input).scalar<std::string>();
  return InvalidArgument(name, " must be scalar, got shape ", ctx.input(input).shape());
}

struct CreateSummaryFileWriter {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const ResourceHandle* handle, HandleOf(ctx));
    SLUICE_ASSIGN(const std::string* folder, OneString(ctx, 1, "logdir"));
    SLUICE_ASSIGN(const int64_t queue, IntScalar(ctx.input(2)));
    SLUICE_ASSIGN(const int64_t milliseconds, IntScalar(ctx.input(3)));
    SLUICE_ASSIGN(const std::string* suffix, OneString(ctx, 4, "filename_suffix"));
    return ctx.resources()
        .LookupOrCreate<EventWriter>(
            handle->container, handle->name,
            [&]() -> absl::StatusOr<RefPtr<EventWriter>> {
              SLUICE_ASSIGN(std::unique_ptr<EventFile> file, EventFile::Create(*folder, *suffix));
              return MakeRefCounted<EventWriter>(std::move(file), queue,
                                                 absl::Milliseconds(milliseconds));
            })
        .status();
  }
};

struct CreateSummaryDbWriter {
  absl::Status Run(KernelContext&) const {
    return Unimplemented("summaries are not written to databases; use a file writer");
  }
};

struct FlushSummaryWriter {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<EventWriter> writer, WriterOf(ctx));
    return writer->Flush();
  }
};

struct CloseSummaryWriter {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<EventWriter> writer, WriterOf(ctx));
    SLUICE_ASSIGN(const ResourceHandle* handle, HandleOf(ctx));
    absl::Status flushed = writer->Flush();
    SLUICE_RETURN_IF_ERROR(
        ctx.resources().Delete(handle->container, EventWriter::kTypeName, handle->name));
    return flushed;
  }
};

absl::StatusOr<proto::Event> NewEvent(const KernelContext& ctx) {
  proto::Event event;
  event.set_wall_time(absl::ToDoubleSeconds(absl::Now() - absl::UnixEpoch()));
  SLUICE_ASSIGN(const int64_t step, IntScalar(ctx.input(1)));
  event.set_step(step);
  return event;
}

// The event of each op, from the inputs after writer and step.
absl::Status FillScalar(const KernelContext& ctx, const NodeSpec&, proto::Event* event) {
  SLUICE_ASSIGN(const std::string* tag, OneString(ctx, 2, "tag"));
  if (ctx.input(3).num_elements() != 1) {
    return InvalidArgument("value must be scalar, got shape ", ctx.input(3).shape());
  }
  SLUICE_ASSIGN(const double number, RealAt(ctx.input(3), 0));
  auto* value = event->mutable_summary()->add_value();
  value->set_tag(*tag);
  value->set_simple_value(static_cast<float>(number));
  return absl::OkStatus();
}

absl::Status FillTensor(const KernelContext& ctx, const NodeSpec&, proto::Event* event) {
  SLUICE_ASSIGN(const std::string* tag, OneString(ctx, 3, "tag"));
  SLUICE_ASSIGN(const std::string* metadata, OneString(ctx, 4, "summary_metadata"));
  auto* value = event->mutable_summary()->add_value();
  value->set_tag(*tag);
  if (!metadata->empty() && !value->mutable_metadata()->ParseFromString(*metadata)) {
    return InvalidArgument("summary_metadata is not a SummaryMetadata");
  }
  return EncodeTensor(ctx.input(2), value->mutable_tensor(), TensorForm::kReadable);
}

absl::Status FillHistogramEvent(const KernelContext& ctx, const NodeSpec& node,
                                proto::Event* event) {
  SLUICE_ASSIGN(const std::string* tag, OneString(ctx, 2, "tag"));
  auto* value = event->mutable_summary()->add_value();
  value->set_tag(*tag);
  return FillHistogram(ctx.input(3), node.name, value->mutable_histo());
}

absl::Status FillImage(const KernelContext& ctx, const NodeSpec& node, proto::Event* event) {
  SLUICE_ASSIGN(const std::string* tag, OneString(ctx, 2, "tag"));
  SLUICE_ASSIGN(const int64_t most, node.Get<int64_t>("max_images"));
  return AddImages(*tag, ctx.input(3), most, ctx.input(4), event->mutable_summary());
}

absl::Status FillAudio(const KernelContext& ctx, const NodeSpec& node, proto::Event* event) {
  SLUICE_ASSIGN(const std::string* tag, OneString(ctx, 2, "tag"));
  SLUICE_ASSIGN(const int64_t most, node.Get<int64_t>("max_outputs"));
  if (ctx.input(4).num_elements() != 1) {
    return InvalidArgument("sample_rate must be scalar, got shape ", ctx.input(4).shape());
  }
  return AddAudio(*tag, ctx.input(3), ctx.input(4).scalar<float>(), most, event->mutable_summary());
}

absl::Status FillGraph(const KernelContext& ctx, const NodeSpec&, proto::Event* event) {
  SLUICE_ASSIGN(const std::string* graph, OneString(ctx, 2, "tensor"));
  event->set_graph_def(*graph);
  return absl::OkStatus();
}

absl::Status FillRaw(const KernelContext& ctx, const NodeSpec&, proto::Event* event) {
  for (const std::string& bytes : ctx.input(2).flat<std::string>()) {
    proto::Summary part;
    if (!part.ParseFromString(bytes)) {
      return DataLoss("Bad tf.compat.v1.Summary binary proto tensor string");
    }
    event->mutable_summary()->MergeFrom(part);
  }
  return absl::OkStatus();
}

using Fill = absl::Status (*)(const KernelContext&, const NodeSpec&, proto::Event*);

struct WriteEvent {
  Fill fill;
  NodeSpec node;

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<EventWriter> writer, WriterOf(ctx));
    SLUICE_ASSIGN(proto::Event event, NewEvent(ctx));
    SLUICE_RETURN_IF_ERROR(fill(ctx, node, &event));
    return writer->Write(event);
  }
};

struct ImportEvent {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<EventWriter> writer, WriterOf(ctx));
    SLUICE_ASSIGN(const std::string* bytes, OneString(ctx, 1, "event"));
    proto::Event event;
    if (!event.ParseFromString(*bytes)) {
      return DataLoss("Bad tf.Event binary proto tensor string");
    }
    return writer->Write(event);
  }
};

constexpr std::pair<const char*, Fill> kEvents[] = {
    {"WriteScalarSummary", FillScalar},
    {"WriteSummary", FillTensor},
    {"WriteHistogramSummary", FillHistogramEvent},
    {"WriteImageSummary", FillImage},
    {"WriteAudioSummary", FillAudio},
    {"WriteGraphSummary", FillGraph},
    {"WriteRawProtoSummary", FillRaw},
};

}  // namespace

void RegisterSummaryWriters(KernelRegistry& kernels) {
  kernels.Add<SummaryWriter>("SummaryWriter", kCpu, {}, kCheap);
  kernels.Add<CreateSummaryFileWriter>("CreateSummaryFileWriter", kCpu);
  kernels.Add<CreateSummaryDbWriter>("CreateSummaryDbWriter", kCpu);
  kernels.Add<FlushSummaryWriter>("FlushSummaryWriter", kCpu);
  kernels.Add<CloseSummaryWriter>("CloseSummaryWriter", kCpu);
  kernels.Add<ImportEvent>("ImportEvent", kCpu);
  for (const auto& [op, fill] : kEvents) {
    kernels.AddWith(
        [fill = fill](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
          return MakeKernel(WriteEvent{fill, node});
        },
        op, kCpu);
  }
}

}  // namespace sluice::kernels
