// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/random/random_fill.h"

#include "kernels/common/round_each.h"

namespace sluice::kernels {

absl::StatusOr<Philox> StreamOf(const Tensor& seed) {
  if (seed.rank() != 1 || seed.dim(0) != 2)
    return InvalidArgument("seed must have shape [2], not ", seed.shape());
  SLUICE_ASSIGN(const Shape::Dims seeds, IntVector(seed));
  const Philox::Block mixed = Philox::Of(static_cast<uint64_t>(seeds[0]),
                                         static_cast<uint64_t>(seeds[1]), 0x02461E293EC8F720u);
  return Philox(mixed[0] | static_cast<uint64_t>(mixed[1]) << 32,
                mixed[2] | static_cast<uint64_t>(mixed[3]) << 32);
}

using BoundTypes = Join<IndexTypes, TypeList<uint32_t, uint64_t>>;

absl::Status CheckOrder(const Tensor& low, const Tensor& high) {
  return VisitDType(BoundTypes{}, low.dtype(), [&]<typename T>(Type<T>) {
    if (low.scalar<T>() < high.scalar<T>()) return absl::OkStatus();
    return InvalidArgument("Need minval < maxval, got ", low.scalar<T>(), " >= ", high.scalar<T>());
  });
}

absl::Status FillInts(const Philox& philox, const Tensor& low, const Tensor& high, Tensor& output,
                      WorkQueue* pool) {
  SLUICE_RETURN_IF_ERROR(CheckOrder(low, high));
  return VisitDType(BoundTypes{}, output.dtype(), [&]<typename T>(Type<T>) {
    FillAll<T>(UniformInt<T>{low.scalar<T>(), high.scalar<T>()}, philox, output, pool);
    return absl::OkStatus();
  });
}

absl::Status CheckBounds(const Tensor& low, const Tensor& high) {
  if (low.rank() != 0) return InvalidArgument("minval must be 0-D, got shape ", low.shape());
  if (high.rank() != 0) return InvalidArgument("maxval must be 0-D, got shape ", high.shape());
  return absl::OkStatus();
}

}  // namespace sluice::kernels
