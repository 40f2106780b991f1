// SPDX-License-Identifier: Apache-2.0
// ParseTensor and SerializeTensor: tensors as TensorProto.
#include "core/codec/codec.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/parsing/register.h"
#include "proto/tensor.pb.h"

namespace sluice::kernels {
namespace {

struct ParseTensor {
  DType dtype;

  static absl::StatusOr<ParseTensor> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("out_type"));
    return ParseTensor{dtype};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& serialized = ctx.input(0);
    if (serialized.rank() != 0) {
      return InvalidArgument("Expected `serialized` to be a scalar, got shape: ",
                             serialized.shape());
    }
    const std::string& bytes = serialized.scalar<std::string>();
    proto::TensorProto message;
    if (!message.ParseFromString(bytes)) {
      return InvalidArgument("Could not parse `serialized` as TensorProto: '", bytes, "'");
    }
    SLUICE_ASSIGN(Tensor tensor, DecodeTensor(message));
    if (tensor.dtype() != dtype) {
      return InvalidArgument("Type mismatch between parsed tensor (", tensor.dtype(),
                             ") and dtype (", dtype, ")");
    }
    ctx.SetOutput(0, std::move(tensor));
    return absl::OkStatus();
  }
};

// Strings are in their field, other elements are content, as in TensorFlow.
struct SerializeTensor {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& tensor = ctx.input(0);
    proto::TensorProto message;
    message.set_dtype(static_cast<proto::DataType>(tensor.dtype()));
    EncodeShape(tensor.shape(), message.mutable_tensor_shape());
    if (tensor.dtype() == kString) {
      SLUICE_RETURN_IF_ERROR(EncodeTypedFields(tensor, &message));
    } else {
      SLUICE_RETURN_IF_ERROR(EncodeContent(tensor, message.mutable_tensor_content()));
    }
    SLUICE_ASSIGN(Tensor * bytes, ctx.AllocateOutput(0, Shape{}));
    if (message.SerializeToString(bytes->mutable_data<std::string>())) return absl::OkStatus();
    return ResourceExhausted("tensor of shape ", tensor.shape(), " is too large for a message");
  }
};

}  // namespace

void RegisterTensorMessages(KernelRegistry& kernels) {
  kernels.Add<ParseTensor>("ParseTensor", kCpu);
  kernels.Add<SerializeTensor>("SerializeTensor", kCpu);
}

}  // namespace sluice::kernels
