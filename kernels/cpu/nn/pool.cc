// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/nn/pool.h"

#include <utility>

#include "kernels/cpu/common/layout.h"

namespace sluice::kernels {

absl::StatusOr<Pool> Pool::Create(const NodeSpec& node) {
  SLUICE_ASSIGN(PoolOp op, PoolOp::Create(node));
  return Pool{std::move(op)};
}

absl::StatusOr<Tensor> Pool::Ordered(KernelContext& ctx, const Tensor& in) const {
  if (attrs.channels_first) return ToChannelsLast(ctx, in);
  return in;
}

absl::StatusOr<Tensor> Pool::OrderedResult(KernelContext& ctx, const Tensor& out) const {
  if (!attrs.channels_first) return out;
  SLUICE_ASSIGN(const Shape shape, ChannelsLastShape(out.shape()));
  return ctx.AllocateTemporary(out.dtype(), shape);
}

absl::Status Pool::Finish(KernelContext& ctx, const Tensor& result, Tensor& out) const {
  return attrs.channels_first ? FromChannelsLast(ctx, result, out) : absl::OkStatus();
}

}  // namespace sluice::kernels
