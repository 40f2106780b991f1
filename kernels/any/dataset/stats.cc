// SPDX-License-Identifier: Apache-2.0
// Statistics of data sets: who measures, who gathers, summaries of them.
#include <map>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/changed_run.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/dataset/stats/measured_stage.h"
#include "kernels/any/summary/event_writer.h"
#include "kernels/any/summary/histogram.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/node_names.h"
#include "kernels/common/dataset/stats_sink.h"
#include "kernels/common/resource_handle.h"
#include "proto/event.pb.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// The histograms and scalars of measurements, by name. A StatsAggregatorHandleV2 writes each change
// of one as an event, if a writer is set.
//
// Owner:    its store, and the data sets.
// Threads:  any.
class StatsAggregator final : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow4data23StatsAggregatorResourceE";

  explicit StatsAggregator(bool writes_events) : writes_events_(writes_events) {}
  std::string ToString() const override { return "StatsAggregator"; }
  absl::string_view type_name() const override { return kTypeName; }

  void Add(const std::string& name, double value, int64_t number) {
    absl::MutexLock lock(&mu_);
    Histogram& histogram = histograms_[name];
    histogram.Add(value);
    WriteEvent(name, number,
               [&](proto::Summary::Value& to) { histogram.Fill(to.mutable_histo()); });
  }
  void Set(const std::string& name, double value, int64_t number) {
    const auto rounded = static_cast<float>(value);
    absl::MutexLock lock(&mu_);
    if (!writes_events_) scalars_[name] = rounded;
    WriteEvent(name, number, [&](proto::Summary::Value& to) { to.set_simple_value(rounded); });
  }
  void SetWriter(RefPtr<EventWriter> writer) {
    absl::MutexLock lock(&mu_);
    if (writes_events_) writer_ = std::move(writer);
  }
  // Fails if an event could not be written.
  absl::StatusOr<std::string> Summary() const {
    absl::MutexLock lock(&mu_);
    SLUICE_RETURN_IF_ERROR(failure_);
    proto::Summary summary;
    for (const auto& [name, histogram] : histograms_) {
      if (writes_events_) break;
      auto* value = summary.add_value();
      value->set_tag(name);
      histogram.Fill(value->mutable_histo());
    }
    for (const auto& [name, scalar] : scalars_) {
      auto* value = summary.add_value();
      value->set_tag(name);
      value->set_simple_value(scalar);
    }
    std::string bytes;
    if (summary.ByteSizeLong() > INT32_MAX || !summary.SerializeToString(&bytes)) {
      return ResourceExhausted("the summary is too large: ", summary.ByteSizeLong(), " bytes");
    }
    return bytes;
  }

 private:
  // fill() sets the value of the event.
  template <typename Fill>
  void WriteEvent(const std::string& name, int64_t number, const Fill& fill)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (writer_ == nullptr) return;
    proto::Event event;
    event.set_step(number);
    event.set_wall_time(absl::ToDoubleSeconds(absl::Now() - absl::UnixEpoch()));
    auto* summary = event.mutable_summary()->add_value();
    summary->set_tag(name);
    fill(*summary);
    failure_.Update(writer_->Write(event));
  }

  const bool writes_events_;
  mutable absl::Mutex mu_;
  std::map<std::string, Histogram> histograms_ ABSL_GUARDED_BY(mu_);
  std::map<std::string, float> scalars_ ABSL_GUARDED_BY(mu_);
  RefPtr<EventWriter> writer_ ABSL_GUARDED_BY(mu_);
  absl::Status failure_ ABSL_GUARDED_BY(mu_);
};

struct StatsAggregatorHandle {
  NamedResource<StatsAggregator> kept;
  bool writes_events;

  StatsAggregatorHandle(ResourcePlace place, bool writes)
      : kept(std::move(place)), writes_events(writes) {}
  static absl::StatusOr<std::unique_ptr<StatsAggregatorHandle>> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node));
    return std::make_unique<StatsAggregatorHandle>(std::move(place),
                                                   node.op == "StatsAggregatorHandleV2");
  }
  absl::Status Run(KernelContext& ctx) const {
    return kept.HandOut(ctx, [&](const std::string&) -> absl::StatusOr<RefPtr<StatsAggregator>> {
      return MakeRefCounted<StatsAggregator>(writes_events);
    });
  }
};

struct StatsAggregatorSummary {
  absl::Status Run(KernelContext& ctx) const {
    if (ctx.input(0).rank() != 0) return InvalidArgument("resource_handle must be a scalar");
    SLUICE_ASSIGN(const RefPtr<StatsAggregator> stats, ResourceOf<StatsAggregator>(ctx, 0));
    SLUICE_ASSIGN(std::string summary, stats->Summary());
    ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(summary)));
    return absl::OkStatus();
  }
};

struct SetSummaryWriter {
  absl::Status Run(KernelContext& ctx) const {
    if (ctx.input(0).rank() != 0) return InvalidArgument("resource_handle must be a scalar");
    SLUICE_ASSIGN(const RefPtr<StatsAggregator> stats, ResourceOf<StatsAggregator>(ctx, 0));
    SLUICE_ASSIGN(RefPtr<EventWriter> writer, ResourceOf<EventWriter>(ctx, 1));
    stats->SetWriter(std::move(writer));
    return absl::OkStatus();
  }
};

// SetStatsAggregatorDataset: the input's elements, whose stages are measured.
class Measured final : public ChangedRun {
 public:
  Measured(ElementSpec spec, Input input, RefPtr<StatsAggregator> stats, const std::string& tag,
           bool later_release)
      : ChangedRun(std::move(spec), std::move(input)),
        sink_(std::move(stats), tag.empty() ? tag : tag + "::"),
        later_release_(later_release) {}

 private:
  void Change(Running& running) const override {
    running.stats = &sink_;
    // Later releases optimise each graph. 1.15 has a node for it.
    if (!later_release_) return;
    const auto make = [&] { return NodeNames::Of(input(), input()); };
    running.names = running.state->kept.Of<NodeNames>(running.place, make).get();
  }

  class Tagged final : public StatsSink {
   public:
    Tagged(RefPtr<StatsAggregator> stats, std::string prefix)
        : stats_(std::move(stats)), prefix_(std::move(prefix)) {}
    void Add(const std::string& name, double value, int64_t number) override {
      stats_->Add(prefix_ + name, value, number);
    }
    void Set(const std::string& name, double value, int64_t number) override {
      stats_->Set(prefix_ + name, value, number);
    }

   private:
    const RefPtr<StatsAggregator> stats_;
    const std::string prefix_;
  };
  mutable Tagged sink_;
  const bool later_release_;
};

struct SetStatsAggregatorDataset {
  ElementSpec spec;
  bool later_release;
  static absl::StatusOr<SetStatsAggregatorDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return SetStatsAggregatorDataset{std::move(spec), !IsFrom1x(node)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(RefPtr<StatsAggregator> stats, ResourceOf<StatsAggregator>(ctx, 1));
    SLUICE_ASSIGN(const std::string tag, ScalarInput<std::string>(ctx, 2, "tag"));
    // The prefix is of the names of counters, which no summary has.
    SLUICE_RETURN_IF_ERROR(ScalarInput<std::string>(ctx, 3, "counter_prefix").status());
    SetDataSet(ctx, MakeRefCounted<Measured>(spec, std::move(input), std::move(stats), tag,
                                             later_release));
    return absl::OkStatus();
  }
};

// LatencyStatsDataset and BytesProducedStatsDataset: the input's elements, which are measured.
class Measuring final : public DataSet {
 public:
  Measuring(ElementSpec spec, Input input, std::string name, Measure measure)
      : DataSet(std::move(spec)),
        input_(std::move(input)),
        name_(std::move(name)),
        measure_(measure) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    if (running.stats == nullptr) return input;
    return MeasuredStage(std::move(input), measure_, name_, running.stats);
  }

 private:
  const Input input_;
  const std::string name_;
  const Measure measure_;
};

struct MeasuringDataset {
  ElementSpec spec;
  Measure measure;

  static absl::StatusOr<MeasuringDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    const bool bytes = absl::StrContains(node.op, "BytesProduced");
    return MeasuringDataset{std::move(spec), bytes ? Measure::kBytes : Measure::kLatency};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(std::string tag, ScalarInput<std::string>(ctx, 1, "tag"));
    SetDataSet(ctx, MakeRefCounted<Measuring>(spec, std::move(input), std::move(tag), measure));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterStats(KernelRegistry& kernels) {
  for (auto op :
       {"StatsAggregatorHandle", "StatsAggregatorHandleV2", "ExperimentalStatsAggregatorHandle"})
    kernels.Add<StatsAggregatorHandle>(op, kCpu, {}, kCheap);
  for (auto op : {"StatsAggregatorSummary", "ExperimentalStatsAggregatorSummary"})
    kernels.Add<StatsAggregatorSummary>(op, kCpu);
  kernels.Add<SetSummaryWriter>("StatsAggregatorSetSummaryWriter", kCpu, {}, kCheap);
  for (auto op : {"SetStatsAggregatorDataset", "ExperimentalSetStatsAggregatorDataset"})
    kernels.Add<SetStatsAggregatorDataset>(op, kCpu);
  for (auto op : {"LatencyStatsDataset", "ExperimentalLatencyStatsDataset",
                  "BytesProducedStatsDataset", "ExperimentalBytesProducedStatsDataset"})
    kernels.Add<MeasuringDataset>(op, kCpu);
}

}  // namespace sluice::kernels
