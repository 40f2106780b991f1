// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_ID_SAMPLER_H_
#define SLUICE_KERNELS_CPU_RANDOM_ID_SAMPLER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "core/status.h"
#include "kernels/common/philox.h"

namespace sluice::kernels {

// Draws integers from words as TensorFlow does: [0, n) without bias, by drawing again.
uint32_t DrawBelow(PhiloxWords& words, uint32_t n);
uint64_t DrawBelow64(PhiloxWords& words, uint64_t n);

// A distribution over the ids [0, range), as candidate samplers draw from them.
//
// Threads:  any; those that learn have a mutex.
class IdSampler {
 public:
  virtual ~IdSampler() = default;
  virtual int64_t range() const = 0;
  virtual int64_t Draw(PhiloxWords& words) const = 0;
  virtual float Probability(int64_t id) const = 0;
  // Reports ids that occurred: samplers that learn make them likelier.
  virtual void Learn(absl::Span<const int64_t>) {}
  // The number of distinct ids that can be drawn.
  virtual int64_t distinct() const { return range(); }
  // Held while one batch is drawn and learned.
  virtual absl::Mutex* mutex() { return nullptr; }
};

std::unique_ptr<IdSampler> UniformIds(int64_t range);
// P(id) = log((id + 2) / (id + 1)) / log(range + 1): Zipf's law for ids sorted by falling
// frequency.
std::unique_ptr<IdSampler> LogUniformIds(int64_t range);
// Every id starts with a count of 1, which grows each time the id occurs.
absl::StatusOr<std::unique_ptr<IdSampler>> LearnedIds(int64_t range);
// By weights, drawn with the alias method (Walker, 1977; Vose, 1991). INVALID_ARGUMENT for weights
// that are not a distribution.
absl::StatusOr<std::unique_ptr<IdSampler>> WeightedIds(std::vector<float> weights);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RANDOM_ID_SAMPLER_H_
