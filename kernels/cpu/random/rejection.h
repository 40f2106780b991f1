// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_REJECTION_H_
#define SLUICE_KERNELS_CPU_RANDOM_REJECTION_H_

#include <type_traits>

#include "absl/algorithm/container.h"
#include "core/tensor/shape.h"
#include "kernels/cpu/random/distributions.h"

// Samplers with rejection draw a number of words that is not known in advance. Each output has 256
// blocks of its own. Of the values of one block, the last is used first.

namespace sluice::kernels {

// Whether the last sizes of `shape` are those of `end`.
inline bool EndsWith(const Shape& shape, const Shape& end) {
  return shape.rank() >= end.rank() &&
         absl::c_equal(end.dims(), shape.dims().subspan(shape.rank() - end.rank()));
}

// Deviates from one stream of blocks. A sampler may keep two kinds separate.
class BlockSource {
 public:
  BlockSource(const Philox& philox, uint64_t first) : philox_(philox), next_(first) {}
  Philox::Block Take() { return philox_.At(next_++); }

 private:
  const Philox philox_;
  uint64_t next_;
};

// T: the type of the drawn values (Half: rounded to it). They are returned as float or double.
template <typename T, template <typename> typename Distribution>
class Backwards {
 public:
  using Value = std::conditional_t<std::is_same_v<T, double>, double, float>;

  explicit Backwards(BlockSource& source) : source_(source) {}
  Value Next() {
    if (left_ == 0) {
      Distribution<T>::FromBlock(source_.Take(), values_);
      left_ = kPerBlock<T>;
    }
    return static_cast<Value>(values_[--left_]);
  }

 private:
  BlockSource& source_;
  T values_[4] = {};
  int left_ = 0;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RANDOM_REJECTION_H_
