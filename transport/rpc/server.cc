// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/server.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <deque>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/tensor/memory_budget.h"
#include "transport/admission/port.h"
#include "transport/backends/grpc/stream_server.h"
#include "transport/backends/tcp/tls.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/events.h"
#include "transport/grpc/message_sum.h"
#include "transport/rpc/call_admission.h"
#include "transport/rpc/methods.h"
#include "transport/time_budget.h"

namespace sluice::transport {

void TuneMalloc() {
  // malloc_trim leaves the free end of an arena as it is, except that of the first arena. Each may
  // keep up to 64 MB there, which is too much beside a small limit.
  const int64_t limit = MemoryLimit(), kept = limit == 0 ? INT_MAX : limit / 128;
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(std::min<int64_t>(kept, INT_MAX)));
  mallopt(M_TOP_PAD, static_cast<int>(std::min<int64_t>(kept / 2, 16 << 20)));
}

namespace {

// Within this time a client sends its first bytes, and then ends its handshakes of TLS and HTTP/2.
constexpr absl::Duration kFirstBytesWithin = absl::Seconds(10);
// Calls of one connection at a time: more than the calls that a master takes.
constexpr int kMostCalls = 8192;

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
  std::shared_ptr<OpenConnection> connection_;  // null if it has closed
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
        streams_(options.task, options.incarnation, options.sink, loop_->queue(), options.silence),
        log_(options.task) {}
  ~GrpcServer() override { Stop(absl::ZeroDuration()); }

  absl::Status Start();
  int port() const override { return port_->number(); }
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

  grpc::ServerCompletionQueue* queue() { return loop_->queue(); }
  grpc::AsyncGenericService& service() { return service_; }
  const std::string& task() const { return options_.task; }
  const Methods& methods() const { return methods_; }
  StreamServer& streams() { return streams_; }
  const CallAdmission& admission() const { return *admission_; }
  ConnectionTable& connections() { return port_->connections(); }

 private:
  absl::Status OpenPort();
  bool Repeated(int64_t id);

  const GrpcServerOptions options_;
  const std::shared_ptr<EventLoop> loop_;
  grpc::AsyncGenericService service_;
  const Methods methods_;
  StreamServer streams_;
  AdmissionLog log_;
  // Set by Start. The calls use them.
  std::unique_ptr<Port> port_;
  std::unique_ptr<const CallAdmission> admission_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
  std::unique_ptr<grpc::Server> server_;
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
  connection_ = server_->connections().Find(io_->context.peer());
  if (connection_ != nullptr && !connection_->known() && !connection_->IsOpen())
    return Answer(Unavailable("the client has closed its connection"));
  const absl::Status admitted = server_->admission().Admit(io_->context, connection_.get());
  if (!admitted.ok()) return Answer(admitted);
  if (io_->context.method() != kTensorStreamMethod) {
    if (connection_ != nullptr) connection_->Begins();
    io_->stream.Read(&request_, &read_);
    return;
  }
  // This Call stays alive for the event that the call is over.
  stream_ = io_.get();
  server_->streams().Accept(std::move(io_), [this] { Release(); });
}

void Call::Read(bool ok) {
  if (connection_ != nullptr) connection_->HasRead(ok ? request_.Length() : 0);
  if (!ok) return Answer(InvalidArgument("the call came without a request"));
  EventLoop::StepAsideFor(request_.Length());  // the sum reads all of it
  const absl::Status unchanged = CheckMessageSum(io_->context.client_metadata(), request_, [this] {
    return Cat("the request ", io_->context.method(), " to ", server_->task());
  });
  if (!unchanged.ok()) return Answer(unchanged);
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
  if (!answer.ok()) return io_->stream.Finish(ToGrpc(answer.status()), &written_);
  server_->admission().Succeeded(io_->context.method(), connection_.get());
  if (HasMessageSum(io_->context.client_metadata()))
    io_->context.AddTrailingMetadata(kMessageSum, MessageSum(*answer));
  io_->stream.WriteAndFinish(*answer, grpc::WriteOptions(), grpc::Status::OK, &written_);
}

void Call::Written(bool) { Release(); }

void Call::Over(bool) {
  if (stream_ != nullptr) {
    if (stream_->on_over) stream_->on_over();
  } else if (io_->context.IsCancelled()) {
    server_->admission().Cancelled(connection_.get());
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

// gRPC keeps a message whole before it checks its size. Beyond this quota it ends calls.
void LimitReceivingMemory(grpc::ServerBuilder& builder) {
  const int64_t limit = MemoryLimit();
  if (limit == 0) return;
  grpc::ResourceQuota quota("received");
  quota.Resize(static_cast<size_t>(limit / 2));
  builder.SetResourceQuota(quota);
}

absl::Status GrpcServer::OpenPort() {
  Port::Options options;
  options.address = options_.bind_address;
  options.limits = options_.limits;
  options.first_bytes = kFirstBytesWithin;
  options.hand_over = [this](int listener, Descriptor connection) {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters accepted;
    accepted.listener_fd = listener;
    accepted.fd = connection.release();
    acceptor_->HandleNewConnection(&accepted);
  };
  SLUICE_ASSIGN(port_, transport::OpenPort(std::move(options), &log_));
  admission_ = std::make_unique<CallAdmission>(options_.task, options_.credentials.token, &log_,
                                               &port_->connections());
  return absl::OkStatus();
}

absl::Status GrpcServer::Start() {
  // gRPC only logs that it cannot use a certificate.
  if (options_.credentials.tls()) SLUICE_RETURN_IF_ERROR(CreateTls(options_.credentials).status());
  SLUICE_RETURN_IF_ERROR(OpenPort());
  grpc::ServerBuilder& builder = loop_->builder();
  acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
      ServerCredentials(options_));
  builder.SetMaxReceiveMessageSize(INT_MAX);  // of a protobuf message
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);  // inflate.h
  LimitReceivingMemory(builder);
  builder.SetMaxSendMessageSize(-1);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
                             static_cast<int>(absl::ToInt64Milliseconds(kFirstBytesWithin)));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMostCalls);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 5000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 500);
  // gRPC's own limit of pings costs more than the pings: it keeps an error for each.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, 16777215);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 64 << 20);
  builder.RegisterAsyncGenericService(&service_);
  server_ = builder.BuildAndStart();
  if (server_ == nullptr)
    return absl::InternalError(
        Cat("gRPC does not start a server at ", options_.bind_address, "; its log says why"));
  for (int i = 0; i < 8; ++i) Expect();
  return port_->Accept();
}

void GrpcServer::Stop(absl::Duration grace) {
  {
    absl::MutexLock lock(&mu_);
    if (stopping_) return;
    stopping_ = true;
  }
  if (port_ != nullptr) port_->Stop();
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
