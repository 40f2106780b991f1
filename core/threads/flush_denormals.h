// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_THREADS_FLUSH_DENORMALS_H_
#define SLUICE_CORE_THREADS_FLUSH_DENORMALS_H_

#include <xmmintrin.h>

namespace sluice {

// While it lives, its thread treats denormals as 0, as TensorFlow's threads do. Vanishing numbers
// are frequent in training, and arithmetic on denormals is up to a hundred times slower.
class FlushDenormals {
 public:
  FlushDenormals() : before_(_mm_getcsr()) {
    if (!Flushed()) _mm_setcsr(before_ | kFlushToZero | kDenormalsAreZero);
  }
  ~FlushDenormals() {
    if (!Flushed()) _mm_setcsr(before_);
  }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  static constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x40;
  bool Flushed() const {
    return (before_ & kFlushToZero) != 0 && (before_ & kDenormalsAreZero) != 0;
  }

  const unsigned before_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_THREADS_FLUSH_DENORMALS_H_
