// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/tensor_wire.h"

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

#include "core/codec/codec.h"
#include "proto/tensor.pb.h"

namespace sluice::transport {
namespace {

constexpr size_t kInlineBytes = 1024;  // below it, a slice costs more than a copy

// TensorProto's and TensorShapeProto's field numbers.
constexpr uint32_t kDType = 1, kShape = 2, kContent = 4, kDim = 2, kSize = 1, kUnknownRank = 3;

size_t VarintSize(uint64_t value) {
  size_t size = 1;
  while (value >= 0x80) {
    value >>= 7;
    ++size;
  }
  return size;
}

absl::StatusOr<Shape> ReadShape(PieceReader reader) {
  absl::InlinedVector<int64_t, 4> dims;
  while (reader.left() > 0) {
    uint32_t field = 0, type = 0;
    SLUICE_RETURN_IF_ERROR(reader.Tag(&field, &type));
    if (field == kUnknownRank) return InvalidArgument("a tensor's shape must be known");
    if (field != kDim || type != kDelimited) {
      SLUICE_RETURN_IF_ERROR(reader.SkipField(type));
      continue;
    }
    SLUICE_ASSIGN(PieceReader dim, reader.SubField());
    int64_t size = 0;
    while (dim.left() > 0) {
      SLUICE_RETURN_IF_ERROR(dim.Tag(&field, &type));
      uint64_t value = 0;
      if (field == kSize && type == kVarint) {
        SLUICE_RETURN_IF_ERROR(dim.Varint(&value));
        size = static_cast<int64_t>(value);
      } else {
        SLUICE_RETURN_IF_ERROR(dim.SkipField(type));
      }
    }
    if (dims.size() > static_cast<size_t>(kMaxRank))
      return InvalidArgument("a tensor's rank is over ", kMaxRank);
    dims.push_back(size);
  }
  return Shape::Create(dims);
}

// Any form: decoded by protobuf.
absl::StatusOr<Tensor> ReadTensorSlowly(PieceReader reader) {
  std::string bytes(reader.left(), '\0');
  SLUICE_RETURN_IF_ERROR(reader.Copy(bytes.data(), bytes.size()));
  proto::TensorProto proto;
  if (!proto.ParseFromString(bytes)) return InvalidArgument("malformed TensorProto");
  return DecodeTensor(proto);
}

}  // namespace

ReceivedBytes::ReceivedBytes(const grpc::ByteBuffer& bytes) { (void)bytes.Dump(&slices_); }
ReceivedBytes::~ReceivedBytes() = default;

PieceReader ReceivedBytes::reader() const {
  std::vector<absl::string_view> pieces;
  pieces.reserve(slices_.size());
  for (const grpc::Slice& slice : slices_)
    pieces.emplace_back(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return PieceReader(std::move(pieces));
}

absl::Status ReadFrames(const grpc::ByteBuffer& message, FrameReader& reader) {
  std::vector<grpc::Slice> slices;
  if (!message.Dump(&slices).ok()) return Internal("a message that cannot be read");
  for (const grpc::Slice& slice : slices)
    SLUICE_RETURN_IF_ERROR(
        reader.Take({reinterpret_cast<const char*>(slice.begin()), slice.size()}));
  return absl::OkStatus();
}

grpc::ByteBuffer ToByteBuffer(const Message& message) {
  std::vector<grpc::Slice> slices;
  message.Visit([&](absl::string_view bytes, const Tensor* content) {
    if (content == nullptr) {
      slices.emplace_back(bytes.data(), bytes.size());
      return;
    }
    auto* held = new Tensor(*content);  // the slice's destroy callback deletes it
    slices.emplace_back(
        const_cast<char*>(bytes.data()), bytes.size(),
        +[](void* user) { delete static_cast<Tensor*>(user); }, held);
  });
  return grpc::ByteBuffer(slices.data(), slices.size());
}

absl::StatusOr<Tensor> ReadTensor(PieceReader reader) {
  const PieceReader whole = reader;
  DType dtype = kInvalid;
  Shape shape;
  while (reader.left() > 0) {
    uint32_t field = 0, type = 0;
    SLUICE_RETURN_IF_ERROR(reader.Tag(&field, &type));
    if (field == kDType && type == kVarint) {
      uint64_t value = 0;
      SLUICE_RETURN_IF_ERROR(reader.Varint(&value));
      dtype = static_cast<DType>(static_cast<int32_t>(value));
    } else if (field == kShape && type == kDelimited) {
      SLUICE_ASSIGN(PieceReader part, reader.SubField());
      SLUICE_ASSIGN(shape, ReadShape(std::move(part)));
    } else if (field == kContent && type == kDelimited && IsPlain(dtype)) {
      size_t length = 0;
      SLUICE_RETURN_IF_ERROR(reader.Length(&length));
      int64_t expected = 0;
      if (!MulFits(shape.num_elements(), static_cast<int64_t>(SizeOf(dtype)), &expected) ||
          length != static_cast<size_t>(expected) || reader.left() != length || length == 0) {
        break;  // typed fields may follow, or the size is wrong: the slow path handles all cases
      }
      SLUICE_ASSIGN(Tensor tensor, Tensor::Allocate(CpuAllocator(), dtype, shape));
      SLUICE_RETURN_IF_ERROR(reader.Copy(tensor.raw(), length));
      if (dtype == kBool) break;  // bytes that are neither 0 nor 1 need the slow path
      return tensor;
    } else {
      break;
    }
  }
  return ReadTensorSlowly(whole);
}

TensorMessage::TensorMessage() = default;
TensorMessage::~TensorMessage() = default;

void TensorMessage::Flush() {
  if (text_.empty()) return;
  slices_.emplace_back(text_);
  text_.clear();
}

absl::Status TensorMessage::AddTensor(uint32_t field, const Tensor& tensor,
                                      const std::string* name) {
  // The TensorProto's own fields before its content.
  std::string head, body;
  bool by_reference = false;
  if (IsPlain(tensor.dtype())) {
    WireWriter out(&head);
    out.VarintField(kDType, static_cast<uint64_t>(tensor.dtype()));
    std::string dims;
    for (int64_t size : tensor.shape().dims()) {
      std::string dim;
      WireWriter(&dim).VarintField(kSize, static_cast<uint64_t>(size));
      WireWriter(&dims).Bytes(kDim, dim);
    }
    if (tensor.rank() > 0) out.Bytes(kShape, dims);
    if (tensor.bytes() > 0) {
      out.Tag(kContent, kDelimited);
      out.Varint(tensor.bytes());
      by_reference = tensor.bytes() > kInlineBytes;
      if (!by_reference) body.assign(tensor.data<char>(), tensor.bytes());
    }
  } else {
    proto::TensorProto proto;
    if (absl::Status status = EncodeTensor(tensor, &proto); !status.ok()) return status;
    head = proto.SerializeAsString();
  }
  const size_t content = by_reference ? tensor.bytes() : body.size();
  const size_t tensor_size = head.size() + content;
  WireWriter out(&text_);
  out.Tag(field, kDelimited);
  if (name != nullptr) {
    out.Varint(1 + VarintSize(name->size()) + name->size() + 1 + VarintSize(tensor_size) +
               tensor_size);
    out.Bytes(1, *name);
    out.Tag(2, kDelimited);
  }
  out.Varint(tensor_size);
  text_ += head;
  text_ += body;
  if (!by_reference) return absl::OkStatus();
  Flush();
  auto* held = new Tensor(tensor);  // the slice's destroy callback deletes it
  slices_.emplace_back(
      tensor.raw(), tensor.bytes(), +[](void* user) { delete static_cast<Tensor*>(user); }, held);
  return absl::OkStatus();
}

grpc::ByteBuffer TensorMessage::Finish() {
  Flush();
  return grpc::ByteBuffer(slices_.data(), slices_.size());
}

}  // namespace sluice::transport
