// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_TREES_QUANTILE_SKETCH_H_
#define SLUICE_KERNELS_ANY_TREES_QUANTILE_SKETCH_H_

#include <cstdint>
#include <vector>

namespace sluice::kernels {

// A value, the weight of the examples that have it, and bounds of the weight of all examples that
// come before it and up to it.
struct RankedValue {
  float value, weight, min_rank, max_rank;

  float MaxRankBefore() const { return max_rank - weight; }
  float MinRankAfter() const { return min_rank + weight; }
};

// A QuantileSummary answers questions about the quantiles of weighted values, with an error that
// grows when it is compressed. It is the summary of A Fast Algorithm for Approximate Quantiles in
// High Speed Data Streams (Zhang, Wang, 2007), with the weights of XGBoost (Chen, Guestrin, 2016).
class QuantileSummary {
 public:
  struct Weighted {
    float value, weight;
  };

  QuantileSummary() = default;
  // Entries of another summary, in order.
  explicit QuantileSummary(std::vector<RankedValue> entries) : entries_(std::move(entries)) {}
  // All of these values, in any order.
  static QuantileSummary Of(std::vector<Weighted> values);

  const std::vector<RankedValue>& entries() const { return entries_; }
  int64_t size() const { return static_cast<int64_t>(entries_.size()); }

  void Merge(const QuantileSummary& other);
  // Reduces it to about `size` entries, at least 2, which are no closer than the share `min_error`
  // of the weight.
  void Compress(int64_t size, double min_error);
  // About `count` values that divide the weight evenly.
  std::vector<float> Boundaries(int64_t count) const;
  // The values at ranks 0 to `count`, of `count`. Values may repeat. Empty if there are none.
  std::vector<float> Quantiles(int64_t count) const;

 private:
  float TotalWeight() const { return entries_.empty() ? 0 : entries_.back().max_rank; }
  float Error() const;

  std::vector<RankedValue> entries_;
};

// A QuantileStream summarises values as they come, in little memory: each level has a summary of at
// most a block, and a full one is compressed into the next level.
class QuantileStream {
 public:
  // REQUIRES: 0 < error < 1.
  QuantileStream(double error, int64_t max_elements);

  // Values without a positive weight are ignored.
  void Add(float value, float weight);
  void Add(QuantileSummary summary);
  // The summary of all values. The stream is empty afterwards.
  QuantileSummary Finish();

 private:
  void AddBuffer();

  double error_;
  int64_t block_size_ = 2;
  int64_t buffer_size_;
  std::vector<QuantileSummary::Weighted> buffer_;
  std::vector<QuantileSummary> levels_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_TREES_QUANTILE_SKETCH_H_
