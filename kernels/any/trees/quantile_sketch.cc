// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/trees/quantile_sketch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/common/round_each.h"

namespace sluice::kernels {

QuantileSummary QuantileSummary::Of(std::vector<Weighted> values) {
  // NaNs come last, so that the order is one.
  std::sort(values.begin(), values.end(), [](const Weighted& a, const Weighted& b) {
    return a.value < b.value || (std::isnan(b.value) && !std::isnan(a.value));
  });
  QuantileSummary summary;
  float rank = 0;
  for (size_t i = 0; i < values.size();) {
    const float value = values[i].value;
    float weight = values[i].weight;
    for (++i; i < values.size() && values[i].value == value; ++i) weight += values[i].weight;
    summary.entries_.push_back({value, weight, rank, rank + weight});
    rank += weight;
  }
  return summary;
}

void QuantileSummary::Merge(const QuantileSummary& other) {
  if (other.entries_.empty()) return;
  if (entries_.empty()) {
    entries_ = other.entries_;
    return;
  }
  // The ranks of an entry grow by the weight in the other summary that comes before it: at least
  // that of the last entry passed there, and at most that before the next one.
  const std::vector<RankedValue> mine = std::exchange(entries_, {});
  const std::vector<RankedValue>& theirs = other.entries_;
  entries_.reserve(mine.size() + theirs.size());
  float passed_mine = 0, passed_theirs = 0;
  size_t i = 0, j = 0;
  while (i < mine.size() || j < theirs.size()) {
    if (j == theirs.size() || (i < mine.size() && mine[i].value < theirs[j].value)) {
      const RankedValue& a = mine[i++];
      const float most = j < theirs.size() ? theirs[j].MaxRankBefore() : theirs.back().max_rank;
      entries_.push_back({a.value, a.weight, a.min_rank + passed_theirs, a.max_rank + most});
      passed_mine = a.MinRankAfter();
    } else if (i == mine.size() || theirs[j].value < mine[i].value) {
      const RankedValue& b = theirs[j++];
      const float most = i < mine.size() ? mine[i].MaxRankBefore() : mine.back().max_rank;
      entries_.push_back({b.value, b.weight, b.min_rank + passed_mine, b.max_rank + most});
      passed_theirs = b.MinRankAfter();
    } else {
      const RankedValue &a = mine[i++], &b = theirs[j++];
      entries_.push_back(
          {a.value, a.weight + b.weight, a.min_rank + b.min_rank, a.max_rank + b.max_rank});
      passed_mine = a.MinRankAfter();
      passed_theirs = b.MinRankAfter();
    }
  }
}

void QuantileSummary::Compress(int64_t size, double min_error) {
  size = std::max<int64_t>(size, 2);
  const int64_t count = this->size();
  if (count <= size) return;
  // An entry may stand for those after it within this weight, and for count / size of them on
  // average.
  const double most = TotalWeight() * std::max(1.0 / static_cast<double>(size), min_error);
  int64_t balance = 0;
  int64_t written = 1, last = 1;
  for (int64_t read = 0; read + 1 < count;) {
    int64_t next = read + 1;
    while (next < count && balance < count &&
           entries_[next].MaxRankBefore() - entries_[read].MinRankAfter() <= most) {
      balance += size;
      ++next;
    }
    read = read == next - 1 ? read + 1 : next - 1;
    last = read;
    entries_[written++] = entries_[read];
    balance -= count;
  }
  if (last + 1 < count) entries_[written++] = entries_.back();
  entries_.resize(static_cast<size_t>(written));
}

float QuantileSummary::Error() const {
  if (entries_.empty()) return 0;
  float gap = 0;
  for (size_t i = 1; i < entries_.size(); ++i) {
    const RankedValue& entry = entries_[i];
    gap = std::max({gap, entry.max_rank - entry.min_rank - entry.weight,
                    entry.MaxRankBefore() - entries_[i - 1].MinRankAfter()});
  }
  return gap / TotalWeight();
}

std::vector<float> QuantileSummary::Boundaries(int64_t count) const {
  QuantileSummary compressed = *this;
  const float error = static_cast<float>(Error() + 1.0 / static_cast<double>(count));
  compressed.Compress(count, error);
  std::vector<float> values;
  for (const RankedValue& entry : compressed.entries_) values.push_back(entry.value);
  return values;
}

std::vector<float> QuantileSummary::Quantiles(int64_t count) const {
  std::vector<float> values;
  if (entries_.empty()) return values;
  count = std::max<int64_t>(count, 2);
  size_t at = 0;
  for (int64_t rank = 0; rank <= count; ++rank) {
    const float twice =
        2 * (static_cast<float>(rank) * entries_.back().max_rank / static_cast<float>(count));
    size_t next = at + 1;
    while (next < entries_.size() && twice >= entries_[next].min_rank + entries_[next].max_rank)
      ++next;
    at = next - 1;
    const bool here = next == entries_.size() ||
                      twice < entries_[at].MinRankAfter() + entries_[next].MaxRankBefore();
    values.push_back(entries_[here ? at : next].value);
  }
  return values;
}

QuantileStream::QuantileStream(double error, int64_t max_elements) : error_(error) {
  if (error <= std::numeric_limits<double>::epsilon()) {
    block_size_ = std::max<int64_t>(max_elements, 2);
  } else {
    // Blocks of the last level are filled once at most.
    const auto fits = [&](int level) {
      return block_size_ >= (max_elements >> level) + ((max_elements & ((1LL << level) - 1)) != 0);
    };
    for (int level = 1; level < 62 && max_elements > 0 && !fits(level); ++level)
      block_size_ = static_cast<int64_t>(std::ceil(level / error) + 1);
    block_size_ = std::max<int64_t>(block_size_, 2);
  }
  buffer_size_ =
      std::min(block_size_ > max_elements ? max_elements : block_size_ * 2, max_elements);
}

void QuantileStream::Add(float value, float weight) {
  if (!(weight > 0)) return;
  buffer_.push_back({value, weight});
  if (static_cast<int64_t>(buffer_.size()) >= buffer_size_) AddBuffer();
}

void QuantileStream::AddBuffer() { Add(QuantileSummary::Of(std::exchange(buffer_, {}))); }

void QuantileStream::Add(QuantileSummary summary) {
  if (summary.size() == 0) return;
  summary.Compress(block_size_, error_);
  for (size_t level = 0;; ++level) {
    if (level == levels_.size()) levels_.emplace_back();
    QuantileSummary& kept = levels_[level];
    summary.Merge(kept);
    if (kept.size() == 0 || summary.size() <= block_size_ + 1) {
      kept = std::move(summary);
      return;
    }
    summary.Compress(block_size_, error_);
    kept = QuantileSummary();
  }
}

QuantileSummary QuantileStream::Finish() {
  AddBuffer();
  QuantileSummary all;
  for (const QuantileSummary& level : std::exchange(levels_, {})) all.Merge(level);
  return all;
}

}  // namespace sluice::kernels
