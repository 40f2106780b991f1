// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GRPC_TENSOR_WIRE_H_
#define SLUICE_TRANSPORT_GRPC_TENSOR_WIRE_H_

#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "transport/grpc/protobuf_wire.h"
#include "transport/protocol/frame_reader.h"
#include "transport/protocol/message.h"

namespace grpc {
class ByteBuffer;
class Slice;
}  // namespace grpc

namespace sluice::transport {

// The slices of a received message, held while it is read.
class ReceivedBytes {
 public:
  explicit ReceivedBytes(const grpc::ByteBuffer& bytes);
  ~ReceivedBytes();
  PieceReader reader() const;

 private:
  std::vector<grpc::Slice> slices_;
};

// Reads the frames of a tensor stream's message to their destinations, and writes a message of
// frames.
absl::Status ReadFrames(const grpc::ByteBuffer& message, FrameReader& reader);
grpc::ByteBuffer ToByteBuffer(const Message& message);

// A TensorProto of any form. The bytes of plain types are copied once, straight into the tensor.
absl::StatusOr<Tensor> ReadTensor(PieceReader reader);

// Builds a message of small pieces and tensors. The bytes of large tensors are sent from their own
// memory.
class TensorMessage {
 public:
  TensorMessage();
  ~TensorMessage();
  std::string& text() { return text_; }  // WireWriter appends to it
  // Writes a TensorProto as field `field`; with `name`, a NamedTensorProto. RESOURCE_EXHAUSTED if a
  // string tensor is over Protobuf's 2 GiB.
  absl::Status AddTensor(uint32_t field, const Tensor& tensor, const std::string* name = nullptr);
  grpc::ByteBuffer Finish();

 private:
  void Flush();
  std::string text_;
  std::vector<grpc::Slice> slices_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_TENSOR_WIRE_H_
