// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/codec.h"

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include "absl/container/flat_hash_map.h"
#include "proto/config.pb.h"
#include "proto/master.pb.h"
#include "transport/debug_options.h"
#include "transport/grpc/tensor_wire.h"
#include "transport/options_table.h"

namespace sluice::transport {
namespace {

// Field numbers of RunStepRequest, RunStepResponse, RunCallableRequest and RunCallableResponse.
constexpr uint32_t kSession = 1, kFeed = 2, kFetch = 3, kTarget = 4, kOptions = 5, kPartialRun = 6,
                   kErrorsInBody = 7, kRequestId = 8;
constexpr uint32_t kTensor = 1, kMetadata = 2, kStatusCode = 3, kStatusMessage = 4;
constexpr uint32_t kHandle = 2, kCallableFeed = 3, kCallableRequestId = 4;
constexpr uint32_t kName = 1, kNamedValue = 2;

absl::StatusOr<NamedTensor> ReadNamedTensor(PieceReader reader) {
  NamedTensor named;
  bool has_tensor = false;
  while (reader.left() > 0) {
    uint32_t field = 0, type = 0;
    SLUICE_RETURN_IF_ERROR(reader.Tag(&field, &type));
    if (field == kName && type == kDelimited) {
      SLUICE_RETURN_IF_ERROR(reader.String(&named.name));
    } else if (field == kNamedValue && type == kDelimited) {
      SLUICE_ASSIGN(PieceReader part, reader.SubField());
      auto tensor = ReadTensor(std::move(part));
      if (!tensor.ok())
        return Annotate(tensor.status(), absl::StrCat("tensor \"", named.name, "\""));
      named.tensor = *std::move(tensor);
      has_tensor = true;
    } else {
      SLUICE_RETURN_IF_ERROR(reader.SkipField(type));
    }
  }
  if (!has_tensor) return InvalidArgument("tensor \"", named.name, "\" has no value");
  return named;
}

template <typename Message>
absl::StatusOr<Message> ReadMessage(PieceReader reader) {
  std::string bytes(reader.left(), '\0');
  SLUICE_RETURN_IF_ERROR(reader.Copy(bytes.data(), bytes.size()));
  Message message;
  if (!message.ParseFromString(bytes)) return InvalidArgument("malformed ", message.GetTypeName());
  return message;
}

}  // namespace

absl::StatusOr<RunOptions> DecodeRunOptions(const proto::RunOptions& proto) {
  SLUICE_RETURN_IF_ERROR(CheckOptions(proto, "RunOptions"));
  RunOptions options;
  options.timeout_ms = proto.timeout_in_ms();
  options.trace = proto.trace_level() == proto::RunOptions::FULL_TRACE;
  options.partition_graphs = proto.output_partition_graphs();
  options.debug = DecodeDebugOptions(proto.debug_options());
  return options;
}

namespace {

absl::Status ReadRunStepField(uint32_t field, uint32_t type, PieceReader& reader,
                              RunStepCall& call) {
  RunStepRequest& request = call.request;
  uint64_t number = 0;
  if (type == kVarint && (field == kErrorsInBody || field == kRequestId)) {
    SLUICE_RETURN_IF_ERROR(reader.Varint(&number));
    if (field == kErrorsInBody)
      call.errors_in_body = number != 0;
    else
      call.request_id = static_cast<int64_t>(number);
    return absl::OkStatus();
  }
  if (type != kDelimited || field > kPartialRun) return reader.SkipField(type);
  switch (field) {
    case kSession:
      return reader.String(&request.session);
    case kFeed: {
      SLUICE_ASSIGN(PieceReader part, reader.SubField());
      SLUICE_ASSIGN(NamedTensor feed, ReadNamedTensor(std::move(part)));
      request.feeds.push_back(std::move(feed));
      return absl::OkStatus();
    }
    case kFetch:
      return reader.String(&request.fetches.emplace_back());
    case kTarget:
      return reader.String(&request.targets.emplace_back());
    case kOptions: {
      SLUICE_ASSIGN(PieceReader part, reader.SubField());
      SLUICE_ASSIGN(proto::RunOptions options, ReadMessage<proto::RunOptions>(std::move(part)));
      SLUICE_ASSIGN(request.options, DecodeRunOptions(options));
      return absl::OkStatus();
    }
    case kPartialRun:
      return reader.String(&request.partial_run);
    default:
      return reader.SkipField(type);
  }
}

void WriteRunOptions(const RunOptions& options, std::string* out) {
  proto::RunOptions proto;
  proto.set_timeout_in_ms(options.timeout_ms);
  if (options.trace) proto.set_trace_level(proto::RunOptions::FULL_TRACE);
  proto.set_output_partition_graphs(options.partition_graphs);
  if (options.debug != nullptr) EncodeDebugOptions(*options.debug, proto.mutable_debug_options());
  const std::string bytes = proto.SerializeAsString();
  if (!bytes.empty()) WireWriter(out).Bytes(kOptions, bytes);
}

}  // namespace

absl::Status Parse(const grpc::ByteBuffer& bytes, google::protobuf::Message* message) {
  grpc::ByteBuffer copy(bytes);  // shares the slices
  const grpc::Status status =
      grpc::SerializationTraits<google::protobuf::Message>::Deserialize(&copy, message);
  if (!status.ok()) return InvalidArgument("malformed ", message->GetTypeName());
  return absl::OkStatus();
}

grpc::ByteBuffer Serialize(const google::protobuf::Message& message) {
  const std::string bytes = message.SerializeAsString();
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

absl::StatusOr<RunStepCall> DecodeRunStep(const grpc::ByteBuffer& bytes) {
  const ReceivedBytes received(bytes);
  PieceReader reader = received.reader();
  RunStepCall call;
  while (reader.left() > 0) {
    uint32_t field = 0, type = 0;
    SLUICE_RETURN_IF_ERROR(reader.Tag(&field, &type));
    SLUICE_RETURN_IF_ERROR(ReadRunStepField(field, type, reader, call));
  }
  return call;
}

absl::StatusOr<grpc::ByteBuffer> EncodeRunStepResult(const std::vector<std::string>& names,
                                                     const RunStepResult& result) {
  TensorMessage message;
  for (size_t i = 0; i < names.size(); ++i) {
    SLUICE_RETURN_IF_ERROR(message.AddTensor(kTensor, result.fetches[i], &names[i]));
  }
  if (result.metadata != nullptr)
    WireWriter(&message.text()).Bytes(kMetadata, result.metadata->SerializeAsString());
  return message.Finish();
}

grpc::ByteBuffer EncodeRunStepError(const absl::Status& status) {
  TensorMessage message;
  WireWriter out(&message.text());
  out.VarintField(kStatusCode, static_cast<uint64_t>(status.code()));
  out.Bytes(kStatusMessage, status.message());
  return message.Finish();
}

absl::StatusOr<RunCallableCall> DecodeRunCallable(const grpc::ByteBuffer& bytes) {
  const ReceivedBytes received(bytes);
  PieceReader reader = received.reader();
  RunCallableCall call;
  while (reader.left() > 0) {
    uint32_t field = 0, type = 0;
    uint64_t number = 0;
    SLUICE_RETURN_IF_ERROR(reader.Tag(&field, &type));
    if (field == kSession && type == kDelimited) {
      SLUICE_RETURN_IF_ERROR(reader.String(&call.request.session));
    } else if (field == kCallableFeed && type == kDelimited) {
      SLUICE_ASSIGN(PieceReader part, reader.SubField());
      SLUICE_ASSIGN(Tensor tensor, ReadTensor(std::move(part)));
      call.request.feeds.push_back(std::move(tensor));
    } else if (type == kVarint && (field == kHandle || field == kCallableRequestId)) {
      SLUICE_RETURN_IF_ERROR(reader.Varint(&number));
      (field == kHandle ? call.request.callable : call.request_id) = static_cast<int64_t>(number);
    } else {
      SLUICE_RETURN_IF_ERROR(reader.SkipField(type));
    }
  }
  return call;
}

absl::StatusOr<grpc::ByteBuffer> EncodeRunCallableResult(const RunStepResult& result) {
  TensorMessage message;
  for (const Tensor& fetch : result.fetches) {
    SLUICE_RETURN_IF_ERROR(message.AddTensor(kTensor, fetch));
  }
  if (result.metadata != nullptr)
    WireWriter(&message.text()).Bytes(kMetadata, result.metadata->SerializeAsString());
  return message.Finish();
}

absl::StatusOr<grpc::ByteBuffer> EncodeRunStep(const RunStepRequest& request) {
  TensorMessage message;
  WireWriter out(&message.text());
  out.Bytes(kSession, request.session);
  for (const std::string& fetch : request.fetches) out.Bytes(kFetch, fetch);
  for (const std::string& target : request.targets) out.Bytes(kTarget, target);
  WriteRunOptions(request.options, &message.text());
  if (!request.partial_run.empty()) out.Bytes(kPartialRun, request.partial_run);
  out.VarintField(kErrorsInBody, 1);
  for (const NamedTensor& feed : request.feeds) {
    SLUICE_RETURN_IF_ERROR(message.AddTensor(kFeed, feed.tensor, &feed.name));
  }
  return message.Finish();
}

absl::StatusOr<RunStepResult> DecodeRunStepResult(const grpc::ByteBuffer& bytes,
                                                  const std::vector<std::string>& names) {
  const ReceivedBytes received(bytes);
  PieceReader reader = received.reader();
  absl::flat_hash_map<std::string, Tensor> tensors;
  RunStepResult result;
  uint64_t code = 0;
  std::string text;
  while (reader.left() > 0) {
    uint32_t field = 0, type = 0;
    SLUICE_RETURN_IF_ERROR(reader.Tag(&field, &type));
    if (field == kTensor && type == kDelimited) {
      SLUICE_ASSIGN(PieceReader part, reader.SubField());
      SLUICE_ASSIGN(NamedTensor named, ReadNamedTensor(std::move(part)));
      tensors[named.name] = std::move(named.tensor);
    } else if (field == kMetadata && type == kDelimited) {
      SLUICE_ASSIGN(PieceReader part, reader.SubField());
      SLUICE_ASSIGN(proto::RunMetadata metadata, ReadMessage<proto::RunMetadata>(std::move(part)));
      result.metadata = std::make_shared<proto::RunMetadata>(std::move(metadata));
    } else if (field == kStatusCode && type == kVarint) {
      SLUICE_RETURN_IF_ERROR(reader.Varint(&code));
    } else if (field == kStatusMessage && type == kDelimited) {
      SLUICE_RETURN_IF_ERROR(reader.String(&text));
    } else {
      SLUICE_RETURN_IF_ERROR(reader.SkipField(type));
    }
  }
  if (code != 0) return absl::Status(static_cast<absl::StatusCode>(code), text);
  for (const std::string& name : names) {
    auto it = tensors.find(name);
    if (it == tensors.end()) return Internal("the answer lacks fetch \"", name, "\"");
    result.fetches.push_back(it->second);
  }
  return result;
}

absl::StatusOr<grpc::ByteBuffer> EncodeRunCallable(const RunCallableRequest& request) {
  TensorMessage message;
  WireWriter out(&message.text());
  out.Bytes(kSession, request.session);
  out.VarintField(kHandle, static_cast<uint64_t>(request.callable));
  for (const Tensor& feed : request.feeds) {
    SLUICE_RETURN_IF_ERROR(message.AddTensor(kCallableFeed, feed));
  }
  return message.Finish();
}

absl::StatusOr<RunStepResult> DecodeRunCallableResult(const grpc::ByteBuffer& bytes) {
  const ReceivedBytes received(bytes);
  PieceReader reader = received.reader();
  RunStepResult result;
  while (reader.left() > 0) {
    uint32_t field = 0, type = 0;
    SLUICE_RETURN_IF_ERROR(reader.Tag(&field, &type));
    if (field != kTensor || type != kDelimited) {
      SLUICE_RETURN_IF_ERROR(reader.SkipField(type));
      continue;
    }
    SLUICE_ASSIGN(PieceReader part, reader.SubField());
    SLUICE_ASSIGN(Tensor tensor, ReadTensor(std::move(part)));
    result.fetches.push_back(std::move(tensor));
  }
  return result;
}

}  // namespace sluice::transport
