// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/unary_client.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <atomic>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/events.h"
#include "transport/grpc/message_sum.h"
#include "transport/grpc/unreachable.h"

namespace sluice::transport {

struct UnaryClient::State {
  State(std::string who, GrpcTarget target, grpc::CompletionQueue* queue)
      : who(std::move(who)),
        target(std::move(target)),
        queue(queue),
        channel(this->target.connect()) {}
  const std::string who;
  const GrpcTarget target;
  grpc::CompletionQueue* const queue;
  absl::Mutex mu;
  std::shared_ptr<grpc::Channel> channel ABSL_GUARDED_BY(mu);
  bool stopping ABSL_GUARDED_BY(mu) = false;
  absl::flat_hash_set<grpc::ClientContext*> outstanding ABSL_GUARDED_BY(mu);
  std::unique_ptr<UnaryClient> probe ABSL_GUARDED_BY(mu);  // created on demand

  // After a call that `failed`, later calls check again whether the server is there.
  void GiveUp(const std::shared_ptr<grpc::Channel>& failed) {
    absl::MutexLock lock(&mu);
    if (channel == failed) channel = target.connect();
  }
  // Asks a server that closed a connection without TLS whether it uses TLS. `status` is the error
  // so far.
  // REQUIRES: a call is outstanding.
  void AskByTls(absl::Status status, CancelToken* cancel, Reply<grpc::ByteBuffer> done);
};

namespace {

constexpr absl::Duration kTimeout = absl::Seconds(5);  // for the question by TLS

absl::Status FromGrpc(const grpc::Status& status, const std::string& who, bool cancelled_here) {
  const auto code = static_cast<absl::StatusCode>(status.error_code());
  const std::string& text = status.error_message();
  if (code == absl::StatusCode::kUnavailable ||
      (code == absl::StatusCode::kUnknown && text == "Stream removed")) {
    return Unreachable(who, text);
  }
  if (code == absl::StatusCode::kCancelled && cancelled_here)
    return MarkDerived(absl::CancelledError(text));
  if (code == absl::StatusCode::kDeadlineExceeded)
    return DeadlineExceeded(who, " did not answer in time: ", text);
  return absl::Status(code, text);
}

// An outstanding call. The queue keeps it until its answer; the cancel token refers to it weakly.
class OneCall final : public Event, public std::enable_shared_from_this<OneCall> {
 public:
  OneCall(std::shared_ptr<UnaryClient::State> state, CancelToken* token,
          Reply<grpc::ByteBuffer> done)
      : state_(std::move(state)), token_(token), done_(std::move(done)) {}

  void Start(const std::string& path, const grpc::ByteBuffer& request, const CallOptions& options,
             bool wait_for_ready) {
    const std::shared_ptr<OneCall> self = shared_from_this();
    self_ = self;
    context_.set_wait_for_ready(wait_for_ready);
    state_->target.Sign(context_);
    path_ = path;
    context_.AddMetadata(kMessageSum, MessageSum(request));
    if (options.deadline != absl::InfiniteFuture())
      context_.set_deadline(absl::ToChronoTime(options.deadline));
    bool stopping = false;
    {
      absl::MutexLock lock(&state_->mu);
      stopping = state_->stopping;
      state_->outstanding.insert(&context_);
      channel_ = state_->channel;
    }
    if (token_ != nullptr) {
      token_id_ = token_->Register([weak = std::weak_ptr<OneCall>(self)](const absl::Status&) {
        if (auto call = weak.lock()) call->Cancel();
      });
    }
    if (stopping || (token_ != nullptr && token_id_ == 0)) Cancel();
    call_ = grpc::GenericStub(channel_).PrepareUnaryCall(&context_, path, request, state_->queue);
    call_->StartCall();
    call_->Finish(&answer_, &status_, static_cast<Event*>(this));
  }

  void Happened(bool) override {
    if (token_id_ != 0) token_->Deregister(token_id_);
    const std::shared_ptr<OneCall> self = std::move(self_);
    EventLoop::StepAsideFor(answer_.Length());
    auto done = std::move(done_);
    if (status_.ok())
      Succeeded(std::move(done));
    else
      Failed(FromGrpc(status_, state_->who, cancelled_.load()), std::move(done));
    absl::MutexLock lock(&state_->mu);
    state_->outstanding.erase(&context_);
  }

 private:
  void Succeeded(Reply<grpc::ByteBuffer> done) {
    absl::Status unchanged = CheckMessageSum(context_.GetServerTrailingMetadata(), answer_, [this] {
      return Cat("the answer of ", state_->who, " to ", path_);
    });
    if (!unchanged.ok()) return done(std::move(unchanged));
    done(std::move(answer_));
  }
  void Failed(absl::Status status, Reply<grpc::ByteBuffer> done) {
    if (absl::IsUnavailable(status)) state_->GiveUp(channel_);
    if (!state_->target.tls && HungUp(status_.error_message()))
      state_->AskByTls(std::move(status), token_, std::move(done));
    else
      done(std::move(status));
  }
  void Cancel() {
    cancelled_.store(true);
    context_.TryCancel();
  }

  const std::shared_ptr<UnaryClient::State> state_;
  CancelToken* const token_;
  int64_t token_id_ = 0;
  Reply<grpc::ByteBuffer> done_;
  std::shared_ptr<OneCall> self_;
  std::atomic<bool> cancelled_{false};
  std::shared_ptr<grpc::Channel> channel_;
  std::string path_;
  grpc::ClientContext context_;
  grpc::ByteBuffer answer_;
  grpc::Status status_;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> call_;
};

}  // namespace

void UnaryClient::State::AskByTls(absl::Status status, CancelToken* cancel,
                                  Reply<grpc::ByteBuffer> done) {
  UnaryClient* asked = nullptr;
  {
    absl::MutexLock lock(&mu);
    if (probe == nullptr)
      probe = std::make_unique<UnaryClient>(who, ProbeTargetAt(target.address), queue);
    asked = probe.get();
  }
  CallOptions options;
  options.deadline = absl::Now() + kTimeout;
  options.cancel = cancel;
  asked->Call("/", grpc::ByteBuffer(nullptr, 0), options,
              [status = std::move(status), who = who,
               done = std::move(done)](const absl::StatusOr<grpc::ByteBuffer>& answer) mutable {
                done(WhyItHungUp(who, answer.status(), std::move(status)));
              });
}

UnaryClient::UnaryClient(std::string who, GrpcTarget target, grpc::CompletionQueue* queue)
    : state_(std::make_shared<State>(std::move(who), std::move(target), queue)) {}

UnaryClient::~UnaryClient() {
  EventLoop::StepAside();
  // destroyed after the lock is released: its destructor waits for its answer
  std::unique_ptr<UnaryClient> probe;
  absl::MutexLock lock(&state_->mu);
  state_->stopping = true;
  for (grpc::ClientContext* context : state_->outstanding) context->TryCancel();
  state_->mu.Await(absl::Condition(
      +[](State* state) ABSL_NO_THREAD_SAFETY_ANALYSIS { return state->outstanding.empty(); },
      state_.get()));
  probe = std::move(state_->probe);
}

void UnaryClient::Call(const std::string& path, const grpc::ByteBuffer& request,
                       const CallOptions& options, Reply<grpc::ByteBuffer> done,
                       bool wait_for_ready) {
  std::make_shared<OneCall>(state_, options.cancel, std::move(done))
      ->Start(path, request, options, wait_for_ready);
}

}  // namespace sluice::transport
