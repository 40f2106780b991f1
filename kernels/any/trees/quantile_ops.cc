// SPDX-License-Identifier: Apache-2.0
// Bucket boundaries of features from streams of their values.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/trees/named_handle.h"
#include "kernels/any/trees/quantile_sketch.h"
#include "kernels/any/trees/register.h"
#include "kernels/any/trees/tree_inputs.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kMostStreams = 1 << 20;
constexpr int64_t kMostQuantiles = 1 << 26;

// One stream for each feature, and the bucket boundaries that it had when it was last flushed.
//
// Owner:    its store, and the steps that use it.
// Threads:  any; `mu` guards the members.
class QuantileStreams : public Resource {
 public:
  static constexpr absl::string_view kTypeName =
      "N10tensorflow34BoostedTreesQuantileStreamResourceE";
  QuantileStreams(double error, int64_t max_elements, int64_t count)
      : streams(static_cast<size_t>(count), QuantileStream(error, max_elements)),
        boundaries(static_cast<size_t>(count)) {}
  std::string ToString() const override { return "QuantileStreams"; }
  absl::string_view type_name() const override { return kTypeName; }

  absl::Status CheckCount(int64_t count) const ABSL_SHARED_LOCKS_REQUIRED(mu) {
    if (count == static_cast<int64_t>(streams.size())) return absl::OkStatus();
    return InvalidArgument("the resource has ", streams.size(), " quantile streams, not ", count);
  }

  mutable absl::Mutex mu;
  std::vector<QuantileStream> streams ABSL_GUARDED_BY(mu);
  std::vector<std::vector<float>> boundaries ABSL_GUARDED_BY(mu);
};

absl::StatusOr<double> ErrorInput(const KernelContext& ctx, int input) {
  SLUICE_ASSIGN(const float error, ScalarInput<float>(ctx, input, "epsilon"));
  if (!(error > 0)) return InvalidArgument("An epsilon value of zero is not allowed.");
  if (!(error < 1)) return InvalidArgument("epsilon must be less than 1, got ", error);
  return static_cast<double>(error);
}

absl::StatusOr<QuantileSummary> SummaryInput(const KernelContext& ctx, int input) {
  const Tensor& summary = ctx.input(input);
  if (summary.rank() != 2 || summary.dim(1) != 4)
    return InvalidArgument("summaries must have shape [entries, 4], got ", summary.shape());
  std::vector<RankedValue> entries;
  const float* from = summary.data<float>();
  for (int64_t i = 0; i < summary.dim(0); ++i, from += 4)
    entries.push_back({from[0], from[1], from[2], from[3]});
  return QuantileSummary(std::move(entries));
}

absl::Status SetSummary(KernelContext& ctx, int output, const QuantileSummary& summary) {
  SLUICE_ASSIGN(Tensor * to, ctx.AllocateOutput(output, Shape{summary.size(), 4}));
  float* values = to->mutable_data<float>();
  for (const RankedValue& entry : summary.entries()) {
    for (float value : {entry.value, entry.weight, entry.min_rank, entry.max_rank})
      *values++ = value;
  }
  return absl::OkStatus();
}

// quantile_stream_resource_handle, epsilon, num_streams.
struct CreateStreams {
  int64_t max_elements;

  static absl::StatusOr<CreateStreams> Create(const NodeSpec& node) {
    const auto max_elements = GetAttrOr<int64_t>(node.attrs, "max_elements", int64_t{1} << 40);
    if (max_elements > 0) return CreateStreams{max_elements};
    return InvalidArgument("max_elements must be positive, got ", max_elements);
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const double error, ErrorInput(ctx, 1));
    SLUICE_ASSIGN(const int64_t count, ScalarInput<int64_t>(ctx, 2, "num_streams"));
    if (count < 0 || count > kMostStreams) {
      return InvalidArgument("num_streams must be between 0 and ", kMostStreams, ", got ", count);
    }
    return KeepUnlessPresent(ctx, MakeRefCounted<QuantileStreams>(error, max_elements, count));
  }
};

// float_values, example_weights, epsilon.
struct MakeSummaries {
  static absl::StatusOr<MakeSummaries> Create(const NodeSpec&) { return MakeSummaries{}; }
  absl::Status Run(KernelContext& ctx) const {
    const int features = ctx.num_inputs() - 2;
    SLUICE_ASSIGN(const auto weights, VectorInput<float>(ctx, features, -1, "example_weights"));
    SLUICE_ASSIGN(const double error, ErrorInput(ctx, features + 1));
    for (int f = 0; f < features; ++f) {
      SLUICE_ASSIGN(const auto values, VectorInput<float>(ctx, f, -1, "float_values"));
      if (values.size() != weights.size() && weights.size() != 1)
        return InvalidArgument("Weights should be a single value or same size as features.");
      QuantileStream stream(error, static_cast<int64_t>(values.size()) + 1);
      for (size_t i = 0; i < values.size(); ++i)
        stream.Add(values[i], weights[weights.size() > 1 ? i : 0]);
      SLUICE_RETURN_IF_ERROR(SetSummary(ctx, f, stream.Finish()));
    }
    return absl::OkStatus();
  }
};

// quantile_stream_resource_handle, summaries.
struct AddSummaries {
  static absl::StatusOr<AddSummaries> Create(const NodeSpec&) { return AddSummaries{}; }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<QuantileStreams>(ctx, 0));
    std::vector<QuantileSummary> summaries;
    for (int i = 1; i < ctx.num_inputs(); ++i) {
      SLUICE_ASSIGN(QuantileSummary summary, SummaryInput(ctx, i));
      summaries.push_back(std::move(summary));
    }
    absl::MutexLock lock(&resource->mu);
    SLUICE_RETURN_IF_ERROR(resource->CheckCount(static_cast<int64_t>(summaries.size())));
    for (size_t i = 0; i < summaries.size(); ++i) resource->streams[i].Add(std::move(summaries[i]));
    return absl::OkStatus();
  }
};

// Outputs the summaries of the streams, which are empty afterwards.
struct FlushSummaries {
  static absl::StatusOr<FlushSummaries> Create(const NodeSpec&) { return FlushSummaries{}; }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<QuantileStreams>(ctx, 0));
    absl::MutexLock lock(&resource->mu);
    SLUICE_RETURN_IF_ERROR(resource->CheckCount(ctx.num_outputs()));
    for (int i = 0; i < ctx.num_outputs(); ++i) {
      SLUICE_RETURN_IF_ERROR(
          SetSummary(ctx, i, resource->streams[static_cast<size_t>(i)].Finish()));
    }
    return absl::OkStatus();
  }
};

// quantile_stream_resource_handle, num_buckets. The boundaries become those of the streams, which
// are empty afterwards.
struct Flush {
  bool quantiles;

  static absl::StatusOr<Flush> Create(const NodeSpec& node) {
    return Flush{GetAttrOr(node.attrs, "generate_quantiles", false)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<QuantileStreams>(ctx, 0));
    SLUICE_ASSIGN(const int64_t buckets, ScalarInput<int64_t>(ctx, 1, "num_buckets"));
    absl::MutexLock lock(&resource->mu);
    const auto streams = static_cast<int64_t>(resource->streams.size());
    if (quantiles && buckets > kMostQuantiles / std::max<int64_t>(streams, 1))
      return InvalidArgument("num_buckets is ", buckets, ", which is too many");
    for (size_t i = 0; i < resource->streams.size(); ++i) {
      const QuantileSummary summary = resource->streams[i].Finish();
      std::vector<float>& boundaries = resource->boundaries[i];
      boundaries = quantiles ? summary.Quantiles(std::max<int64_t>(buckets, 1) - 1)
                             : summary.Boundaries(buckets);
      if (!quantiles)
        boundaries.erase(std::unique(boundaries.begin(), boundaries.end()), boundaries.end());
    }
    return absl::OkStatus();
  }
};

struct GetBoundaries {
  static absl::StatusOr<GetBoundaries> Create(const NodeSpec&) { return GetBoundaries{}; }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<QuantileStreams>(ctx, 0));
    absl::ReaderMutexLock lock(&resource->mu);
    SLUICE_RETURN_IF_ERROR(resource->CheckCount(ctx.num_outputs()));
    for (int i = 0; i < ctx.num_outputs(); ++i)
      ctx.SetOutput(i, Tensor::Vector<float>(resource->boundaries[static_cast<size_t>(i)]));
    return absl::OkStatus();
  }
};

// quantile_stream_resource_handle, bucket_boundaries.
struct SetBoundaries {
  static absl::StatusOr<SetBoundaries> Create(const NodeSpec&) { return SetBoundaries{}; }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const auto resource, ResourceOf<QuantileStreams>(ctx, 0));
    std::vector<std::vector<float>> boundaries;
    for (int i = 1; i < ctx.num_inputs(); ++i) {
      SLUICE_ASSIGN(const auto values, VectorInput<float>(ctx, i, -1, "bucket_boundaries"));
      boundaries.emplace_back(values.begin(), values.end());
    }
    absl::MutexLock lock(&resource->mu);
    SLUICE_RETURN_IF_ERROR(resource->CheckCount(static_cast<int64_t>(boundaries.size())));
    resource->boundaries = std::move(boundaries);
    return absl::OkStatus();
  }
};

// float_values, bucket_boundaries. The bucket of a value is the first whose boundary is not less;
// the last one also has what is above.
struct Bucketize {
  int features;

  static absl::StatusOr<Bucketize> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const auto values, node.InputRange("float_values"));
    return Bucketize{values.size()};
  }
  absl::Status Run(KernelContext& ctx) const {
    for (int f = 0; f < features; ++f) {
      if (ctx.input(features + f).rank() != 1)
        return InvalidArgument("Buckets should be flat vectors.");
      const auto boundaries = ctx.input(features + f).flat<float>();
      const Tensor& values = ctx.input(f);
      if (values.rank() < 1 || values.num_elements() != values.dim(0)) {
        return InvalidArgument("float_values must be vectors, got shape ", values.shape());
      }
      SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(f, Shape{values.num_elements()}));
      const float* from = values.data<float>();
      int32_t* to = output->mutable_data<int32_t>();
      const auto last = std::max<int64_t>(static_cast<int64_t>(boundaries.size()) - 1, 0);
      ParallelFor(ctx.pool(), values.num_elements(), 20.0, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const auto at = std::lower_bound(boundaries.begin(), boundaries.end(), from[i]);
          to[i] = static_cast<int32_t>(std::min<int64_t>(at - boundaries.begin(), last));
        }
      });
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterQuantileOps(KernelRegistry& kernels) {
  kernels.Add<NamedHandle<QuantileStreams>>("BoostedTreesQuantileStreamResourceHandleOp", kCpu, {},
                                            kCheap);
  kernels.Add<IsInitialized<QuantileStreams>>("IsBoostedTreesQuantileStreamResourceInitialized",
                                              kCpu, {}, kCheap);
  kernels.Add<CreateStreams>("BoostedTreesCreateQuantileStreamResource", kCpu);
  kernels.Add<MakeSummaries>("BoostedTreesMakeQuantileSummaries", kCpu);
  kernels.Add<AddSummaries>("BoostedTreesQuantileStreamResourceAddSummaries", kCpu);
  kernels.Add<FlushSummaries>("BoostedTreesFlushQuantileSummaries", kCpu);
  kernels.Add<Flush>("BoostedTreesQuantileStreamResourceFlush", kCpu);
  kernels.Add<GetBoundaries>("BoostedTreesQuantileStreamResourceGetBucketBoundaries", kCpu);
  kernels.Add<SetBoundaries>("BoostedTreesQuantileStreamResourceDeserialize", kCpu);
  kernels.Add<Bucketize>("BoostedTreesBucketize", kCpu);
}

}  // namespace sluice::kernels
