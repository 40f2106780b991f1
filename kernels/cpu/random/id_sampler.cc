// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "absl/synchronization/mutex.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/random/distributions.h"
#include "kernels/cpu/random/id_sampler.h"

namespace sluice::kernels {
namespace {

// `draw` returns uniform words of type U.
template <typename U, typename Draw>
U Below(U n, Draw draw) {
  if ((n & (n - 1)) == 0) return n == 0 ? 0 : draw() & (n - 1);
  const U remainder = std::numeric_limits<U>::max() % n + 1;  // lower words would cause a bias
  U word;
  do {
    word = draw();
  } while (word < remainder);
  return word % n;
}

class Uniformly final : public IdSampler {
 public:
  explicit Uniformly(int64_t range) : range_(range) {}
  int64_t range() const override { return range_; }
  int64_t Draw(PhiloxWords& words) const override {
    return static_cast<int64_t>(DrawBelow64(words, static_cast<uint64_t>(range_)));
  }
  float Probability(int64_t) const override {
    return static_cast<float>(1.0 / static_cast<double>(range_));
  }

 private:
  const int64_t range_;
};

class LogUniformly final : public IdSampler {
 public:
  explicit LogUniformly(int64_t range)
      : range_(range), log_range_(std::log1p(static_cast<double>(range))) {}
  int64_t range() const override { return range_; }
  int64_t Draw(PhiloxWords& words) const override {
    const uint32_t w0 = words.Next(), w1 = words.Next();
    // Rounding may produce `range` itself.
    return (static_cast<int64_t>(std::exp(UniformDouble(w0, w1) * log_range_)) - 1) % range_;
  }
  float Probability(int64_t id) const override {
    const auto x = static_cast<double>(id);
    return static_cast<float>(std::log((x + 2.0) / (x + 1.0)) / log_range_);
  }

 private:
  const int64_t range_;
  const double log_range_;
};

// Counts in a Fenwick tree (1994): incrementing a count and finding the id at a running count are
// logarithmic.
class Learned final : public IdSampler {
 public:
  explicit Learned(int64_t range) : counts_(range, 1), tree_(range + 1), total_(range) {
    for (int64_t i = 1; i <= range; ++i) tree_[i] = static_cast<int32_t>(i & -i);
    while (top_ * 2 <= range) top_ *= 2;
  }
  int64_t range() const override { return static_cast<int64_t>(counts_.size()); }
  absl::Mutex* mutex() override { return &mu_; }
  int64_t Draw(PhiloxWords& words) const override {
    int64_t rest = DrawBelow(words, static_cast<uint32_t>(total_)), at = 0;
    for (int64_t step = top_; step > 0; step /= 2) {
      if (at + step < static_cast<int64_t>(tree_.size()) && tree_[at + step] <= rest) {
        at += step;
        rest -= tree_[at];
      }
    }
    return at;
  }
  float Probability(int64_t id) const override {
    if (id < 0 || id >= range()) return 0;
    return static_cast<float>(counts_[id]) / static_cast<float>(total_);
  }
  void Learn(absl::Span<const int64_t> ids) override {
    for (int64_t id : ids) {
      if (total_ == std::numeric_limits<int32_t>::max()) return;
      if (id < 0 || id >= range()) continue;
      ++counts_[id];
      ++total_;
      for (int64_t i = id + 1; i < static_cast<int64_t>(tree_.size()); i += i & -i) ++tree_[i];
    }
  }

 private:
  absl::Mutex mu_;  // held while ids are drawn or learned
  std::vector<int32_t> counts_;
  std::vector<int32_t> tree_;  // [i]: the sum of the i & -i counts that end before id i
  int64_t total_, top_ = 1;
};

// Each id has a bucket of equal size, which at most one other id shares.
class Weighted final : public IdSampler {
 public:
  Weighted(std::vector<float> weights, float total)
      : weights_(std::move(weights)), total_(total), buckets_(weights_.size()) {
    const size_t n = weights_.size();
    double sum = 0;
    for (float w : weights_) {
      sum += w;
      distinct_ += w > 0 ? 1 : 0;
    }
    std::vector<double> share(n);
    std::vector<int> large, small;
    for (size_t i = 0; i < n; ++i) {
      share[i] = static_cast<double>(weights_[i] * static_cast<float>(n)) / sum;
      (share[i] < 1.0 ? small : large).push_back(static_cast<int>(i));
    }
    while (!large.empty() && !small.empty()) {
      const int s = small.back(), l = large.back();
      small.pop_back();
      large.pop_back();
      buckets_[s].other = l;
      share[l] -= 1.0 - share[s];
      (share[l] < 1.0 ? small : large).push_back(l);
    }
    for (size_t i = 0; i < n; ++i) buckets_[i].own = static_cast<float>(share[i]);
    // Except for rounding, the remaining ids have weight 1.
    for (const auto* rest : {&large, &small}) {
      for (int i : *rest) buckets_[i] = {1.0f, i};
    }
  }
  int64_t range() const override { return static_cast<int64_t>(weights_.size()); }
  int64_t distinct() const override { return distinct_; }
  int64_t Draw(PhiloxWords& words) const override {
    const float at = UniformFloat(words.Next());
    const uint32_t i = DrawBelow(words, static_cast<uint32_t>(weights_.size()));
    return at < buckets_[i].own ? i : buckets_[i].other;
  }
  float Probability(int64_t id) const override {
    return id < 0 || id >= range() ? 0 : weights_[id] / total_;
  }

 private:
  struct Bucket {
    float own = 0;
    int other = 0;
  };
  const std::vector<float> weights_;
  const float total_;
  int64_t distinct_ = 0;
  std::vector<Bucket> buckets_;
};

}  // namespace

uint32_t DrawBelow(PhiloxWords& words, uint32_t n) {
  return Below<uint32_t>(n, [&] { return words.Next(); });
}

uint64_t DrawBelow64(PhiloxWords& words, uint64_t n) {
  return Below<uint64_t>(n, [&] {
    const uint64_t low = words.Next();
    return static_cast<uint64_t>(words.Next()) << 32 | low;
  });
}

std::unique_ptr<IdSampler> UniformIds(int64_t range) { return std::make_unique<Uniformly>(range); }

std::unique_ptr<IdSampler> LogUniformIds(int64_t range) {
  return std::make_unique<LogUniformly>(range);
}

absl::StatusOr<std::unique_ptr<IdSampler>> LearnedIds(int64_t range) {
  constexpr int64_t kMost = int64_t{1} << 30;  // the counts of all ids are in memory
  if (range > kMost) return InvalidArgument("range_max ", range, " is more than ", kMost);
  return std::make_unique<Learned>(range);
}

absl::StatusOr<std::unique_ptr<IdSampler>> WeightedIds(std::vector<float> weights) {
  float total = 0;
  for (float w : weights) {
    if (!(w >= 0) || !std::isfinite(w))
      return InvalidArgument("weights of ids must be finite and not negative, got ", w);
    total = static_cast<float>(static_cast<double>(total) + w);
  }
  if (!(total > 0) || !std::isfinite(total))
    return InvalidArgument("the sum of the weights of ids must be positive, got ", total);
  return std::make_unique<Weighted>(std::move(weights), total);
}

}  // namespace sluice::kernels
