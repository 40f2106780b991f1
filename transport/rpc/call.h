// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_CALL_H_
#define SLUICE_TRANSPORT_RPC_CALL_H_

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "transport/rpc/codec.h"
#include "transport/rpc/unary_client.h"
#include "transport/worker_api.h"

// Each call over gRPC is one row of the table in master_calls.cc, worker_calls.cc,
// handshake_calls.cc, groups_calls.cc or pipelines_calls.cc. The server's methods and the client's
// are both made from the rows. To add a call, add its messages to proto/, its method to the API
// with a body that answers UNIMPLEMENTED, and a row, its name in MethodsOf and the client's method
// to the file of the table.

namespace sluice::transport {

// How long a method may occupy the thread of the event loop.
enum class RpcDuration {
  kLong,
  kShort,  // calls of steps: they are frequent, and another thread would cost more than they take
};

// The properties of a request that determine its answer's encoding.
struct AnswerForm {
  std::vector<std::string> fetches = {};  // of RunStep: the names of the answer's tensors
  bool errors_in_body = false;
};

// True for a non-zero request id that was seen before.
using RepeatedRequest = std::function<bool(int64_t)>;

// ABORTED if the request was seen before.
absl::Status CheckFirst(const RepeatedRequest& repeated, int64_t id);

// A row. `method` is a method of a master, worker or handshake API, or a function that takes the
// API first.
//
// A request codec has
//   Encode(AnswerForm&, arguments...): StatusOr<ByteBuffer>
//   Decode(bytes, const RepeatedRequest&, AnswerForm&): StatusOr<tuple of the arguments>
// and an answer codec
//   Encode(StatusOr of the result, or Status, const AnswerForm&, Reply<ByteBuffer>& answer)
//   Decode(bytes, const AnswerForm&): StatusOr of the result, or Status
template <typename Method, typename RequestCodec, typename AnswerCodec>
struct RpcCall {
  const char* path;
  RpcDuration duration;
  Method method;
  RequestCodec request;
  AnswerCodec answer;
};
template <typename M, typename R, typename A>
RpcCall(const char*, RpcDuration, M, R, A) -> RpcCall<M, R, A>;

// --- Codecs ---

template <typename T>
absl::StatusOr<T> ToStatusOr(T value) {
  return value;
}
template <typename T>
absl::StatusOr<T> ToStatusOr(absl::StatusOr<T> value) {
  return value;
}

template <typename T>
absl::StatusOr<std::tuple<T>> ToArguments(T value) {
  return std::tuple<T>(std::move(value));
}
template <typename... T>
absl::StatusOr<std::tuple<T...>> ToArguments(std::tuple<T...> values) {
  return values;
}
template <typename... T>
absl::StatusOr<std::tuple<T...>> ToArguments(absl::StatusOr<std::tuple<T...>> values) {
  return values;
}
template <typename T>
absl::StatusOr<std::tuple<T>> ToArguments(absl::StatusOr<T> value) {
  if (!value.ok()) return value.status();
  return std::tuple<T>(*std::move(value));
}

// A request that is a protobuf message. `encode(arguments..., message)` fills it.
// `decode(shared message)` returns the argument, a StatusOr of it, or a tuple of arguments. A
// message with a request id is accepted once.
template <typename Message, typename EncodeMessage, typename DecodeMessage>
struct MessageRequest {
  EncodeMessage encode;
  DecodeMessage decode;

  template <typename... Args>
  auto Encode(AnswerForm&, const Args&... args) const {
    Message message;
    encode(args..., message);
    return ToStatusOr(Serialize(message));
  }
  template <typename Bytes>
  auto Decode(const Bytes& bytes, const RepeatedRequest& repeated, AnswerForm&) const {
    auto message = std::make_shared<Message>();
    using Arguments = decltype(ToArguments(decode(message)));
    if (absl::Status status = Parse(bytes, message.get()); !status.ok())
      return Arguments(std::move(status));
    if constexpr (requires { message->request_id(); }) {
      if (absl::Status status = CheckFirst(repeated, message->request_id()); !status.ok())
        return Arguments(std::move(status));
    }
    return ToArguments(decode(message));
  }
};
template <typename Message, typename EncodeMessage, typename DecodeMessage>
constexpr auto RequestOf(EncodeMessage encode, DecodeMessage decode) {
  return MessageRequest<Message, EncodeMessage, DecodeMessage>{encode, decode};
}

// A reference to a part of a request, without a copy. It keeps the request alive.
template <typename T, typename Request>
std::shared_ptr<const T> PartOf(std::shared_ptr<Request> request, const T& part) {
  return std::shared_ptr<const T>(std::move(request), &part);
}

// The same for an element of a repeated field.
template <typename Repeated>
std::vector<std::string> Strings(const Repeated& field) {
  return {field.begin(), field.end()};
}

// An answer in bytes: `encode(result)` and `decode(bytes)`.
template <typename EncodeResult, typename DecodeBytes>
struct BytesAnswer {
  EncodeResult encode;
  DecodeBytes decode;

  template <typename Result, typename Answer>
  void Encode(const Result& result, const AnswerForm&, Answer& answer) const {
    if (result.ok())
      answer(encode(*result));
    else
      answer(result.status());
  }
  template <typename Bytes>
  auto Decode(const Bytes& bytes, const AnswerForm&) const {
    return decode(bytes);
  }
};
template <typename EncodeResult, typename DecodeBytes>
BytesAnswer(EncodeResult, DecodeBytes) -> BytesAnswer<EncodeResult, DecodeBytes>;

// An answer that is a protobuf message: `encode(result, message)` fills it, `decode(message)`
// returns the result or a StatusOr of it.
template <typename Message, typename EncodeMessage, typename DecodeMessage>
constexpr auto AnswerOf(EncodeMessage encode, DecodeMessage decode) {
  return BytesAnswer{[encode](const auto& result) {
                       Message message;
                       encode(result, message);
                       return Serialize(message);
                     },
                     [decode](const auto& bytes) {
                       Message message;
                       using Result = decltype(ToStatusOr(decode(message)));
                       absl::Status status = Parse(bytes, &message);
                       return status.ok() ? ToStatusOr(decode(message)) : Result(status);
                     }};
}

// An answer without fields.
struct EmptyAnswer {
  void Encode(const absl::Status& status, const AnswerForm&, Reply<grpc::ByteBuffer>& answer) const;
  template <typename Bytes>
  absl::Status Decode(const Bytes&, const AnswerForm&) const {
    return absl::OkStatus();
  }
};

// --- The server's side ---

struct RpcMethod {
  std::string path;
  RpcDuration duration;
  std::function<void(const grpc::ByteBuffer&, const CallOptions&, const RepeatedRequest&,
                     Reply<grpc::ByteBuffer>)>
      handle;
};

// Decodes requests, calls the method of `api`, which outlives it, and encodes the answers.
template <typename Api, typename Call>
RpcMethod MethodOf(Api* api, const Call& call) {
  auto handle = [api, call](const auto& bytes, const CallOptions& options,
                            const RepeatedRequest& repeated, auto answer) {
    AnswerForm form;
    auto arguments = call.request.Decode(bytes, repeated, form);
    if (!arguments.ok()) return answer(arguments.status());
    auto reply = [codec = call.answer, form = std::move(form), answer = std::move(answer)](
                     auto result) mutable { codec.Encode(result, form, answer); };
    std::apply(
        [&](auto&... argument) {
          std::invoke(call.method, *api, std::move(argument)..., options, std::move(reply));
        },
        *arguments);
  };
  return {call.path, call.duration, std::move(handle)};
}
template <typename Api, typename... Calls>
std::vector<RpcMethod> MethodsOf(Api* api, const Calls&... calls) {
  return {MethodOf(api, calls)...};
}

// --- The client's side ---

// Encodes the arguments, makes the call, and decodes its answer for `done`.
template <typename Call, typename Done, typename... Args>
void Invoke(UnaryClient& client, const Call& call, const CallOptions& options, Done done,
            const Args&... args) {
  AnswerForm form;
  const auto bytes = call.request.Encode(form, args...);
  if (!bytes.ok()) return done(bytes.status());
  client.Call(
      call.path, *bytes, options,
      [codec = call.answer, form = std::move(form), done = std::move(done)](auto answer) mutable {
        if (answer.ok())
          done(codec.Decode(*answer, form));
        else
          done(answer.status());
      });
}

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_CALL_H_
