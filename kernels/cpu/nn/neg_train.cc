// SPDX-License-Identifier: Apache-2.0
// NegTrain: a step of word2vec's training with negative samples (Mikolov et al., "Distributed
// representations of words and phrases and their compositionality").
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/training/training_variables.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

struct NegTrain {
  int64_t samples;
  std::vector<double> sums;  // of the words' weights, up to each word

  static absl::StatusOr<NegTrain> Create(const NodeSpec& node) {
    NegTrain k{};
    SLUICE_ASSIGN(k.samples, node.Get<int64_t>("num_negative_samples"));
    SLUICE_ASSIGN(const auto counts, node.Get<std::vector<int64_t>>("vocab_count"));
    double sum = 0;
    for (int64_t count : counts) {
      if (count < 0) return InvalidArgument("vocab_count must not be negative, got ", count);
      sum += std::pow(static_cast<float>(count), 0.75f);
      k.sums.push_back(sum);
    }
    if (!(sum > 0)) return InvalidArgument("vocab_count must have a positive sum");
    return k;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &examples = ctx.input(2), &labels = ctx.input(3);
    if (examples.rank() != 1) return InvalidArgument("examples must be a vector");
    if (labels.shape() != examples.shape())
      return InvalidArgument("examples.shape == labels.shape");
    if (ctx.input(4).rank() != 0) return InvalidArgument("lr must be a scalar");
    LockedVariables variables;
    SLUICE_RETURN_IF_ERROR(variables.Lock(ctx, {"w_in", "w_out"}, kFloat));
    if (variables.shape().rank() != 2) return InvalidArgument("w_in must be a matrix");
    const int64_t words = variables.shape().dim(0), size = variables.shape().dim(1);
    if (words != static_cast<int64_t>(sums.size()))
      return InvalidArgument("vocab_size mismatches: ", words, " vs. ", sums.size());
    for (const Tensor* ids : {&examples, &labels}) {
      for (int32_t id : ids->flat<int32_t>()) {
        if (id < 0 || id >= words)
          return InvalidArgument("a word's id is ", id, ", not in [0, ", words, ")");
      }
    }
    SLUICE_RETURN_IF_ERROR(variables.PrepareToWrite(ctx));
    auto* in = static_cast<float*>(variables.data(0));
    auto* out = static_cast<float*>(variables.data(1));
    const float rate = ctx.input(4).scalar<float>();
    std::mt19937_64 generator(std::random_device{}());
    std::uniform_real_distribution<double> uniform(0, sums.back());
    std::vector<float> change(size);
    for (int64_t i = 0; i < examples.num_elements(); ++i) {
      float* word = in + examples.data<int32_t>()[i] * size;
      const int32_t label = labels.data<int32_t>()[i];
      std::fill(change.begin(), change.end(), 0.0f);
      Learn(word, out + label * size, true, rate, change);
      for (int64_t sample = 0; sample < samples; ++sample) {
        const auto drawn = std::upper_bound(sums.begin(), sums.end() - 1, uniform(generator));
        const auto id = static_cast<int64_t>(drawn - sums.begin());
        if (id != label) Learn(word, out + id * size, false, rate, change);
      }
      for (int64_t d = 0; d < size; ++d) word[d] += change[d];
    }
    return absl::OkStatus();
  }

  // One step of logistic regression: whether `other` is a neighbour of the word. The word's own
  // change is for later.
  static void Learn(const float* word, float* other, bool neighbour, float rate,
                    std::vector<float>& change) {
    float product = 0;
    for (size_t d = 0; d < change.size(); ++d) product += word[d] * other[d];
    const float error = neighbour ? 1 / (std::exp(product) + 1) : -1 / (std::exp(-product) + 1);
    for (size_t d = 0; d < change.size(); ++d) {
      change[d] += other[d] * (error * rate);
      other[d] += word[d] * (error * rate);
    }
  }
};

}  // namespace

void RegisterNegTrain(KernelRegistry& kernels) { kernels.Add<NegTrain>("NegTrain", kCpu); }

}  // namespace sluice::kernels
