// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ELEMENTWISE_H_
#define SLUICE_KERNELS_COMMON_ELEMENTWISE_H_

#include <array>
#include <cstdint>

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Element-wise ops are loops over contiguous elements, chosen by dtype; shapes, broadcasting,
// in-place reuse and sharding are written once, here. The loops are made by the templates of
// loops.h from tables of lambdas.

constexpr int kNumDTypes = 24;

// Of an element, in nanoseconds, where reading and writing it is all the work.
constexpr double kStreamed = 0.15;

// Bits of `fixed`: that operand is one element, which meets all n of the other.
constexpr int kFixedA = 1;
constexpr int kFixedB = 2;

// False: some element has no result (UnaryOp::failure, BinaryOp::failure say why).
using UnaryFn = bool (*)(const void* x, void* y, int64_t n, float parameter);
using BinaryFn = bool (*)(const void* a, const void* b, void* out, int64_t n, int fixed,
                          float parameter);

// A loop with what it reads and writes. Half and bfloat16 run the loop of float, block by block,
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

// One op over all its dtypes.
struct UnaryOp {
  const char* name = "";
  double cost = kStreamed;          // ns per element
  const char* parameter = nullptr;  // a float attribute
  std::array<UnaryLoop, kNumDTypes> loops;
};
struct BinaryOp {
  const char* name = "";
  double cost = kStreamed;
  const char* parameter = nullptr;
  const char* failure = nullptr;  // what to say when a loop returns false
  absl::StatusCode failure_code = absl::StatusCode::kInvalidArgument;
  bool same_shape = false;  // no broadcasting: gradients of activations
  bool any_shape =
      false;  // unequal shapes may be an answer: Equal, NotEqual (incompatible_shape_error)
  std::array<BinaryLoop, kNumDTypes> loops;
};

void AddUnaryOp(KernelRegistry& kernels, const UnaryOp& op);
void AddBinaryOp(KernelRegistry& kernels, const BinaryOp& op);

// Bytes of an element in memory, strings included.
size_t ElementSize(DType dtype);
inline const void* At(const void* base, int64_t index, size_t size) {
  return static_cast<const char*>(base) + index * static_cast<int64_t>(size);
}
inline void* At(void* base, int64_t index, size_t size) {
  return static_cast<char*>(base) + index * static_cast<int64_t>(size);
}

// The loop of z = x + y and its like, for kernels that combine rows: segments, scatters, scans.
// Null fn: no such dtype.
BinaryLoop AddLoop(DType dtype);
BinaryLoop SubLoop(DType dtype);
BinaryLoop MulLoop(DType dtype);
BinaryLoop MaximumLoop(DType dtype);
BinaryLoop MinimumLoop(DType dtype);

// Half and bfloat16 to and from float.
void Widen(DType narrow, const void* from, float* to, int64_t n);
void Narrow(DType narrow, const float* from, void* to, int64_t n);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ELEMENTWISE_H_
