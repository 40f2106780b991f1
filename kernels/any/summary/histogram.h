// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_SUMMARY_HISTOGRAM_H_
#define SLUICE_KERNELS_ANY_SUMMARY_HISTOGRAM_H_

#include <vector>

namespace sluice {

namespace proto {
class HistogramProto;
}  // namespace proto

namespace kernels {

// A Histogram counts finite numbers in buckets whose edges grow by a tenth.
//
// Threads:  one at a time.
class Histogram {
 public:
  Histogram();
  void Add(double value);
  // A run of empty buckets becomes one.
  void Fill(proto::HistogramProto* to) const;

 private:
  std::vector<double> counts_;
  double low_, high_, count_ = 0, sum_ = 0, squares_ = 0;
};

}  // namespace kernels
}  // namespace sluice

#endif  // SLUICE_KERNELS_ANY_SUMMARY_HISTOGRAM_H_
