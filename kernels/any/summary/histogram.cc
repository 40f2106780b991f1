// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/summary/histogram.h"

#include <algorithm>
#include <cfloat>

#include "proto/summary.pb.h"

namespace sluice::kernels {
namespace {

// Upper edges: -DBL_MAX, ..., -1e-12, 0, 1e-12, 1.1e-12, ... up to 1e20, DBL_MAX.
const std::vector<double>& BucketEdges() {
  static const auto& edges = *[] {
    std::vector<double> positive;
    for (double v = 1e-12; v < 1e20; v *= 1.1) positive.push_back(v);
    positive.push_back(DBL_MAX);
    auto* all = new std::vector<double>;
    for (auto v = positive.rbegin(); v != positive.rend(); ++v) all->push_back(-*v);
    all->push_back(0);
    all->insert(all->end(), positive.begin(), positive.end());
    return all;
  }();
  return edges;
}

}  // namespace

Histogram::Histogram() : counts_(BucketEdges().size()), low_(DBL_MAX), high_(-DBL_MAX) {}

void Histogram::Add(double value) {
  const std::vector<double>& edges = BucketEdges();
  const auto bucket =
      static_cast<size_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
  counts_[std::min(bucket, edges.size() - 1)] += 1;
  low_ = std::min(low_, value);
  high_ = std::max(high_, value);
  count_ += 1;
  sum_ += value;
  squares_ += value * value;
}

void Histogram::Fill(proto::HistogramProto* to) const {
  to->set_min(low_);
  to->set_max(high_);
  to->set_num(count_);
  to->set_sum(sum_);
  to->set_sum_squares(squares_);
  const std::vector<double>& edges = BucketEdges();
  for (size_t i = 0; i < counts_.size(); ++i) {
    while (counts_[i] <= 0 && i + 1 < counts_.size() && counts_[i + 1] <= 0) ++i;
    to->add_bucket_limit(edges[i]);
    to->add_bucket(counts_[i]);
  }
}

}  // namespace sluice::kernels
