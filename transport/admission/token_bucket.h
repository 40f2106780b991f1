// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_ADMISSION_TOKEN_BUCKET_H_
#define SLUICE_TRANSPORT_ADMISSION_TOKEN_BUCKET_H_

#include <algorithm>

#include "absl/time/time.h"

namespace sluice::transport {

// Limits how often something happens: `most` times at once, and `per_second` times a second in the
// long run.
//
// Threads:  one at a time.
class TokenBucket {
 public:
  TokenBucket(double per_second, double most) : per_second_(per_second), most_(most), left_(most) {}

  // False, and nothing is taken, if there are not so many tokens.
  bool Take(double tokens, absl::Time now) {
    Fill(now);
    if (left_ < tokens) return false;
    left_ -= tokens;
    return true;
  }
  void GiveBack(double tokens) { left_ = std::min(most_, left_ + tokens); }
  bool IsFull(absl::Time now) {
    Fill(now);
    return left_ >= most_;
  }

 private:
  void Fill(absl::Time now) {
    if (now > filled_)
      left_ = std::min(most_, left_ + per_second_ * absl::ToDoubleSeconds(now - filled_));
    filled_ = now;
  }

  double per_second_, most_, left_;
  absl::Time filled_ = absl::InfinitePast();
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ADMISSION_TOKEN_BUCKET_H_
