// SPDX-License-Identifier: Apache-2.0
// The ops of k-means: the k centres nearest to each point by squared distances, nearest first, and
// the initial centres.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/random/distributions.h"
#include "kernels/cpu/random/id_sampler.h"
#include "kernels/cpu/training/register.h"

namespace sluice::kernels {
namespace {

float SquaredDistance(const float* a, const float* b, int64_t width) {
  float sum = 0;
  for (int64_t d = 0; d < width; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

struct NearestNeighbors {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &points = ctx.input(0), &centers = ctx.input(1);
    if (points.rank() != 2) return InvalidArgument("Input points should be a matrix.");
    if (centers.rank() != 2) return InvalidArgument("Input centers should be a matrix.");
    if (ctx.input(2).rank() != 0) return InvalidArgument("Input k should be a scalar.");
    const int64_t n = points.dim(0), count = centers.dim(0), width = points.dim(1);
    if (n == 0) return InvalidArgument("Expected points.rows() > 0.");
    if (width != centers.dim(1)) {
      return InvalidArgument("Expected point_dimensions == center_dimensions: ", width, " vs ",
                             centers.dim(1), ".");
    }
    const int64_t k = std::min(ctx.input(2).scalar<int64_t>(), count);
    if (k < 0) return InvalidArgument("Expected k >= 0, got ", k);
    SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(0, Shape{n, k}));
    SLUICE_ASSIGN(Tensor * distances, ctx.AllocateOutput(1, Shape{n, k}));
    const double cost = static_cast<double>(count) * (1.0 + static_cast<double>(width));
    ParallelFor(ctx.pool(), n, cost, [&](int64_t begin, int64_t end) {
      std::vector<std::pair<float, int64_t>> near(count);
      for (int64_t i = begin; i < end; ++i) {
        const float* point = points.data<float>() + i * width;
        for (int64_t j = 0; j < count; ++j)
          near[j] = {SquaredDistance(point, centers.data<float>() + j * width, width), j};
        // If distances are equal, or NaN, the number of the centre decides.
        std::partial_sort(near.begin(), near.begin() + k, near.end(), [](auto& a, auto& b) {
          return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
        });
        for (int64_t j = 0; j < k; ++j) {
          distances->mutable_data<float>()[i * k + j] = near[j].first;
          indices->mutable_data<int64_t>()[i * k + j] = near[j].second;
        }
      }
    });
    return absl::OkStatus();
  }
};

// Points are drawn one after the other, each by its distance to those already drawn (Arthur and
// Vassilvitskii, "k-means++: the advantages of careful seeding", 2007). Of several candidates, the
// one that leaves the smallest sum of distances is chosen.
struct KmeansPlusPlus {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& points = ctx.input(0);
    if (points.rank() != 2) return InvalidArgument("Input points should be a matrix.");
    for (int i = 1; i < 4; ++i) {
      if (ctx.input(i).rank() != 0) {
        constexpr const char* kNames[] = {"num_to_sample", "seed", "num_retries_per_sample"};
        return InvalidArgument("Input ", kNames[i - 1], " should be a scalar.");
      }
    }
    const int64_t n = points.dim(0), wanted = ctx.input(1).scalar<int64_t>();
    if (n == 0) return InvalidArgument("Expected points.rows() > 0.");
    if (wanted <= 0) return InvalidArgument("Expected num_to_sample > 0.");
    if (wanted > n) {
      return InvalidArgument("Expected num_to_sample <= points.rows(). ", wanted, " vs ", n, ".");
    }
    const auto seed = static_cast<uint64_t>(ctx.input(2).scalar<int64_t>());
    int64_t retries = ctx.input(3).scalar<int64_t>();
    if (retries < 0) retries = 2 + static_cast<int64_t>(std::log(static_cast<double>(wanted)));
    const int64_t width = points.dim(1);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{wanted, width}));
    PhiloxWords words(Philox(seed, 0), 0);
    Chosen chosen(points);
    for (int64_t i = 0; i < wanted; ++i) {
      if (ctx.cancel().cancelled()) return ctx.cancel().status();
      const int64_t index = chosen.Add(words, retries);
      std::copy_n(points.data<float>() + index * width, width,
                  out->mutable_data<float>() + i * width);
    }
    return absl::OkStatus();
  }

 private:
  // The points drawn so far.
  class Chosen {
   public:
    explicit Chosen(const Tensor& points)
        : points_(points),
          taken_(points.dim(0), false),
          nearest_(points.dim(0), std::numeric_limits<float>::infinity()) {}

    int64_t Add(PhiloxWords& words, int64_t retries) {
      int64_t best = Draw(words);
      std::vector<float> left = With(best);
      float sum = Sum(left);
      for (int64_t i = 0; i < retries; ++i) {
        const int64_t index = Draw(words);
        std::vector<float> other = With(index);
        const float other_sum = Sum(other);
        if (!(other_sum < sum)) continue;
        best = index;
        left = std::move(other);
        sum = other_sum;
      }
      taken_[best] = true;
      first_ = false;
      nearest_ = std::move(left);
      sums_.resize(nearest_.size());
      std::partial_sum(nearest_.begin(), nearest_.end(), sums_.begin());
      return best;
    }

   private:
    int64_t Draw(PhiloxWords& words) const {
      const auto n = static_cast<int64_t>(taken_.size());
      if (first_) return static_cast<int64_t>(DrawBelow64(words, static_cast<uint64_t>(n)));
      // Points equal to drawn ones have weight zero. If all points are, random draws would never
      // end.
      constexpr int kTries = 1000;
      for (int i = 0; i < kTries; ++i) {
        const float at = UniformFloat(words.Next()) * sums_.back();
        const int64_t index = std::upper_bound(sums_.begin(), sums_.end(), at) - sums_.begin();
        if (index < n && !taken_[index]) return index;
      }
      return std::find(taken_.begin(), taken_.end(), false) - taken_.begin();
    }

    // Half the squared distances to the nearest drawn point if this point were drawn, too.
    std::vector<float> With(int64_t index) const {
      const int64_t width = points_.dim(1);
      const float* data = points_.data<float>();
      std::vector<float> left(nearest_);
      for (size_t i = 0; i < left.size(); ++i) {
        const float* point = data + static_cast<int64_t>(i) * width;
        left[i] = std::min(left[i], SquaredDistance(point, data + index * width, width) / 2);
      }
      return left;
    }

    static float Sum(const std::vector<float>& values) {
      return std::accumulate(values.begin(), values.end(), 0.0F);
    }

    const Tensor& points_;
    bool first_ = true;
    std::vector<bool> taken_;
    std::vector<float> nearest_, sums_;
  };
};

// The last state of a Markov chain over candidates. It moves to each candidate with the probability
// of its distance over the state's (Bachem and others, "Approximate k-means++ in sublinear time",
// 2016).
struct Kmc2Chain {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& distances = ctx.input(0);
    if (distances.rank() != 1) return InvalidArgument("Input distances should be a vector.");
    if (ctx.input(1).rank() != 0) return InvalidArgument("Input seed should be a scalar.");
    const int64_t n = distances.dim(0);
    if (n == 0) return InvalidArgument("Expected distances.size() > 0.");
    const float* distance = distances.data<float>();
    PhiloxWords words(Philox(static_cast<uint64_t>(ctx.input(1).scalar<int64_t>()), 0), 0);
    int64_t state = 0;
    for (int64_t i = 1; i < n; ++i)
      if (distance[i] > UniformFloat(words.Next()) * distance[state]) state = i;
    SLUICE_ASSIGN(Tensor * index, ctx.AllocateOutput(0, Shape{}));
    index->mutable_data<int64_t>()[0] = state;
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterKmeans(KernelRegistry& kernels) {
  kernels.Add<NearestNeighbors>("NearestNeighbors", kCpu);
  kernels.Add<KmeansPlusPlus>("KmeansPlusPlusInitialization", kCpu);
  kernels.Add<Kmc2Chain>("KMC2ChainInitialization", kCpu);
}

}  // namespace sluice::kernels
