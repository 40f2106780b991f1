// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/server.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <malloc.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <deque>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/tensor/memory_budget.h"
#include "transport/backends/grpc/stream_server.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/events.h"
#include "transport/grpc/target.h"
#include "transport/rpc/methods.h"
#include "transport/time_budget.h"

namespace sluice::transport {

void TuneMalloc() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, 16 << 20);
}

namespace {

class GrpcServer;

// One call from its arrival to its answer.
//
// from       when                        to         does
// waiting    a call arrives              reading    expects the next; a tensor stream leaves here
// waiting    a call without the token    finishing  answers UNAUTHENTICATED
// reading    the request is here         running    hands it to the method
// running    the method answers          finishing  writes the answer and the status
// running    the client cancels          running    fires the cancel token; the method answers soon
// finishing  written, and the call over  (gone)
class Call final : public CallOrigin {
 public:
  explicit Call(GrpcServer* server) : server_(server) {}
  void Wait();
  std::string address() const override { return io_->context.peer(); }

 private:
  void Arrived(bool ok);
  void Read(bool ok);
  void Written(bool ok);
  void Over(bool ok);  // cancelled or not
  void Answer(absl::StatusOr<grpc::ByteBuffer> answer);
  void Release();  // Written and Over must both have happened

  GrpcServer* const server_;
  std::unique_ptr<ServerStream> io_ = std::make_unique<ServerStream>();
  ServerStream* stream_ = nullptr;  // given to its owner; lives until the owner has called `ended`
  grpc::ByteBuffer request_;
  CancelToken cancel_;
  std::atomic<int> left_{2};
  EventOf<Call, &Call::Arrived> arrived_{this};
  EventOf<Call, &Call::Read> read_{this};
  EventOf<Call, &Call::Written> written_{this};
  EventOf<Call, &Call::Over> over_{this};
};

class GrpcServer final : public Listener {
 public:
  explicit GrpcServer(const GrpcServerOptions& options)
      : options_(options),
        loop_(options.loop != nullptr ? options.loop : std::make_shared<EventLoop>()),
        methods_(options.master, options.worker, options.handshake, options.groups,
                 options.pipelines, [this](int64_t id) { return Repeated(id); }),
        streams_(options.task, options.incarnation, options.sink) {}
  ~GrpcServer() override { Stop(absl::ZeroDuration()); }

  absl::Status Start();
  int port() const override { return port_; }
  void Stop(absl::Duration grace) override;

  // Waits for one more call.
  void Expect() {
    {
      absl::MutexLock lock(&mu_);
      if (stopping_) return;
      ++calls_;
    }
    (new Call(this))->Wait();
  }
  void Ended() {
    absl::MutexLock lock(&mu_);
    --calls_;
  }

  // UNAUTHENTICATED when the call does not show this cluster's token.
  absl::Status Admit(const grpc::GenericServerContext& call) const;

  grpc::ServerCompletionQueue* queue() { return loop_->queue(); }
  grpc::AsyncGenericService& service() { return service_; }
  const Methods& methods() const { return methods_; }
  StreamServer& streams() { return streams_; }

 private:
  bool Repeated(int64_t id);

  const GrpcServerOptions options_;
  const std::shared_ptr<EventLoop> loop_;
  grpc::AsyncGenericService service_;
  const Methods methods_;
  StreamServer streams_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
  absl::Mutex mu_;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  int calls_ ABSL_GUARDED_BY(mu_) = 0;
  absl::flat_hash_set<int64_t> seen_ ABSL_GUARDED_BY(mu_);
  std::deque<int64_t> order_ ABSL_GUARDED_BY(mu_);
};

// --- Call ---

// Our own limit comes first: the client must have the text before its own deadline passes.
absl::Time AnswerBy(const grpc::ServerContext& context) {
  const auto deadline = context.deadline();
  if (deadline == std::chrono::system_clock::time_point::max()) return absl::InfiniteFuture();
  const absl::Time theirs = absl::FromChrono(deadline);
  const absl::Duration left = theirs - absl::Now();
  if (left > absl::Hours(24 * 365)) return absl::InfiniteFuture();
  return theirs - left + TimeBudgetFor(left);
}

grpc::Status ToGrpc(const absl::Status& status) {
  constexpr size_t kMaxText = 3072;  // gRPC puts it in the trailers, whose size is limited
  std::string text(status.message());
  if (text.size() > kMaxText) text = text.substr(0, kMaxText) + " ... [truncated]";
  return {static_cast<grpc::StatusCode>(status.code()), text};
}

void Call::Wait() {
  io_->context.AsyncNotifyWhenDone(&over_);
  grpc::ServerCompletionQueue* const queue = server_->queue();
  server_->service().RequestCall(&io_->context, &io_->stream, queue, queue, &arrived_);
}

void Call::Arrived(bool ok) {
  if (!ok) {  // the server stops; Over will not be called
    server_->Ended();
    delete this;
    return;
  }
  server_->Expect();
  if (const absl::Status admitted = server_->Admit(io_->context); !admitted.ok())
    return Answer(admitted);
  if (io_->context.method() != kTensorStreamMethod) {
    io_->stream.Read(&request_, &read_);
    return;
  }
  // This Call stays alive for the event that the call is over.
  stream_ = io_.get();
  server_->streams().Accept(std::move(io_), [this] { Release(); });
}

void Call::Read(bool ok) {
  if (!ok) return Answer(InvalidArgument("the call came without a request"));
  CallOptions options;
  options.deadline = AnswerBy(io_->context);
  options.cancel = &cancel_;
  options.origin = this;
  grpc::ByteBuffer request;
  request.Swap(&request_);
  server_->methods().Handle(
      io_->context.method(), request, options,
      [this](absl::StatusOr<grpc::ByteBuffer> answer) { Answer(std::move(answer)); });
}

void Call::Answer(absl::StatusOr<grpc::ByteBuffer> answer) {
  if (answer.ok())
    io_->stream.WriteAndFinish(*answer, grpc::WriteOptions(), grpc::Status::OK, &written_);
  else
    io_->stream.Finish(ToGrpc(answer.status()), &written_);
}

void Call::Written(bool) { Release(); }

void Call::Over(bool) {
  if (stream_ != nullptr) {
    if (stream_->on_over) stream_->on_over();
  } else if (io_->context.IsCancelled()) {
    cancel_.Cancel(absl::CancelledError("the client cancelled the call or went away"));
  }
  Release();
}

void Call::Release() {
  if (left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  GrpcServer* const server = server_;
  delete this;
  server->Ended();
}

// --- GrpcServer ---

// Binds the address for a moment to find the reason of a failure, which gRPC only logs.
absl::Status CheckAddress(const std::string& address) {
  const size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.size() > 1 && host.front() == '[') host = host.substr(1, host.size() - 2);
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), address.substr(colon + 1).c_str(), &hints, &found);
  if (error != 0) return Unavailable("cannot listen at ", address, ": ", gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> held(found, &freeaddrinfo);
  const int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  const bool bound = bind(fd, found->ai_addr, found->ai_addrlen) == 0;
  const int why = errno;
  close(fd);
  return bound ? absl::OkStatus() : Unavailable("cannot listen at ", address, ": ", strerror(why));
}

std::shared_ptr<grpc::ServerCredentials> ServerCredentials(const GrpcServerOptions& options) {
  const Credentials& own = options.credentials;
  if (!own.tls()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions ssl(
      options.mutual_tls ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                         : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  ssl.pem_root_certs = own.ca;
  ssl.pem_key_cert_pairs = {{own.key, own.cert}};
  return grpc::SslServerCredentials(ssl);
}

absl::Status GrpcServer::Admit(const grpc::GenericServerContext& call) const {
  const std::string& token = options_.credentials.token;
  if (token.empty()) return absl::OkStatus();
  const auto shown = call.client_metadata().find(kAuthorization);
  if (shown == call.client_metadata().end())
    return absl::UnauthenticatedError(
        Cat(call.method(), " of ", options_.task,
            " requires the cluster's token, and the call has none: clients read it from the file "
            "that SLUICE_TOKEN_FILE names, servers from --token_file"));
  if (!SameSecret({shown->second.data(), shown->second.size()}, absl::StrCat(kBearer, token)))
    return absl::UnauthenticatedError(
        Cat(call.method(), " of ", options_.task, ": the token of the call is not this cluster's"));
  return absl::OkStatus();
}

// gRPC keeps a message whole before it checks its size. Beyond this quota it ends calls.
void LimitReceivingMemory(grpc::ServerBuilder& builder) {
  const int64_t limit = MemoryLimit();
  if (limit == 0) return;
  grpc::ResourceQuota quota("received");
  quota.Resize(static_cast<size_t>(limit / 2));
  builder.SetResourceQuota(quota);
}

absl::Status GrpcServer::Start() {
  SLUICE_RETURN_IF_ERROR(CheckAddress(options_.bind_address));
  grpc::ServerBuilder& builder = loop_->builder();
  builder.AddListeningPort(options_.bind_address, ServerCredentials(options_), &port_);
  builder.SetMaxReceiveMessageSize(INT_MAX);  // of a protobuf message
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);  // inflate.h
  LimitReceivingMemory(builder);
  builder.SetMaxSendMessageSize(-1);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 5000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 500);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, 16777215);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 64 << 20);
  builder.RegisterAsyncGenericService(&service_);
  errno = 0;
  server_ = builder.BuildAndStart();
  if (server_ == nullptr || port_ == 0) {
    const int error = errno;
    if (server_ != nullptr) server_->Shutdown();
    server_.reset();
    if (options_.credentials.tls())
      return InvalidArgument("cannot listen at ", options_.bind_address,
                             " by TLS: are certificate and key a pair?");
    return Unavailable(
        "cannot listen at ", options_.bind_address, ": ",
        error == 0 ? "the address is in use, or not this machine's" : strerror(error));
  }
  for (int i = 0; i < 8; ++i) Expect();
  return absl::OkStatus();
}

void GrpcServer::Stop(absl::Duration grace) {
  {
    absl::MutexLock lock(&mu_);
    if (stopping_) return;
    stopping_ = true;
  }
  if (server_ == nullptr) return;
  streams_.Stop();
  // then calls in progress are cancelled
  server_->Shutdown(absl::ToChronoTime(absl::Now() + grace));
  {
    absl::MutexLock lock(&mu_);
    mu_.Await(absl::Condition(
        +[](int* calls) { return *calls == 0; }, &calls_));
  }
}

bool GrpcServer::Repeated(int64_t id) {
  constexpr size_t kRemembered = 10'000;
  if (id == 0) return false;
  absl::MutexLock lock(&mu_);
  if (!seen_.insert(id).second) return true;
  order_.push_back(id);
  if (order_.size() > kRemembered) {
    seen_.erase(order_.front());
    order_.pop_front();
  }
  return false;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Listener>> CreateGrpcServer(const GrpcServerOptions& options) {
  auto server = std::make_unique<GrpcServer>(options);
  SLUICE_RETURN_IF_ERROR(server->Start());
  return server;
}

}  // namespace sluice::transport
