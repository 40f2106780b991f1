// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/grpc_message.h"

#include <grpcpp/support/proto_buffer_reader.h>
#include <grpcpp/support/proto_buffer_writer.h>

#include "bench/transport/check.h"
#include "proto/example.pb.h"

namespace sluice::bench {
namespace {

struct Head {
  Answer answer;
  int32_t serialised;
};

grpc::ByteBuffer Serialised(const Head& head, const proto::BytesList& list) {
  grpc::ByteBuffer body;
  {
    const int size = static_cast<int>(list.ByteSizeLong());
    grpc::ProtoBufferWriter writer(&body, /*block_size=*/1 << 20, size);
    Check(list.SerializeToZeroCopyStream(&writer), "serialising");
  }
  std::vector<grpc::Slice> slices;
  Check(body.Dump(&slices).ok(), "serialising");
  slices.insert(slices.begin(), grpc::Slice(&head, sizeof(head)));
  return grpc::ByteBuffer(slices.data(), slices.size());
}

}  // namespace

grpc::ByteBuffer MakeMessage(Answer answer, bool serialised, const std::vector<Tensor>& tensors) {
  const Head head = {answer, serialised};
  if (serialised) {
    proto::BytesList list;
    for (const Tensor& tensor : tensors) list.add_value(tensor.raw(), tensor.bytes());
    return Serialised(head, list);
  }
  std::vector<grpc::Slice> slices = {grpc::Slice(&head, sizeof(head))};
  for (const Tensor& tensor : tensors)
    slices.emplace_back(tensor.raw(), tensor.bytes(), grpc::Slice::STATIC_SLICE);
  return grpc::ByteBuffer(slices.data(), slices.size());
}

Answer TakeMessage(grpc::ByteBuffer* message, grpc::ByteBuffer* echo) {
  Head head{};
  grpc::ByteBuffer copy = *message;  // refers to the same slices
  grpc::ProtoBufferReader reader(&copy);
  const void* data = nullptr;
  int size = 0, have = 0;
  while (have < static_cast<int>(sizeof(head)) && reader.Next(&data, &size)) {
    const int taken = std::min(size, static_cast<int>(sizeof(head)) - have);
    std::memcpy(reinterpret_cast<char*>(&head) + have, data, static_cast<size_t>(taken));
    have += taken;
    reader.BackUp(size - taken);
  }
  if (head.serialised == 0) {
    echo->Swap(message);
    return head.answer;
  }
  proto::BytesList list;
  Check(list.ParseFromZeroCopyStream(&reader), "parsing");
  if (head.answer == Answer::kEcho) *echo = Serialised(head, list);
  return head.answer;
}

}  // namespace sluice::bench
