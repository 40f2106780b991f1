// SPDX-License-Identifier: Apache-2.0
// Sums of the gradients and hessians of examples, by node and bucket.
#include <algorithm>
#include <map>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/trees/register.h"
#include "kernels/any/trees/tree_inputs.h"

namespace sluice::kernels {
namespace {

// The attributes max_splits and num_buckets.
struct Sizes {
  int64_t splits = 0;
  int64_t buckets = 0;

  static absl::StatusOr<Sizes> Of(const NodeSpec& node) {
    Sizes sizes;
    SLUICE_ASSIGN(sizes.splits, node.Get<int64_t>("max_splits"));
    SLUICE_ASSIGN(sizes.buckets, node.Get<int64_t>("num_buckets"));
    if (sizes.splits > INT32_MAX || sizes.buckets >= INT32_MAX)
      return InvalidArgument("max_splits and num_buckets must fit int32");
    return sizes;
  }
  absl::Status CheckNodes(absl::Span<const int32_t> nodes) const {
    for (int32_t node : nodes) {
      if (node < 0 || node >= splits)
        return InvalidArgument("node_ids has ", node, ", which is not in [0, ", splits, ")");
    }
    return absl::OkStatus();
  }
  absl::Status BadBucket(int32_t bucket) const {
    return InvalidArgument("a feature has bucket ", bucket, ", which is not in [0, ", buckets, ")");
  }
};

// node_ids, gradients, hessians: inputs 0 to 2. The statistics of an example are its gradients,
// then its hessians.
struct Examples {
  absl::Span<const int32_t> nodes;
  const float* gradients = nullptr;
  const float* hessians = nullptr;
  int64_t logits = 0, width = 0;

  static absl::StatusOr<Examples> Of(const KernelContext& ctx, const Sizes& sizes) {
    Examples examples;
    SLUICE_ASSIGN(examples.nodes, VectorInput<int32_t>(ctx, 0, -1, "node_ids"));
    SLUICE_RETURN_IF_ERROR(sizes.CheckNodes(examples.nodes));
    const Tensor &gradients = ctx.input(1), &hessians = ctx.input(2);
    SLUICE_RETURN_IF_ERROR(CheckRows(gradients, 2, examples.count(), "gradients"));
    SLUICE_RETURN_IF_ERROR(CheckRows(hessians, 2, examples.count(), "hessians"));
    examples.gradients = gradients.data<float>();
    examples.hessians = hessians.data<float>();
    examples.logits = gradients.dim(1);
    examples.width = gradients.dim(1) + hessians.dim(1);
    return examples;
  }
  int64_t count() const { return static_cast<int64_t>(nodes.size()); }
  template <typename T>
  void AddTo(T* sums, int64_t example) const {
    const int64_t more = width - logits;
    for (int64_t j = 0; j < logits; ++j) sums[j] += gradients[example * logits + j];
    for (int64_t j = 0; j < more; ++j) sums[logits + j] += hessians[example * more + j];
  }
};

// As in TensorFlow, sums that are not sparse are rounded once, at the end.
void RoundTo(absl::Span<const double> sums, float* to) {
  std::transform(sums.begin(), sums.end(), to, [](double x) { return static_cast<float>(x); });
}

// node_ids, gradients, hessians, bucketized_features_list. Of one logit.
struct MakeStatsSummary {
  Sizes sizes;

  static absl::StatusOr<MakeStatsSummary> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Sizes sizes, Sizes::Of(node));
    return MakeStatsSummary{sizes};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Examples examples, Examples::Of(ctx, sizes));
    if (examples.logits != 1 || examples.width != 2) {
      return InvalidArgument("gradients and hessians must have one column each, got shapes ",
                             ctx.input(1).shape(), " and ", ctx.input(2).shape());
    }
    const int features = ctx.num_inputs() - 3;
    SLUICE_ASSIGN(const Shape shape, Shape::Create({features, sizes.splits, sizes.buckets, 2}));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    SLUICE_ASSIGN(Tensor exact,
                  ctx.AllocateTemporary(kDouble, Shape{sizes.splits, sizes.buckets, 2}));
    float* to = output->mutable_data<float>();
    for (int f = 0; f < features; ++f, to += exact.num_elements()) {
      SLUICE_ASSIGN(const auto buckets,
                    VectorInput<int32_t>(ctx, 3 + f, examples.count(), "bucketized_features_list"));
      SLUICE_RETURN_IF_ERROR(AddFeature(examples, buckets, exact.mutable_flat<double>()));
      RoundTo(exact.flat<double>(), to);
    }
    return absl::OkStatus();
  }

  absl::Status AddFeature(const Examples& examples, absl::Span<const int32_t> buckets,
                          absl::Span<double> sums) const {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (size_t i = 0; i < buckets.size(); ++i) {
      if (buckets[i] < 0 || buckets[i] > sizes.buckets) return sizes.BadBucket(buckets[i]);
      // A feature may have one boundary more than asked for. As in TensorFlow, its last bucket is
      // the first one of the next node, if there is one.
      const auto at = static_cast<size_t>((examples.nodes[i] * sizes.buckets + buckets[i]) * 2);
      if (at >= sums.size()) continue;
      sums[at] += examples.gradients[i];
      sums[at + 1] += examples.hessians[i];
    }
    return absl::OkStatus();
  }
};

// node_ids, gradients, hessians, feature [examples, dimensions]. Bucket -1 says that the feature
// is missing; its sums follow those of the other buckets.
struct AggregateStats {
  Sizes sizes;

  static absl::StatusOr<AggregateStats> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Sizes sizes, Sizes::Of(node));
    return AggregateStats{sizes};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Examples examples, Examples::Of(ctx, sizes));
    SLUICE_RETURN_IF_ERROR(CheckRows(ctx.input(3), 2, examples.count(), "feature"));
    const int64_t dimensions = ctx.input(3).dim(1);
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({sizes.splits, dimensions, sizes.buckets + 1, examples.width}));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    SLUICE_ASSIGN(Tensor exact, ctx.AllocateTemporary(kDouble, shape));
    double* sums = exact.mutable_data<double>();
    std::fill_n(sums, shape.num_elements(), 0.0);
    const int32_t* buckets = ctx.input(3).data<int32_t>();
    for (int64_t i = 0; i < examples.count(); ++i) {
      const int64_t first = examples.nodes[static_cast<size_t>(i)] * dimensions;
      for (int64_t d = 0; d < dimensions; ++d) {
        int64_t bucket = buckets[i * dimensions + d];
        if (bucket < -1 || bucket > sizes.buckets)
          return sizes.BadBucket(static_cast<int32_t>(bucket));
        if (bucket == -1) bucket = sizes.buckets;
        examples.AddTo(sums + ((first + d) * (sizes.buckets + 1) + bucket) * examples.width, i);
      }
    }
    RoundTo(exact.flat<double>(), output->mutable_data<float>());
    return absl::OkStatus();
  }
};

// node_ids, gradients, hessians, and a sparse feature [examples, dimensions]: feature_indices,
// feature_values, feature_shape. A value that is not listed is missing. The sums are a sparse
// tensor [splits, dimensions, buckets + 1, gradients and hessians], in order.
struct SparseAggregateStats {
  Sizes sizes;

  // The examples of a node that have a value in a dimension, with its bucket.
  struct Value {
    int64_t example;
    int32_t bucket;
  };
  // By node, by dimension. Dimensions without values are not there.
  using Values = std::map<int32_t, std::map<int32_t, std::vector<Value>>>;
  using Sums = std::vector<float>;

  static absl::StatusOr<SparseAggregateStats> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Sizes sizes, Sizes::Of(node));
    return SparseAggregateStats{sizes};
  }

  absl::StatusOr<Values> ValuesOf(const KernelContext& ctx, const Examples& examples,
                                  int64_t dimensions) const {
    SLUICE_RETURN_IF_ERROR(CheckRows(ctx.input(3), 2, -1, "feature_indices"));
    if (ctx.input(3).dim(1) != 2) {
      return InvalidArgument("feature_indices must have two columns, got shape ",
                             ctx.input(3).shape());
    }
    SLUICE_ASSIGN(const auto buckets,
                  VectorInput<int32_t>(ctx, 4, ctx.input(3).dim(0), "feature_values"));
    const int32_t* indices = ctx.input(3).data<int32_t>();
    Values values;
    for (int32_t node : examples.nodes) values[node];
    for (size_t k = 0; k < buckets.size(); ++k) {
      const int32_t example = indices[2 * k], dimension = indices[2 * k + 1];
      if (example < 0 || example >= examples.count() || dimension < 0 || dimension >= dimensions) {
        return InvalidArgument("feature_indices has [", example, ", ", dimension,
                               "], which is not in [", examples.count(), ", ", dimensions, "]");
      }
      if (buckets[k] < 0 || buckets[k] >= sizes.buckets) return sizes.BadBucket(buckets[k]);
      values[examples.nodes[static_cast<size_t>(example)]][dimension].push_back(
          {example, buckets[k]});
    }
    return values;
  }

  // The sums of the node's examples that are not in `values`.
  static Sums SumsOfMissing(const Examples& examples, const std::vector<int64_t>& of_node,
                            const std::vector<Value>& values) {
    std::vector<int64_t> present;
    for (const Value& value : values) present.push_back(value.example);
    std::sort(present.begin(), present.end());
    Sums sums;
    for (int64_t example : of_node) {
      if (std::binary_search(present.begin(), present.end(), example)) continue;
      sums.resize(static_cast<size_t>(examples.width), 0.0f);
      examples.AddTo(sums.data(), example);
    }
    return sums;
  }

  // By bucket.
  std::map<int32_t, Sums> SumsOfDimension(const Examples& examples,
                                          const std::vector<int64_t>& of_node,
                                          const std::vector<Value>& values) const {
    std::map<int32_t, Sums> sums;
    for (const Value& value : values) {
      Sums& of_bucket = sums[value.bucket];
      of_bucket.resize(static_cast<size_t>(examples.width), 0.0f);
      examples.AddTo(of_bucket.data(), value.example);
    }
    Sums missing = SumsOfMissing(examples, of_node, values);
    if (!missing.empty()) sums[static_cast<int32_t>(sizes.buckets)] = std::move(missing);
    return sums;
  }

  struct Output {
    int32_t* indices;
    float* values;
    void Add(int32_t node, int64_t dimension, int32_t bucket, const Sums& sums) {
      for (size_t j = 0; j < sums.size(); ++j) {
        const int32_t row[] = {node, static_cast<int32_t>(dimension), bucket,
                               static_cast<int32_t>(j)};
        indices = std::copy(std::begin(row), std::end(row), indices);
        *values++ = sums[j];
      }
    }
  };

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Examples examples, Examples::Of(ctx, sizes));
    SLUICE_ASSIGN(const auto shape, VectorInput<int32_t>(ctx, 5, 2, "feature_shape"));
    const int64_t dimensions = shape[1];
    if (shape[0] != examples.count() || dimensions < 0) {
      return InvalidArgument("feature_shape must be [", examples.count(), ", dimensions], got [",
                             shape[0], ", ", dimensions, "]");
    }
    SLUICE_ASSIGN(const Values values, ValuesOf(ctx, examples, dimensions));
    std::map<int32_t, std::vector<int64_t>> of_node;
    for (int64_t i = 0; i < examples.count(); ++i)
      of_node[examples.nodes[static_cast<size_t>(i)]].push_back(i);

    // The dimensions with values; in all others, all examples are missing.
    std::map<int32_t, std::map<int32_t, std::map<int32_t, Sums>>> sums;
    int64_t rows = 0;
    for (const auto& [node, by_dimension] : values) {
      auto& of_dimension = sums[node];
      rows += dimensions - static_cast<int64_t>(by_dimension.size());
      for (const auto& [dimension, here] : by_dimension) {
        auto& of_bucket = of_dimension[dimension];
        of_bucket = SumsOfDimension(examples, of_node[node], here);
        rows += static_cast<int64_t>(of_bucket.size());
      }
    }
    SLUICE_ASSIGN(const Shape all, Shape::Create({rows, examples.width}));
    SLUICE_ASSIGN(const Shape indices_shape, Shape::Create({all.num_elements(), 4}));
    SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(0, indices_shape));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(1, Shape{all.num_elements()}));
    Output output{indices->mutable_data<int32_t>(), out->mutable_data<float>()};
    for (const auto& [node, of_dimension] : sums) {
      const Sums missing = SumsOfMissing(examples, of_node[node], {});
      for (int64_t d = 0; d < dimensions; ++d) {
        const auto found = of_dimension.find(static_cast<int32_t>(d));
        if (found == of_dimension.end()) {
          output.Add(node, d, static_cast<int32_t>(sizes.buckets), missing);
          continue;
        }
        for (const auto& [bucket, here] : found->second) output.Add(node, d, bucket, here);
      }
    }
    ctx.SetOutput(
        2, Tensor::Vector<int32_t>(
               {static_cast<int32_t>(sizes.splits), static_cast<int32_t>(dimensions),
                static_cast<int32_t>(sizes.buckets + 1), static_cast<int32_t>(examples.width)}));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterStatsOps(KernelRegistry& kernels) {
  kernels.Add<MakeStatsSummary>("BoostedTreesMakeStatsSummary", kCpu);
  kernels.Add<AggregateStats>("BoostedTreesAggregateStats", kCpu);
  kernels.Add<SparseAggregateStats>("BoostedTreesSparseAggregateStats", kCpu);
}

}  // namespace sluice::kernels
