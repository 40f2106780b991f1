// SPDX-License-Identifier: Apache-2.0
// SdcaOptimizer and SdcaOptimizerV2: one pass of stochastic dual coordinate ascent over the
// examples of a batch, for a linear model with L1 and L2 regularisation.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/training/register.h"
#include "kernels/cpu/training/sdca_loss.h"

namespace sluice::kernels {
namespace {

using Range = NodeSpec::Range;

constexpr int kStateSize = 4;  // of an example: dual variable, primal loss, dual loss, weight

// A group of features: the weights of the model, their changes, and the features of each example.
struct Features {
  const float* weights = nullptr;
  float* deltas = nullptr;
  const float* values = nullptr;  // null: all are 1
  int64_t columns = 0;            // dense only: values are [examples, columns]
  std::vector<int64_t> first;     // sparse only: of example e are [first[e], first[e + 1])
  std::vector<int64_t> at;        // sparse only: the position of a feature's weight

  bool sparse() const { return !first.empty(); }

  // Calls visit(value, position of the weight) for each feature of the example.
  template <typename Visit>
  void Each(int64_t example, Visit&& visit) const {
    if (!sparse()) {
      const float* row = values + example * columns;
      for (int64_t i = 0; i < columns; ++i) visit(static_cast<double>(row[i]), i);
      return;
    }
    for (int64_t i = first[example]; i < first[example + 1]; ++i)
      visit(values == nullptr ? 1.0 : static_cast<double>(values[i]), at[i]);
  }
};

struct Products {
  double before = 0, now = 0;  // with the weights of the batch's begin, and with the changes
};

struct SdcaOptimizer {
  const SdcaLoss* loss;
  bool adaptive;
  double l2, shrinkage, partitions;
  Range example_indices, feature_indices, feature_values, dense_features, weights, labels;
  Range sparse_indices, sparse_weights, dense_weights, state;
  Range sparse_deltas, dense_deltas;

  static absl::StatusOr<SdcaOptimizer> Create(const NodeSpec& node) {
    SdcaOptimizer k{};
    SLUICE_ASSIGN(const std::string type, node.Get<std::string>("loss_type"));
    k.loss = SdcaLossOf(type);
    if (k.loss == nullptr) return InvalidArgument("Unsupported loss type: ", type);
    const char* const attr = node.op == "SdcaOptimizer" ? "adaptative" : "adaptive";
    SLUICE_ASSIGN(k.adaptive, node.Get<bool>(attr));
    SLUICE_ASSIGN(const float l1, node.Get<float>("l1"));
    SLUICE_ASSIGN(const float l2, node.Get<float>("l2"));
    k.l2 = l2;
    k.shrinkage = static_cast<double>(l1) / static_cast<double>(l2);
    SLUICE_ASSIGN(const int64_t partitions, node.Get<int64_t>("num_loss_partitions"));
    k.partitions = static_cast<double>(partitions);
    SLUICE_ASSIGN(k.example_indices, node.InputRange("sparse_example_indices"));
    SLUICE_ASSIGN(k.feature_indices, node.InputRange("sparse_feature_indices"));
    SLUICE_ASSIGN(k.feature_values, node.InputRange("sparse_feature_values"));
    SLUICE_ASSIGN(k.dense_features, node.InputRange("dense_features"));
    SLUICE_ASSIGN(k.weights, node.InputRange("example_weights"));
    SLUICE_ASSIGN(k.labels, node.InputRange("example_labels"));
    SLUICE_ASSIGN(k.sparse_indices, node.InputRange("sparse_indices"));
    SLUICE_ASSIGN(k.sparse_weights, node.InputRange("sparse_weights"));
    SLUICE_ASSIGN(k.dense_weights, node.InputRange("dense_weights"));
    SLUICE_ASSIGN(k.state, node.InputRange("example_state_data"));
    SLUICE_ASSIGN(k.sparse_deltas, node.OutputRange("out_delta_sparse_weights"));
    SLUICE_ASSIGN(k.dense_deltas, node.OutputRange("out_delta_dense_weights"));
    if (k.example_indices.size() + k.dense_features.size() == 0)
      return InvalidArgument("Requires at least one feature to train.");
    return k;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &example_weights = ctx.input(weights.begin), &given = ctx.input(labels.begin),
                 &before = ctx.input(state.begin);
    const int64_t count = example_weights.num_elements();
    if (count >= std::numeric_limits<int32_t>::max())
      return InvalidArgument("Too many examples in a batch: ", count);
    if (given.num_elements() != count) {
      return InvalidArgument("Expected ", count, " example labels but got ", given.num_elements());
    }
    std::vector<Features> groups;
    SLUICE_RETURN_IF_ERROR(ReadSparse(ctx, count, groups));
    SLUICE_RETURN_IF_ERROR(ReadDense(ctx, count, groups));
    SLUICE_ASSIGN(const std::vector<double> norms, SquaredNorms(groups, count));
    const Shape state_shape{count, kStateSize};
    if (before.shape() != state_shape) {
      return InvalidArgument("Expected shape ", state_shape, " for example_state_data, got ",
                             before.shape());
    }
    SLUICE_ASSIGN(Tensor * after, ctx.AllocateOutput(0, state_shape));
    std::copy_n(before.data<float>(), before.num_elements(), after->mutable_data<float>());
    std::vector<float> loss_labels(count);
    for (int64_t e = 0; e < count; ++e) {
      SLUICE_ASSIGN(loss_labels[e], loss->Label(given.data<float>()[e]));
    }
    const Batch batch{groups, norms, loss_labels, example_weights.data<float>(),
                      after->mutable_data<float>()};
    for (int64_t e : adaptive ? ByInfluence(batch) : Shuffled(count)) Step(batch, e);
    return absl::OkStatus();
  }

 private:
  struct Batch {
    const std::vector<Features>& groups;
    const std::vector<double>& norms;  // squared
    const std::vector<float>& labels;  // of the loss
    const float* weights;
    float* state;
  };

  // Allocates the output for the changes, which begin with 0.
  static absl::StatusOr<float*> Deltas(KernelContext& ctx, int output, const Shape& shape) {
    SLUICE_ASSIGN(Tensor * deltas, ctx.AllocateOutput(output, shape));
    std::fill_n(deltas->mutable_data<float>(), deltas->num_elements(), 0.0f);
    return deltas->mutable_data<float>();
  }

  absl::Status ReadSparse(KernelContext& ctx, int64_t count, std::vector<Features>& groups) const {
    for (int i = 0; i < example_indices.size(); ++i) {
      const Tensor &examples = ctx.input(example_indices.begin + i),
                   &features = ctx.input(feature_indices.begin + i),
                   &ids = ctx.input(sparse_indices.begin + i),
                   &of_ids = ctx.input(sparse_weights.begin + i);
      const int64_t size = examples.num_elements();
      if (features.num_elements() != size || ids.num_elements() != of_ids.num_elements()) {
        return InvalidArgument("Sparse features ", i, ": ", size, " example indices, ",
                               features.num_elements(), " feature indices, ", ids.num_elements(),
                               " indices of weights, ", of_ids.num_elements(), " weights");
      }
      Features& group = groups.emplace_back();
      if (i < feature_values.size()) {
        const Tensor& values = ctx.input(feature_values.begin + i);
        if (values.num_elements() != size)
          return InvalidArgument("Expected ", size, " feature values, got ", values.shape());
        group.values = values.data<float>();
      }
      group.weights = of_ids.data<float>();
      SLUICE_ASSIGN(group.deltas, Deltas(ctx, sparse_deltas.begin + i, of_ids.shape()));
      absl::flat_hash_map<int64_t, int64_t> position;
      for (int64_t k = 0; k < ids.num_elements(); ++k) position[ids.data<int64_t>()[k]] = k;
      // The features of an example that is out of order belong to none, as in TensorFlow.
      group.first.resize(count + 1);
      group.at.resize(size);
      int64_t end = 0;
      for (int64_t e = 0; e < count; ++e) {
        group.first[e] = end;
        for (; end < size && examples.data<int64_t>()[end] == e; ++end) {
          const int64_t id = features.data<int64_t>()[end];
          const auto found = position.find(id);
          if (found == position.end())
            return InvalidArgument("Found sparse feature indices out of valid range: ", id);
          group.at[end] = found->second;
        }
      }
      group.first[count] = end;
    }
    return absl::OkStatus();
  }

  absl::Status ReadDense(KernelContext& ctx, int64_t count, std::vector<Features>& groups) const {
    for (int i = 0; i < dense_features.size(); ++i) {
      const Tensor &values = ctx.input(dense_features.begin + i),
                   &of_columns = ctx.input(dense_weights.begin + i);
      if (values.rank() != 2 || values.dim(0) != count) {
        return InvalidArgument("Dense features must be a matrix with ", count, " rows, got ",
                               values.shape());
      }
      if (values.dim(1) > of_columns.num_elements()) {
        return InvalidArgument("More dense features than we have parameters for: ", values.dim(1));
      }
      if (values.dim(1) < of_columns.num_elements()) {
        return InvalidArgument("Fewer dense features than we have parameters for: ", values.dim(1));
      }
      Features& group = groups.emplace_back();
      group.values = values.data<float>();
      group.columns = values.dim(1);
      group.weights = of_columns.data<float>();
      SLUICE_ASSIGN(group.deltas, Deltas(ctx, dense_deltas.begin + i, of_columns.shape()));
    }
    return absl::OkStatus();
  }

  static absl::StatusOr<std::vector<double>> SquaredNorms(const std::vector<Features>& groups,
                                                          int64_t count) {
    std::vector<double> norms(count);
    for (const Features& group : groups) {
      absl::flat_hash_map<int64_t, int64_t> last;  // the last example of a sparse feature
      for (int64_t e = 0; e < count; ++e) {
        bool repeated = false;
        group.Each(e, [&](double value, int64_t position) {
          norms[e] += value * value;
          if (!group.sparse()) return;
          const auto [seen, added] = last.try_emplace(position, e);
          repeated = repeated || (!added && seen->second == e);
          seen->second = e;
        });
        if (repeated) return InvalidArgument("Duplicate index in sparse vector.");
      }
    }
    return norms;
  }

  double Shrink(double weight) const {
    const double size = std::max(std::abs(weight) - shrinkage, 0.0);
    return weight > 0 ? size : -size;
  }

  Products ProductsOf(const Batch& batch, int64_t example) const {
    Products sums;
    for (const Features& group : batch.groups) {
      group.Each(example, [&](double value, int64_t position) {
        const float weight = group.weights[position];
        sums.before += value * Shrink(weight);
        sums.now += value * Shrink(weight + group.deltas[position] * partitions);
      });
    }
    return sums;
  }

  void Step(const Batch& batch, int64_t e) const {
    float* state = batch.state + e * kStateSize;
    const double label = batch.labels[e], weight = batch.weights[e], dual = state[0];
    const Products products = ProductsOf(batch, e);
    const double updated = loss->NewDual({.label = label,
                                          .weight = weight,
                                          .dual = dual,
                                          .product = products.now,
                                          .norm = partitions * (batch.norms[e] / l2)});
    const double change = (updated - dual) * weight / l2;
    for (const Features& group : batch.groups) {
      group.Each(e, [&](double value, int64_t position) {
        group.deltas[position] = static_cast<float>(group.deltas[position] + value * change);
      });
    }
    state[0] = static_cast<float>(updated);
    state[1] = static_cast<float>(loss->Primal(products.before, label, weight));
    state[2] = static_cast<float>(loss->Dual(dual, label, weight));
    state[3] = static_cast<float>(weight);
  }

  static std::vector<int64_t> Shuffled(int64_t count) {
    std::vector<int64_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937_64 generator(std::random_device{}());
    std::shuffle(order.begin(), order.end(), generator);
    return order;
  }

  // Draws examples with the probabilities of their influence on the dual objective: Csiba, Qu and
  // Richtarik, "Stochastic dual coordinate ascent with adaptive probabilities". Each draw of an
  // example makes its next one ten times less likely. Examples that were not drawn fill the rest,
  // the most influential first.
  std::vector<int64_t> ByInfluence(const Batch& batch) const {
    const auto count = static_cast<int64_t>(batch.labels.size());
    std::vector<double> influence(count);
    double total = 0;
    for (int64_t e = 0; e < count; ++e) {
      const double slope = loss->Derivative(ProductsOf(batch, e).now, batch.labels[e]);
      const double residue = batch.state[e * kStateSize] + slope;
      influence[e] = batch.weights[e] * std::abs(residue) *
                     std::sqrt(batch.norms[e] + l2 * loss->Smoothness());
      total += influence[e];
      if (!(influence[e] >= 0)) return Shuffled(count);
    }
    if (!(total > 0) || !std::isfinite(total)) return Shuffled(count);
    std::mt19937_64 generator(std::random_device{}());
    std::discrete_distribution<int64_t> example(influence.begin(), influence.end());
    std::uniform_real_distribution<double> uniform;
    std::vector<int64_t> order;
    std::vector<int> drawn(count);
    for (int64_t refused = 0; static_cast<int64_t>(order.size()) < count && refused < count;) {
      const int64_t e = example(generator);
      if (uniform(generator) > std::pow(0.1, drawn[e])) {
        ++refused;
        continue;
      }
      ++drawn[e];
      order.push_back(e);
    }
    std::vector<int64_t> rest;
    for (int64_t e = 0; e < count; ++e) {
      if (drawn[e] == 0) rest.push_back(e);
    }
    std::stable_sort(rest.begin(), rest.end(),
                     [&](int64_t a, int64_t b) { return influence[a] > influence[b]; });
    for (size_t i = 0; static_cast<int64_t>(order.size()) < count && i < rest.size(); ++i)
      order.push_back(rest[i]);
    return order;
  }
};

}  // namespace

void RegisterSdcaOptimizer(KernelRegistry& kernels) {
  kernels.Add<SdcaOptimizer>("SdcaOptimizer", kCpu);
  kernels.Add<SdcaOptimizer>("SdcaOptimizerV2", kCpu);
}

}  // namespace sluice::kernels
