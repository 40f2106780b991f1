// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ELEMENTWISE_H_
#define SLUICE_KERNELS_COMMON_ELEMENTWISE_H_

#include <array>
#include <cstdint>

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Element-wise ops are loops over contiguous elements, selected by dtype. Shapes, broadcasting,
// in-place reuse and sharding are written once, here. The templates of loops.h make the loops from
// tables of lambdas.

constexpr int kNumDTypes = 24;

// Cost of an element, in nanoseconds, for loops that do little more than read and write it.
constexpr double kStreamed = 0.15;

// Bits of `fixed`: the operand is one element, combined with all n elements of the other operand.
constexpr int kFixedA = 1;
constexpr int kFixedB = 2;

// Returns false if an element has no result. UnaryOp::failure and BinaryOp::failure have the
// reason.
using UnaryFn = bool (*)(const void* x, void* y, int64_t n, float parameter);
using BinaryFn = bool (*)(const void* a, const void* b, void* out, int64_t n, int fixed,
                          float parameter);

// A loop and the types it reads and writes. Half and bfloat16 run the float loop block by block,
// unless fn takes them itself (`narrow`). Output may be input.
struct UnaryLoop {
  UnaryFn fn = nullptr;
  DType in = kInvalid;
  DType out = kInvalid;
  bool narrow = false;
  bool Run(const void* x, void* y, int64_t n, float parameter = 0) const;
};
struct BinaryLoop {
  BinaryFn fn = nullptr;
  DType in = kInvalid;
  DType out = kInvalid;
  bool narrow = false;
  bool Run(const void* a, const void* b, void* out, int64_t n, int fixed = 0,
           float parameter = 0) const;
};

// One op with its loops for all dtypes.
struct UnaryOp {
  const char* name = "";
  double cost = kStreamed;          // ns per element
  const char* parameter = nullptr;  // name of a float attribute
  std::array<UnaryLoop, kNumDTypes> loops;
};
struct BinaryOp {
  const char* name = "";
  double cost = kStreamed;
  const char* parameter = nullptr;
  const char* failure = nullptr;  // error text for a loop that returns false
  absl::StatusCode failure_code = absl::StatusCode::kInvalidArgument;
  bool same_shape = false;  // does not broadcast: gradients of activations
  bool any_shape =
      false;  // unequal shapes may be allowed: Equal, NotEqual (incompatible_shape_error)
  std::array<BinaryLoop, kNumDTypes> loops;
};

void AddUnaryOp(KernelRegistry& kernels, const UnaryOp& op);
void AddBinaryOp(KernelRegistry& kernels, const BinaryOp& op);

// Bytes of an element in memory, including strings.
size_t ElementSize(DType dtype);
inline const void* At(const void* base, int64_t index, size_t size) {
  return static_cast<const char*>(base) + index * static_cast<int64_t>(size);
}
inline void* At(void* base, int64_t index, size_t size) {
  return static_cast<char*>(base) + index * static_cast<int64_t>(size);
}

// The loop of z = x + y and similar ops, for kernels that combine rows: segments, scatters, scans.
// Returns a null fn if the dtype has none.
BinaryLoop AddLoop(DType dtype);
BinaryLoop SubLoop(DType dtype);
BinaryLoop MulLoop(DType dtype);
BinaryLoop MaximumLoop(DType dtype);
BinaryLoop MinimumLoop(DType dtype);

// Converts half and bfloat16 to and from float.
void Widen(DType narrow, const void* from, float* to, int64_t n);
void Narrow(DType narrow, const float* from, void* to, int64_t n);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ELEMENTWISE_H_
