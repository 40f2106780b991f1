// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_PLAYER_ANSWERS_H_
#define SLUICE_TESTS_PLAYER_ANSWERS_H_

#include "core/status.h"
#include "core/tensor/tensor.h"

namespace sluice::player {

// How far a floating value may be from its answer: atol + rtol * |answer|. 0: the dtype's own.
struct Tolerance {
  double relative = 0, absolute = 0;
};

// OK if `actual` has the dtype, the shape and the elements of `answer`. Floating elements differ by
// no more than the tolerance; NaN is equal to NaN. All others are equal. The error describes the
// first difference and counts all.
absl::Status CompareAnswer(const Tensor& actual, const Tensor& answer, Tolerance tolerance);

}  // namespace sluice::player

#endif  // SLUICE_TESTS_PLAYER_ANSWERS_H_
