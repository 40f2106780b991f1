// SPDX-License-Identifier: Apache-2.0
// CTCLoss: minus the log probability of all paths that spell a sequence of labels, and its gradient
// for the scores: Graves, "Supervised Sequence Labelling with Recurrent Neural Networks", chapter 7.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/parsing/each_element.h"
#include "kernels/cpu/nn/log_sum_exp.h"
#include "kernels/cpu/nn/register.h"
#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {
namespace {

using Path = std::vector<int32_t>;
// Labels by sequence of the batch.
using Labels = std::vector<std::vector<int32_t>>;

// The dense form of a sparse matrix of labels. Its rows must be sorted.
absl::StatusOr<Labels> ReadLabels(const Tensor& indices, const Tensor& values, int64_t batch) {
  if (indices.dim(1) != 2) return InvalidArgument("Order length must be SparseTensor rank.");
  const int64_t* at = indices.data<int64_t>();
  int64_t longest = 0;
  for (int64_t i = 0; i < values.dim(0); ++i) longest = std::max(longest, at[2 * i + 1] + 1);
  Labels labels(batch);
  for (int64_t i = 0; i < values.dim(0); ++i, at += 2) {
    const std::string cell =
        Cat("label SparseTensor is not valid: indices[", i, "] = [", at[0], ",", at[1], "] is ");
    if (at[0] < 0 || at[0] >= batch || at[1] < 0) {
      return InvalidArgument(cell, "out of bounds: need 0 <= index < [", batch, ",", longest, "]");
    }
    if (i > 0 && (at[0] < at[-2] || (at[0] == at[-2] && at[1] < at[-1]))) {
      return InvalidArgument(cell, kOutOfOrder);
    }
    if (i > 0 && at[0] == at[-2] && at[1] == at[-1]) return InvalidArgument(cell, "repeated");
    labels[at[0]].push_back(values.data<int32_t>()[i]);
  }
  return labels;
}

// The scores of one sequence, and the labels to spell, with a blank before each and at the end.
// Positions of this path are the states of the recursion.
template <typename T>
struct Spelling {
  const T* scores;  // of the first step
  int64_t row;      // elements from one step to the next
  int64_t classes, steps;
  const Path& path;
  bool merge_repeated;  // a label that repeats without a blank between counts once

  int32_t blank() const { return static_cast<int32_t>(classes - 1); }
  int64_t states() const { return static_cast<int64_t>(path.size()); }
  // The states at step t from which the end can be reached, and that can be reached: [first, last).
  int64_t first(int64_t t) const { return std::max<int64_t>(0, states() - 2 * (steps - t)); }
  int64_t last(int64_t t) const { return std::min(states(), 2 * (t + 1)); }
  // Whether the state can stay at its label for two steps.
  bool Stays(int64_t u) const { return merge_repeated || path[u] == blank(); }
  // Whether the blank between the labels of the states u and u + 2 can be left out.
  bool Skips(int64_t u) const {
    return path[u] != blank() && !(merge_repeated && path[u] == path[u + 2]);
  }
};

// Probabilities of the classes at each step: [steps, classes].
template <typename T>
void Softmax(const Spelling<T>& s, T* y) {
  for (int64_t t = 0; t < s.steps; ++t, y += s.classes) {
    ThrowIfCancelled();
    const T* scores = s.scores + t * s.row;
    const T highest = *std::max_element(scores, scores + s.classes);
    T sum = 0;
    for (int64_t c = 0; c < s.classes; ++c) sum += y[c] = std::exp(scores[c] - highest);
    for (int64_t c = 0; c < s.classes; ++c) y[c] /= sum;
  }
}

// alpha[t, u]: the logarithm of the probability to be in state u after step t. log_y: that of the
// state's label at the step.
template <typename T>
void Forward(const Spelling<T>& s, const T* log_y, T* alpha) {
  const int64_t states = s.states();
  std::fill_n(alpha, s.steps * states, kLogZero<T>);
  for (int64_t u = 0; u < std::min<int64_t>(2, states); ++u) alpha[u] = log_y[u];
  for (int64_t t = 1; t < s.steps; ++t) {
    ThrowIfCancelled();
    const T* before = alpha + (t - 1) * states;
    for (int64_t u = s.first(t); u < s.last(t); ++u) {
      T sum = s.Stays(u) ? before[u] : kLogZero<T>;
      if (u > 0) sum = LogSumExp(sum, before[u - 1]);
      if (u > 1 && s.Skips(u - 2)) sum = LogSumExp(sum, before[u - 2]);
      alpha[t * states + u] = log_y[t * states + u] + sum;
    }
  }
}

// beta[t, u]: the logarithm of the probability of the labels after step t, from state u.
template <typename T>
void Backward(const Spelling<T>& s, const T* log_y, T* beta) {
  const int64_t states = s.states(), end = s.steps - 1;
  std::fill_n(beta, s.steps * states, kLogZero<T>);
  for (int64_t u = std::max<int64_t>(0, states - 2); u < states; ++u) beta[end * states + u] = 0;
  // Without labels, the recursion starts here too, as in TensorFlow.
  if (states == 1 && end > 0) beta[end - 1] = 0;
  for (int64_t t = end - 1; t >= 0; --t) {
    ThrowIfCancelled();
    const T* after = beta + (t + 1) * states;
    const T* log_y_after = log_y + (t + 1) * states;
    for (int64_t u = s.first(t); u < s.last(t); ++u) {
      T& sum = beta[t * states + u];
      if (s.Stays(u)) sum = LogSumExp(sum, after[u] + log_y_after[u]);
      if (u + 1 < states) sum = LogSumExp(sum, after[u + 1] + log_y_after[u + 1]);
      if (u + 2 < states && s.Skips(u)) sum = LogSumExp(sum, after[u + 2] + log_y_after[u + 2]);
    }
  }
}

// For the scores: y minus the part of the paths that are in a state of the class at the step.
template <typename T>
void Gradient(const Spelling<T>& s, const T* y, const T* alpha, const T* beta, T log_probability,
              T* gradient) {
  std::vector<T> sums(s.classes);
  for (int64_t t = 0; t < s.steps; ++t, y += s.classes, gradient += s.row) {
    ThrowIfCancelled();
    std::copy_n(y, s.classes, gradient);
    if (log_probability == kLogZero<T>) continue;
    for (int32_t label : s.path) sums[label] = kLogZero<T>;
    for (int64_t u = 0; u < s.states(); ++u, ++alpha, ++beta)
      sums[s.path[u]] = LogSumExp(sums[s.path[u]], *alpha + *beta);
    for (int32_t label : s.path)
      gradient[label] = y[label] - std::exp(static_cast<float>(sums[label] - log_probability));
  }
}

// Returns the loss; writes the gradient, whose steps are s.row elements apart.
template <typename T>
absl::StatusOr<T> LossOf(KernelContext& ctx, const Spelling<T>& s, T* gradient) {
  SLUICE_ASSIGN(const Shape per_class, Shape::Create({s.steps, s.classes}));
  SLUICE_ASSIGN(const Shape per_state, Shape::Create({3, s.steps, s.states()}));
  SLUICE_ASSIGN(Tensor probabilities, ctx.AllocateTemporary(kDTypeOf<T>, per_class));
  SLUICE_ASSIGN(Tensor tables, ctx.AllocateTemporary(kDTypeOf<T>, per_state));
  T* y = probabilities.mutable_data<T>();
  T* log_y = tables.mutable_data<T>();
  T* alpha = log_y + s.steps * s.states();
  T* beta = alpha + s.steps * s.states();
  Softmax(s, y);
  for (int64_t t = 0; t < s.steps; ++t) {
    ThrowIfCancelled();
    for (int64_t u = 0; u < s.states(); ++u)
      log_y[t * s.states() + u] = std::log(y[t * s.classes + s.path[u]]);
  }
  Forward(s, log_y, alpha);
  Backward(s, log_y, beta);
  T log_probability = kLogZero<T>;
  for (int64_t u = 0; u < s.states(); ++u)
    log_probability = LogSumExp(log_probability, alpha[u] + beta[u]);
  Gradient(s, y, alpha, beta, log_probability, gradient);
  return -log_probability;
}

struct CtcLoss {
  bool collapse_repeated, merge_repeated, ignore_longer;

  static absl::StatusOr<CtcLoss> Create(const NodeSpec& node) {
    CtcLoss loss{};
    SLUICE_ASSIGN(loss.collapse_repeated, node.Get<bool>("preprocess_collapse_repeated"));
    SLUICE_ASSIGN(loss.merge_repeated, node.Get<bool>("ctc_merge_repeated"));
    SLUICE_ASSIGN(loss.ignore_longer, node.Get<bool>("ignore_longer_outputs_than_inputs"));
    return loss;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckShapes(ctx));
    const Tensor scores = ctx.input(0);
    const auto lengths = ctx.input(3).flat<int32_t>();
    const int64_t batch = scores.dim(1), classes = scores.dim(2);
    SLUICE_ASSIGN(const Labels labels, ReadLabels(ctx.input(1), ctx.input(2), batch));
    SLUICE_RETURN_IF_ERROR(CheckLengths(lengths, scores.dim(0)));
    std::vector<Path> paths(batch);
    for (int64_t b = 0; b < batch; ++b) {
      SLUICE_ASSIGN(paths[b], PathOf(labels[b], b, lengths[b], classes));
    }
    SLUICE_ASSIGN(Tensor * loss, ctx.AllocateOutput(0, Shape{batch}));
    SLUICE_ASSIGN(Tensor * gradient, ctx.AllocateOutput(1, scores.shape()));
    std::memset(loss->raw(), 0, loss->bytes());
    std::memset(gradient->raw(), 0, gradient->bytes());
    const auto states = static_cast<double>(2 * ctx.input(2).dim(0) / batch + 1);
    const double cost = static_cast<double>(scores.dim(0)) * (60 * states + 20.0 * classes);
    return VisitDType(TypeList<float, double>{}, scores.dtype(), [&]<typename T>(Type<T>) {
      return EachElement(ctx.pool(), batch, cost, [&] {
        return [&](int64_t b) -> absl::Status {
          const bool longer = static_cast<int64_t>(labels[b].size()) > lengths[b];
          if (lengths[b] == 0 || (ignore_longer && longer)) return absl::OkStatus();
          const Spelling<T> spelling{.scores = scores.data<T>() + b * classes,
                                     .row = batch * classes,
                                     .classes = classes,
                                     .steps = lengths[b],
                                     .path = paths[b],
                                     .merge_repeated = merge_repeated};
          T* to = gradient->mutable_data<T>() + b * classes;
          SLUICE_ASSIGN(loss->mutable_data<T>()[b], LossOf<T>(ctx, spelling, to));
          return absl::OkStatus();
        };
      });
    });
  }

 private:
  static absl::Status CheckShapes(const KernelContext& ctx) {
    const Tensor &scores = ctx.input(0), &indices = ctx.input(1), &values = ctx.input(2),
                 &lengths = ctx.input(3);
    if (scores.rank() != 3) return InvalidArgument("inputs is not a 3-Tensor");
    if (lengths.rank() != 1) return InvalidArgument("sequence_length is not a vector");
    if (indices.rank() != 2) return InvalidArgument("labels_indices is not a matrix");
    if (values.rank() != 1) return InvalidArgument("labels_values is not a vector");
    const int64_t batch = scores.dim(1), classes = scores.dim(2);
    if (classes > std::numeric_limits<int32_t>::max())
      return InvalidArgument("num_classes cannot exceed max int");
    if (batch != lengths.dim(0)) {
      return InvalidArgument("len(sequence_length) != batch_size.  len(sequence_length):  ",
                             lengths.dim(0), " batch_size: ", batch);
    }
    if (indices.dim(0) != values.dim(0)) {
      return InvalidArgument(
          "labels_indices and labels_values must contain the same number of rows, but saw shapes: ",
          indices.shape(), " vs. ", values.shape());
    }
    if (batch == 0) return InvalidArgument("batch_size must not be 0");
    if (scores.dim(0) == 0)
      return InvalidArgument("Max time or first dimension of input cannot be 0.");
    if (classes == 0) return InvalidArgument("inputs must have at least one class");
    return absl::OkStatus();
  }

  static absl::Status CheckLengths(absl::Span<const int32_t> lengths, int64_t steps) {
    for (size_t b = 0; b < lengths.size(); ++b) {
      if (lengths[b] > steps) return InvalidArgument("sequence_length(", b, ") <= ", steps);
    }
    for (size_t b = 0; b < lengths.size(); ++b) {
      if (lengths[b] < 0) return InvalidArgument("seq_len(", b, ") < 0");
    }
    return absl::OkStatus();
  }

  // Labels with a blank before each and at the end. Blanks at the end of `labels` are left out.
  absl::StatusOr<Path> PathOf(absl::Span<const int32_t> labels, int64_t b, int64_t steps,
                              int64_t classes) const {
    if (labels.empty()) return InvalidArgument("Labels length is zero in batch ", b);
    const auto blank = static_cast<int32_t>(classes - 1);
    Path spelled;
    bool ended = false;
    for (size_t i = 0; i < labels.size(); ++i) {
      if (collapse_repeated && i > 0 && labels[i] == labels[i - 1]) continue;
      if (labels[i] >= blank) {
        ended = true;
      } else if (ended) {
        return InvalidArgument(
            "Saw a non-null label (index >= num_classes - 1) following a null label, batch: ", b,
            " num_classes: ", classes, " labels: ", absl::StrJoin(labels, ","),
            " labels seen so far: ", absl::StrJoin(spelled, ","));
      } else {
        spelled.push_back(labels[i]);
      }
    }
    Path path{blank};
    for (int32_t label : spelled) {
      if (label < 0) {
        return InvalidArgument("All labels must be nonnegative integers, batch: ", b,
                               " labels: ", absl::StrJoin(spelled, ","));
      }
      path.push_back(label);
      path.push_back(blank);
    }
    const auto required = static_cast<int64_t>(labels.size());
    if (!ignore_longer && required > steps) {
      return InvalidArgument("Not enough time for target transition sequence (required: ", required,
                             ", available: ", steps, ")", b,
                             "You can turn this error into a warning by using the flag "
                             "ignore_longer_outputs_than_inputs");
    }
    return path;
  }
};

}  // namespace

void RegisterCtcLoss(KernelRegistry& kernels) {
  kernels.Add<CtcLoss>("CTCLoss", kCpu, {{"T", {kFloat, kDouble}}});
}

}  // namespace sluice::kernels
