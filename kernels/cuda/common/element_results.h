// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_ELEMENT_RESULTS_H_
#define SLUICE_KERNELS_CUDA_COMMON_ELEMENT_RESULTS_H_

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// The element types that an op supports, and the result type of each.
class ElementResults {
 public:
  bool Has(Element of) const { return (elements_ >> Index(of) & 1) != 0; }
  // REQUIRES: Has(of)
  Element Of(Element of) const { return results_[Index(of)]; }
  void Set(Element of, Element result) {
    elements_ |= 1u << Index(of);
    results_[Index(of)] = result;
  }

 private:
  static constexpr int Index(Element element) { return static_cast<int>(element); }
  uint32_t elements_ = 0;
  Element results_[16] = {};
};

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_ELEMENT_RESULTS_H_
