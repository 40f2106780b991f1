// SPDX-License-Identifier: Apache-2.0
// ParseTensor and SerializeTensor: tensors as TensorProto.
#include "core/codec/codec.h"
#include "core/io/coding.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/parsing/register.h"
#include "kernels/common/parsing/wire_reader.h"
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
    SLUICE_ASSIGN(Tensor tensor, Parse(serialized.scalar<std::string>()));
    if (tensor.dtype() != dtype) {
      return InvalidArgument("Type mismatch between parsed tensor (", tensor.dtype(),
                             ") and dtype (", dtype, ")");
    }
    ctx.SetOutput(0, std::move(tensor));
    return absl::OkStatus();
  }

 private:
  static absl::StatusOr<Tensor> Parse(const std::string& bytes) {
    std::string others;
    absl::string_view content;
    const bool apart = TakeContent(bytes, &others, &content);
    proto::TensorProto message;
    if (!message.ParseFromString(apart ? others : bytes)) {
      return InvalidArgument("Could not parse `serialized` as TensorProto: '", bytes, "'");
    }
    absl::StatusOr<Tensor> tensor = apart ? Join(message, content) : DecodeTensor(message);
    if (absl::IsInvalidArgument(tensor.status())) {
      return InvalidArgument("Cannot parse tensor from proto: ", tensor.status().message());
    }
    return tensor;
  }

  static absl::StatusOr<Tensor> Join(const proto::TensorProto& message, absl::string_view content) {
    SLUICE_ASSIGN(const DType dtype, DecodeValueType(message.dtype()));
    SLUICE_ASSIGN(const Shape shape, DecodeShape(message.tensor_shape()));
    return DecodeContent(dtype, shape, content);
  }

  // Splits a message into its content and its other fields, so that the content, which may be
  // large, is not copied into a message. Returns false if it has none, or for rare encodings.
  static bool TakeContent(absl::string_view bytes, std::string* others,
                          absl::string_view* content) {
    for (WireReader in(bytes); !in.AtEnd();) {
      const char* const begin = in.at();
      absl::string_view field;
      if (in.Take(WireReader::Delimited(proto::TensorProto::kTensorContentFieldNumber))) {
        if (!content->empty() || !in.Bytes(content)) return false;
        continue;
      }
      uint64_t number = 0;
      if (in.Take(WireReader::Varints(proto::TensorProto::kDtypeFieldNumber))) {
        if (!in.Varint(&number)) return false;
      } else if (!in.Take(WireReader::Delimited(proto::TensorProto::kTensorShapeFieldNumber)) ||
                 !in.Bytes(&field)) {
        return false;
      }
      others->append(begin, in.at());
    }
    return !content->empty();
  }
};

// Strings are in their field, other elements are content, as in TensorFlow.
struct SerializeTensor {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& tensor = ctx.input(0);
    SLUICE_ASSIGN(Tensor * bytes, ctx.AllocateOutput(0, Shape{}));
    std::string* to = bytes->mutable_data<std::string>();
    proto::TensorProto message;
    message.set_dtype(static_cast<proto::DataType>(tensor.dtype()));
    EncodeShape(tensor.shape(), message.mutable_tensor_shape());
    if (IsPlain(tensor.dtype()) && tensor.bytes() > 0 && tensor.bytes() < kMostContent) {
      return AppendContent(message, tensor, to);
    }
    if (tensor.dtype() == kString) {
      SLUICE_RETURN_IF_ERROR(EncodeTypedFields(tensor, &message));
    } else {
      SLUICE_RETURN_IF_ERROR(EncodeContent(tensor, message.mutable_tensor_content()));
    }
    if (message.SerializeToString(to)) return absl::OkStatus();
    return ResourceExhausted("tensor of shape ", tensor.shape(), " is too large for a message");
  }

 private:
  static constexpr size_t kMostContent = size_t{1} << 30;

  // The other fields, and the content behind them, which is copied once.
  static absl::Status AppendContent(const proto::TensorProto& others, const Tensor& tensor,
                                    std::string* to) {
    constexpr size_t kTagAndLength = 16;
    to->reserve(others.ByteSizeLong() + kTagAndLength + tensor.bytes());
    if (!others.AppendToString(to)) return Internal("cannot serialise a tensor's shape");
    to->push_back(WireReader::Delimited(proto::TensorProto::kTensorContentFieldNumber));
    AppendVarint(tensor.bytes(), to);
    to->append(tensor.data<char>(), tensor.bytes());
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterTensorMessages(KernelRegistry& kernels) {
  kernels.Add<ParseTensor>("ParseTensor", kCpu);
  kernels.Add<SerializeTensor>("SerializeTensor", kCpu);
}

}  // namespace sluice::kernels
