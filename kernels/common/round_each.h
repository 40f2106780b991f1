// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ROUND_EACH_H_
#define SLUICE_KERNELS_COMMON_ROUND_EACH_H_

// A unit that includes this header rounds the result of each operation, as its source is written:
// the compiler makes no fused multiply-add of a product and a sum. The flag for it stands in
// kernels/CMakeLists.txt, because gcc has no pragma for it: it ignores `#pragma STDC FP_CONTRACT`.
#ifndef SLUICE_ROUND_EACH
#error "name this file in the list sluice_round_each of kernels/CMakeLists.txt"
#endif

#endif  // SLUICE_KERNELS_COMMON_ROUND_EACH_H_
