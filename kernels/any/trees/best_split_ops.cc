// SPDX-License-Identifier: Apache-2.0
// The best split of each node, from the sums that stats_ops.cc makes.
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/trees/register.h"
#include "kernels/any/trees/split_gain.h"
#include "kernels/any/trees/tree_inputs.h"
#include "kernels/common/round_each.h"

namespace sluice::kernels {
namespace {

constexpr char kDefaultLeft[] = "INEQUALITY_DEFAULT_LEFT";
constexpr char kDefaultRight[] = "INEQUALITY_DEFAULT_RIGHT";
constexpr char kEquality[] = "EQUALITY_DEFAULT_RIGHT";

// Sums of gradients, then of hessians.
using Sums = std::vector<float>;

void AddTo(Sums& sums, const float* more) {
  for (size_t j = 0; j < sums.size(); ++j) sums[j] += more[j];
}

// The arguments that all ops have. In the inputs, these scalars are in a row.
struct Limits {
  Regularization regularization;
  float tree_complexity = 0;
  float min_node_weight = 0;
  int32_t first_node = 0, end_node = 0;  // node_id_range, input 0

  static absl::StatusOr<Limits> Of(const KernelContext& ctx, int first_scalar) {
    Limits limits;
    SLUICE_ASSIGN(const auto range, VectorInput<int32_t>(ctx, 0, 2, "node_id_range"));
    limits.first_node = range[0];
    limits.end_node = range[1];
    SLUICE_ASSIGN(limits.regularization.l1, ScalarInput<float>(ctx, first_scalar, "l1"));
    SLUICE_ASSIGN(limits.regularization.l2, ScalarInput<float>(ctx, first_scalar + 1, "l2"));
    SLUICE_ASSIGN(limits.tree_complexity,
                  ScalarInput<float>(ctx, first_scalar + 2, "tree_complexity"));
    SLUICE_ASSIGN(limits.min_node_weight,
                  ScalarInput<float>(ctx, first_scalar + 3, "min_node_weight"));
    return limits;
  }
  absl::Status CheckNodes(int64_t nodes) const {
    if (first_node >= end_node || (first_node >= 0 && end_node <= nodes)) return absl::OkStatus();
    return InvalidArgument("node_id_range is [", first_node, ", ", end_node, "), but there are ",
                           nodes, " nodes");
  }
};

// The best split of one node among those that are tried.
class SplitSearch {
 public:
  // `total` are the sums of the node.
  SplitSearch(const Regularization& regularization, int64_t logits, Sums total)
      : regularization_(regularization),
        logits_(static_cast<size_t>(logits)),
        total_(std::move(total)),
        right_(total_.size()),
        left_logits_(logits_),
        right_logits_(logits_) {}

  void set_total(const Sums& total) { total_ = total; }
  const Sums& total() const { return total_; }
  float GainOfParent() { return Fit(total_, left_logits_); }
  // The norm of the hessians.
  float Weight() const {
    float squares = 0;
    for (size_t j = logits_; j < total_.size(); ++j) squares += total_[j] * total_[j];
    return std::sqrt(squares);
  }

  // The examples with these sums go left, and the others right.
  void Try(const Sums& left, int32_t dimension, int32_t bucket, const char* type) {
    for (size_t j = 0; j < total_.size(); ++j) right_[j] = total_[j] - left[j];
    const float gain_left = Fit(left, left_logits_), gain_right = Fit(right_, right_logits_);
    if (!(gain_left + gain_right - best.gain >= kGainTolerance)) return;
    best = {gain_left + gain_right, dimension, bucket, type, left_logits_, right_logits_};
  }

  struct Best {
    float gain = std::numeric_limits<float>::lowest();
    int32_t dimension = 0;
    int32_t bucket = 0;
    const char* type = kDefaultLeft;
    std::vector<float> left, right;
  } best;

  bool found() const { return best.gain != std::numeric_limits<float>::lowest(); }

 private:
  float Fit(const Sums& sums, std::vector<float>& to) const {
    const absl::Span<const float> all(sums);
    return regularization_.Fit(all.subspan(0, logits_), all.subspan(logits_), absl::MakeSpan(to));
  }

  const Regularization regularization_;
  const size_t logits_;
  Sums total_, right_;
  std::vector<float> left_logits_, right_logits_;
};

// The splits of one feature, one for each node that has one.
struct FeatureSplits {
  std::vector<int32_t> nodes, dimensions, thresholds;
  std::vector<float> gains;
  std::vector<std::string> types;
  std::vector<float> left, right;

  void Add(int32_t node, SplitSearch& search, const Limits& limits) {
    const SplitSearch::Best& best = search.best;
    nodes.push_back(node);
    gains.push_back(best.gain - search.GainOfParent() - limits.tree_complexity);
    dimensions.push_back(best.dimension);
    thresholds.push_back(best.bucket);
    types.emplace_back(best.type);
    left.insert(left.end(), best.left.begin(), best.left.end());
    right.insert(right.end(), best.right.begin(), best.right.end());
  }
  Tensor Contributions(const std::vector<float>& values, int64_t logits) const {
    return Tensor::Of<float>(Shape{static_cast<int64_t>(nodes.size()), logits}, values);
  }
  // node_ids, gains, feature_dimensions, thresholds, left_node_contribs, right_node_contribs,
  // split_with_default_directions.
  void SetOutputs(KernelContext& ctx, int64_t logits) const {
    ctx.SetOutput(0, Tensor::Vector<int32_t>(nodes));
    ctx.SetOutput(1, Tensor::Vector<float>(gains));
    ctx.SetOutput(2, Tensor::Vector<int32_t>(dimensions));
    ctx.SetOutput(3, Tensor::Vector<int32_t>(thresholds));
    ctx.SetOutput(4, Contributions(left, logits));
    ctx.SetOutput(5, Contributions(right, logits));
    ctx.SetOutput(6, Tensor::Vector<std::string>(types));
  }
};

// node_id_range, stats_summary_list, and the scalars. Of one logit. Features are never missing.
struct BestGainsPerFeature {
  int features;

  static absl::StatusOr<BestGainsPerFeature> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const auto list, node.InputRange("stats_summary_list"));
    return BestGainsPerFeature{list.size()};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Limits limits, Limits::Of(ctx, 1 + features));
    for (int f = 0; f < features; ++f) {
      const Tensor& summary = ctx.input(1 + f);
      if (summary.rank() != 3 || summary.dim(2) != 2) {
        return InvalidArgument("stats_summary_list must have shapes [splits, buckets, 2], got ",
                               summary.shape());
      }
      SLUICE_RETURN_IF_ERROR(limits.CheckNodes(summary.dim(0)));
      FeatureSplits splits;
      for (int32_t node = limits.first_node; node < limits.end_node; ++node)
        SplitNode(summary, node, limits, splits);
      ctx.SetOutput(f, Tensor::Vector<int32_t>(splits.nodes));
      ctx.SetOutput(features + f, Tensor::Vector<float>(splits.gains));
      ctx.SetOutput(2 * features + f, Tensor::Vector<int32_t>(splits.thresholds));
      ctx.SetOutput(3 * features + f, splits.Contributions(splits.left, 1));
      ctx.SetOutput(4 * features + f, splits.Contributions(splits.right, 1));
    }
    return absl::OkStatus();
  }

  static void SplitNode(const Tensor& summary, int32_t node, const Limits& limits,
                        FeatureSplits& splits) {
    const int64_t buckets = summary.dim(1);
    const float* sums = summary.data<float>() + node * buckets * 2;
    Sums total(2, 0.0f), left(2, 0.0f);
    for (int64_t b = 0; b < buckets; ++b) AddTo(total, sums + b * 2);
    if (total[1] < limits.min_node_weight) return;
    SplitSearch search(limits.regularization, 1, total);
    search.best.left = search.best.right = {0.0f};
    for (int64_t b = 0; b < buckets; ++b) {
      AddTo(left, sums + b * 2);
      search.Try(left, 0, static_cast<int32_t>(b), kDefaultLeft);
    }
    splits.Add(node, search, limits);
  }
};

absl::StatusOr<int64_t> LogitsOf(const NodeSpec& node) {
  SLUICE_ASSIGN(const int64_t logits, node.Get<int64_t>("logits_dimension"));
  if (logits < 1 || logits > 1 << 15)
    return InvalidArgument("logits_dimension must be between 1 and 32768, got ", logits);
  return logits;
}

// Hessians are as many as logits, or their square.
absl::Status CheckWidth(int64_t width, int64_t logits) {
  if (width == 2 * logits || width == logits + logits * logits) return absl::OkStatus();
  return InvalidArgument("a summary with ", width, " statistics does not fit ", logits, " logits");
}

// node_id_range, stats_summary [nodes, dimensions, buckets + 1, statistics], and the scalars. The
// last bucket is that of missing values.
struct BestFeatureSplit {
  int64_t logits;
  bool equality;

  static absl::StatusOr<BestFeatureSplit> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t logits, LogitsOf(node));
    SLUICE_ASSIGN(const std::string type, node.Get<std::string>("split_type"));
    return BestFeatureSplit{logits, type == "equality"};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Limits limits, Limits::Of(ctx, 2));
    const Tensor& summary = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckRows(summary, 4, -1, "stats_summary"));
    SLUICE_RETURN_IF_ERROR(CheckWidth(summary.dim(3), logits));
    if (summary.dim(1) < 1 || summary.dim(2) < 1) {
      return InvalidArgument("stats_summary must have dimensions and buckets, got shape ",
                             summary.shape());
    }
    SLUICE_RETURN_IF_ERROR(limits.CheckNodes(summary.dim(0)));
    FeatureSplits splits;
    for (int32_t node = limits.first_node; node < limits.end_node; ++node) {
      SplitSearch search(limits.regularization, logits, TotalOf(summary, node, 0));
      if (search.Weight() < limits.min_node_weight) continue;
      const Sums total = search.total();
      for (int64_t d = 0; d < summary.dim(1); ++d) TrySplits(summary, node, d, search);
      search.set_total(total);
      if (search.found()) splits.Add(node, search, limits);
    }
    splits.SetOutputs(ctx, logits);
    return absl::OkStatus();
  }

  static const float* Bucket(const Tensor& summary, int64_t node, int64_t dimension,
                             int64_t bucket) {
    return summary.data<float>() +
           ((node * summary.dim(1) + dimension) * summary.dim(2) + bucket) * summary.dim(3);
  }
  static Sums TotalOf(const Tensor& summary, int64_t node, int64_t dimension) {
    Sums total(static_cast<size_t>(summary.dim(3)), 0.0f);
    for (int64_t b = 0; b < summary.dim(2); ++b) AddTo(total, Bucket(summary, node, dimension, b));
    return total;
  }
  void TrySplits(const Tensor& summary, int64_t node, int64_t dimension,
                 SplitSearch& search) const {
    const int64_t buckets = summary.dim(2) - 1;
    const float* missing = Bucket(summary, node, dimension, buckets);
    // All dimensions have the same total, but for rounding: that of the first one counts here.
    if (!equality) search.set_total(TotalOf(summary, node, dimension));
    Sums left(search.total().size(), 0.0f), with_missing(left.size());
    const auto d = static_cast<int32_t>(dimension);
    for (int64_t b = 0; b < buckets; ++b) {
      if (equality) left.assign(left.size(), 0.0f);
      AddTo(left, Bucket(summary, node, dimension, b));
      if (equality) {
        search.Try(left, d, static_cast<int32_t>(b), kEquality);
        continue;
      }
      for (size_t j = 0; j < left.size(); ++j) with_missing[j] = missing[j] + left[j];
      search.Try(with_missing, d, static_cast<int32_t>(b), kDefaultLeft);
      search.Try(left, d, static_cast<int32_t>(b), kDefaultRight);
    }
  }
};

// node_id_range, a sparse summary (indices, values, shape) in order, and the scalars. Only buckets
// that are listed are tried.
struct SparseBestFeatureSplit {
  int64_t logits;

  using ByBucket = std::map<int32_t, Sums>;
  using ByDimension = std::map<int32_t, ByBucket>;

  static absl::StatusOr<SparseBestFeatureSplit> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t logits, LogitsOf(node));
    return SparseBestFeatureSplit{logits};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Limits limits, Limits::Of(ctx, 4));
    SLUICE_RETURN_IF_ERROR(CheckRows(ctx.input(1), 2, -1, "stats_summary_indices"));
    const int64_t rows = ctx.input(1).dim(0);
    if (ctx.input(1).dim(1) != 4) {
      return InvalidArgument("stats_summary_indices must have 4 columns, got shape ",
                             ctx.input(1).shape());
    }
    SLUICE_ASSIGN(const auto values, VectorInput<float>(ctx, 2, rows, "stats_summary_values"));
    SLUICE_ASSIGN(const auto shape, VectorInput<int32_t>(ctx, 3, 4, "stats_summary_shape"));
    SLUICE_RETURN_IF_ERROR(CheckWidth(shape[3], logits));
    const int32_t* row = ctx.input(1).data<int32_t>();
    FeatureSplits splits;
    ByDimension sums;
    for (int64_t i = 0; i < rows; ++i, row += 4) {
      SLUICE_RETURN_IF_ERROR(CheckRow(row, shape, limits));
      if (i > 0 && row[0] != row[-4]) {
        SplitNode(row[-4], shape[2] - 1, sums, limits, splits);
        sums.clear();
      }
      Sums& of_bucket = sums[row[1]][row[2]];
      of_bucket.resize(static_cast<size_t>(shape[3]), 0.0f);
      of_bucket[static_cast<size_t>(row[3])] = values[static_cast<size_t>(i)];
    }
    if (rows > 0) SplitNode(row[-4], shape[2] - 1, sums, limits, splits);
    splits.SetOutputs(ctx, logits);
    return absl::OkStatus();
  }

  static absl::Status CheckRow(const int32_t* row, absl::Span<const int32_t> shape,
                               const Limits& limits) {
    bool inside = row[0] >= limits.first_node && row[0] < limits.end_node;
    for (size_t j = 0; j < 4; ++j) inside = inside && row[j] >= 0 && row[j] < shape[j];
    if (inside) return absl::OkStatus();
    return InvalidArgument("stats_summary_indices has [", row[0], ", ", row[1], ", ", row[2], ", ",
                           row[3], "], which is not in [", shape[0], ", ", shape[1], ", ", shape[2],
                           ", ", shape[3], "] or not of a node in [", limits.first_node, ", ",
                           limits.end_node, ")");
  }

  static Sums TotalOf(const ByBucket& buckets) {
    Sums total(buckets.begin()->second.size(), 0.0f);
    for (const auto& [bucket, sums] : buckets) AddTo(total, sums.data());
    return total;
  }
  void SplitNode(int32_t node, int32_t missing, const ByDimension& dimensions, const Limits& limits,
                 FeatureSplits& splits) const {
    SplitSearch search(limits.regularization, logits, TotalOf(dimensions.begin()->second));
    if (search.Weight() < limits.min_node_weight) return;
    for (const auto& [dimension, buckets] : dimensions)
      TrySplits(dimension, missing, buckets, search);
    if (search.found()) splits.Add(node, search, limits);
  }
  static void TrySplits(int32_t dimension, int32_t missing, const ByBucket& buckets,
                        SplitSearch& search) {
    const auto missing_sums = buckets.find(missing);
    Sums left(search.total().size(), 0.0f), with_missing(left.size());
    for (const auto& [bucket, sums] : buckets) {
      if (bucket == missing) continue;
      AddTo(left, sums.data());
      search.Try(left, dimension, bucket, kDefaultRight);
      if (missing_sums == buckets.end()) continue;
      for (size_t j = 0; j < left.size(); ++j) with_missing[j] = left[j] + missing_sums->second[j];
      search.Try(with_missing, dimension, bucket, kDefaultLeft);
    }
  }
};

}  // namespace

void RegisterBestSplitOps(KernelRegistry& kernels) {
  kernels.Add<BestGainsPerFeature>("BoostedTreesCalculateBestGainsPerFeature", kCpu);
  kernels.Add<BestFeatureSplit>("BoostedTreesCalculateBestFeatureSplit", kCpu);
  kernels.Add<SparseBestFeatureSplit>("BoostedTreesSparseCalculateBestFeatureSplit", kCpu);
}

}  // namespace sluice::kernels
