// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/grpc_peers.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <thread>

#include "absl/strings/str_cat.h"
#include "bench/transport/check.h"
#include "bench/transport/grpc_message.h"

namespace sluice::bench {
namespace {

constexpr char kUnary[] = "/bench/Unary", kStream[] = "/bench/Stream";
constexpr int kCallsAtOnce = 16;  // of a Stream by unary calls

std::shared_ptr<grpc::Channel> Connect(const std::string& host, const std::string& port) {
  grpc::ChannelArguments args;
  args.SetMaxReceiveMessageSize(-1);
  args.SetMaxSendMessageSize(-1);
  args.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(absl::StrCat(host, ":", port),
                                   grpc::InsecureChannelCredentials(), args);
}

class GrpcPeer : public Contender {
 public:
  GrpcPeer(FarEnd far, std::shared_ptr<grpc::Channel> channel)
      : far_(std::move(far)), stub_(std::move(channel)) {}
  ~GrpcPeer() override { queue_.Shutdown(); }

  void Load(const Payload& payload, int window) override {
    source_ = SourceTensors(payload);
    serialised_ = payload.serialised;
    window_ = window;
  }
  std::vector<double> PingPong(int times) override { return TimedExchanges(*this, times); }

 protected:
  grpc::ByteBuffer Message(Answer answer) const {
    return MakeMessage(answer, serialised_, source_);
  }
  // The tag of the next event.
  void* Next() {
    void* tag = nullptr;
    bool good = false;
    Check(queue_.Next(&tag, &good) && good, "a call by gRPC");
    return tag;
  }
  int window() const { return window_; }

  const FarEnd far_;
  grpc::CompletionQueue queue_;
  grpc::GenericStub stub_;

 private:
  std::vector<Tensor> source_;
  bool serialised_ = false;
  int window_ = 1;
};

class UnaryCalls final : public GrpcPeer {
 public:
  using GrpcPeer::GrpcPeer;
  void Post() override { Start(Answer::kEcho); }
  void Await() override { Finish(); }
  void Stream() override {
    for (int i = 0; i < window(); ++i) {
      if (i >= kCallsAtOnce) Finish();
      Start(Answer::kReceipt);
    }
    for (int i = 0; i < std::min(window(), kCallsAtOnce); ++i) Finish();
  }

 private:
  struct Call {
    grpc::ClientContext context;
    grpc::ByteBuffer answer;
    grpc::Status status;
    std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  };
  void Start(Answer answer) {
    auto* call = new Call;  // until Finish
    call->context.set_wait_for_ready(true);
    call->reader = stub_.PrepareUnaryCall(&call->context, kUnary, Message(answer), &queue_);
    call->reader->StartCall();
    call->reader->Finish(&call->answer, &call->status, call);
  }
  void Finish() {
    const std::unique_ptr<Call> call(static_cast<Call*>(Next()));
    Check(call->status.ok(), "a unary call: " + call->status.error_message());
    grpc::ByteBuffer echo;
    TakeMessage(&call->answer, &echo);
  }
};

class OneStream final : public GrpcPeer {
 public:
  OneStream(FarEnd far, std::shared_ptr<grpc::Channel> channel)
      : GrpcPeer(std::move(far), std::move(channel)) {
    context_.set_wait_for_ready(true);
    stream_ = stub_.PrepareCall(&context_, kStream, &queue_);
    stream_->StartCall(this);
    Next();
  }
  ~OneStream() override {
    context_.TryCancel();
    stream_->Finish(&status_, this);
    void* tag = nullptr;
    bool good = false;
    queue_.Next(&tag, &good);
  }
  void Post() override {
    stream_->Read(&answer_, &answer_);
    stream_->Write(Message(Answer::kEcho), this);
  }
  void Await() override {
    Next();
    Next();
    TakeMessage(&answer_, &echo_);
  }
  void Stream() override {
    for (int i = 1; i < window(); ++i) {
      stream_->Write(Message(Answer::kNone), this);
      Next();
    }
    stream_->Read(&answer_, &answer_);
    stream_->Write(Message(Answer::kReceipt), this);
    Await();
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
  grpc::ByteBuffer answer_, echo_;
  grpc::Status status_;
};

class GrpcResponder final : public Responder {
 public:
  explicit GrpcResponder(const std::string& host) {
    grpc::ServerBuilder builder;
    builder.SetMaxReceiveMessageSize(-1);
    builder.SetMaxSendMessageSize(-1);
    builder.AddListeningPort(absl::StrCat(host, ":0"), grpc::InsecureServerCredentials(), &port_);
    builder.RegisterAsyncGenericService(&service_);
    queue_ = builder.AddCompletionQueue();
    server_ = builder.BuildAndStart();
    Check(server_ != nullptr && port_ != 0, "listening by gRPC");
    for (int i = 0; i < 2 * kCallsAtOnce; ++i) Expect();
    thread_ = std::thread([this] { AnswerAll(); });
  }
  ~GrpcResponder() override {
    stopping_.store(true);
    server_->Shutdown(std::chrono::system_clock::now());
    thread_.join();
    queue_->Shutdown();
  }
  std::vector<std::string> contact() const override { return {absl::StrCat(port_)}; }

 private:
  // arrived: a message is read; read: it is answered, or the next one is read; written: the next
  // one is read; finished: the call is deleted.
  struct Call {
    grpc::GenericServerContext context;
    grpc::GenericServerAsyncReaderWriter stream{&context};
    grpc::ByteBuffer message, echo;
    enum { kArrived, kRead, kWritten, kFinished } state = kArrived;

    void Read() {
      state = kRead;
      stream.Read(&message, this);
    }
    void TakeAndAnswer() {
      const Answer answer = TakeMessage(&message, &echo);
      if (answer == Answer::kNone) return Read();
      if (answer == Answer::kReceipt) echo = MakeMessage(Answer::kNone, false, {});
      const bool last = context.method() == kUnary;
      state = last ? kFinished : kWritten;
      if (last)
        stream.WriteAndFinish(echo, grpc::WriteOptions(), grpc::Status::OK, this);
      else
        stream.Write(echo, this);
    }
    void Finish() {
      state = kFinished;
      stream.Finish(grpc::Status::OK, this);
    }
  };
  void Expect() {
    if (stopping_.load()) return;
    auto* call = new Call;  // until it is finished
    ++calls_;
    service_.RequestCall(&call->context, &call->stream, queue_.get(), queue_.get(), call);
  }
  void AnswerAll() {
    void* tag = nullptr;
    // The end of the server ends every call, so that no operation begins on a queue that is shut
    // down.
    for (bool good = false; calls_ > 0 && queue_->Next(&tag, &good);) {
      auto* call = static_cast<Call*>(tag);
      if (call->state == Call::kFinished || (call->state == Call::kArrived && !good)) {
        delete call;
        --calls_;
      } else if (!good) {
        call->Finish();
      } else if (call->state == Call::kRead) {
        call->TakeAndAnswer();
      } else {
        if (call->state == Call::kArrived) Expect();
        call->Read();
      }
    }
  }

  grpc::AsyncGenericService service_;
  int port_ = 0;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
  std::atomic<bool> stopping_{false};
  int calls_ = 0;  // used on the thread
  std::thread thread_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Contender>> CreateGrpcPeer(FarProcess& far, bool streaming) {
  SLUICE_ASSIGN(FarEnd opened, far.Open(streaming ? "grpc-stream" : "grpc-unary", {}));
  auto channel = Connect(far.host(), opened.contact().at(0));
  if (streaming) return std::make_unique<OneStream>(std::move(opened), std::move(channel));
  return std::make_unique<UnaryCalls>(std::move(opened), std::move(channel));
}

std::unique_ptr<Responder> CreateGrpcResponder(const std::string& host) {
  return std::make_unique<GrpcResponder>(host);
}

}  // namespace sluice::bench
