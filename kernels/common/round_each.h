// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ROUND_EACH_H_
#define SLUICE_KERNELS_COMMON_ROUND_EACH_H_

// In a unit that includes this header, the result of each operation is rounded as the source is
// written: the compiler does not fuse a product and a sum. The flag is set in
// kernels/CMakeLists.txt, because gcc ignores `#pragma STDC FP_CONTRACT`.
#ifndef SLUICE_ROUND_EACH
#error "name this file in the list sluice_round_each of kernels/CMakeLists.txt"
#endif

#endif  // SLUICE_KERNELS_COMMON_ROUND_EACH_H_
