// SPDX-License-Identifier: Apache-2.0
// Sparse tensors as three strings (serialised TensorProtos) or three variants, and back.
#include "core/codec/codec.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/tensor_variant.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse_batch.h"
#include "proto/tensor.pb.h"

namespace sluice::kernels {
namespace {

Tensor SizesOf(const Shape& shape) { return Tensor::Vector<int64_t>(shape.dims()); }

// Writes a tensor as element `at`.
absl::Status Put(const Tensor& tensor, Tensor& to, int64_t at) {
  if (to.dtype() == kVariant) {
    SLUICE_ASSIGN(to.mutable_data<Variant>()[at], VariantOf(tensor));
    return absl::OkStatus();
  }
  proto::TensorProto message;
  SLUICE_RETURN_IF_ERROR(EncodeTensor(tensor, &message));
  to.mutable_data<std::string>()[at] = message.SerializeAsString();
  return absl::OkStatus();
}

absl::StatusOr<Tensor> Get(const Tensor& from, int64_t at) {
  if (from.dtype() == kVariant) return TensorIn(from.data<Variant>()[at]);
  proto::TensorProto message;
  if (!message.ParseFromString(from.data<std::string>()[at]))
    return InvalidArgument("Could not parse serialized proto");
  return DecodeTensor(message);
}

absl::Status PutSparse(const SparseTensor& x, Tensor& to, int64_t row) {
  SLUICE_RETURN_IF_ERROR(Put(x.indices, to, 3 * row));
  SLUICE_RETURN_IF_ERROR(Put(x.values, to, 3 * row + 1));
  return Put(SizesOf(x.shape), to, 3 * row + 2);
}

struct SerializeSparse {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor x, SparseTensor::At(ctx, 0));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{3}));
    return PutSparse(x, *out, 0);
  }
};

struct SerializeManySparse {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor x, SparseTensor::At(ctx, 0));
    SLUICE_ASSIGN(const std::vector<SparseTensor> parts, Unstacked(x));
    const auto count = static_cast<int64_t>(parts.size());
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{count, 3}));
    for (const int64_t i : Cancellable(count)) SLUICE_RETURN_IF_ERROR(PutSparse(parts[i], *out, i));
    return absl::OkStatus();
  }
};

template <bool kMany>
struct DeserializeSparse {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& from = ctx.input(0);
    if (kMany && from.rank() != 2) {
      return InvalidArgument("Serialized sparse should have rank 2 but received shape ",
                             from.shape());
    }
    if (from.rank() < 1)
      return InvalidArgument("Serialized sparse should have non-zero rank ", from.shape());
    if (from.dim(from.rank() - 1) != 3) {
      return InvalidArgument("Serialized sparse should have 3 as the last dimension ",
                             from.shape());
    }
    std::vector<SparseTensor> parts;
    for (const int64_t i : Cancellable(from.num_elements() / 3)) {
      Tensor three[3];
      for (int k = 0; k < 3; ++k) {
        SLUICE_ASSIGN(three[k], Get(from, 3 * i + k));
      }
      for (int k : {0, 2}) {
        if (three[k].dtype() != kInt64) {
          return InvalidArgument("Expected SparseTensor[", i, k == 0 ? "].indices" : "].shape",
                                 " to be of type int64, got ", three[k].dtype());
        }
      }
      SLUICE_ASSIGN(SparseTensor part, SparseTensor::Of(three[0], three[1], three[2]));
      parts.push_back(std::move(part));
    }
    return SetStacked(ctx, 0, parts, from.shape().dims().first(from.rank() - 1));
  }
};

}  // namespace

void RegisterSparseSerialize(KernelRegistry& kernels) {
  const DTypeSet out{kString, kVariant};
  kernels.Add<SerializeSparse>("SerializeSparse", kCpu, {{"out_type", out}});
  kernels.Add<SerializeManySparse>("SerializeManySparse", kCpu,
                                   {{"T", kAnyType}, {"out_type", out}});
  kernels.Add<DeserializeSparse<false>>("DeserializeSparse", kCpu, {{"Tserialized", out}});
  kernels.Add<DeserializeSparse<true>>("DeserializeManySparse", kCpu);
}

}  // namespace sluice::kernels
