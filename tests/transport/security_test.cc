// SPDX-License-Identifier: Apache-2.0
// Which clients may call a server, and which servers a client trusts.
#include <grpcpp/completion_queue.h>
#include <grpcpp/support/byte_buffer.h>
#include <sys/socket.h>

#include <thread>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/transport/certificates.h"
#include "tests/transport/endpoint.h"
#include "transport/backends/grpc/transport.h"
#include "transport/backends/tcp/socket.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/target.h"
#include "transport/pending_reply.h"
#include "transport/rpc/server.h"
#include "transport/rpc/unary_client.h"

namespace sluice::transport {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kTask[] = "/job:b/replica:0/task:0";
constexpr char kNoMethod[] = "/sluice.Test/NobodyAnswersThis";

std::vector<std::string> AllMethods() {
  std::vector<std::string> all = {"/sluice.Transports/Handshake",
                                  "/sluice.Transports/List",
                                  "/sluice.TensorStream/Open",
                                  "/sluice.Groups/Join",
                                  "/sluice.Groups/End",
                                  "/sluice.Groups/Probe",
                                  "/sluice.Pipelines/List",
                                  kNoMethod};
  for (const char* name :
       {"CreateSession", "ExtendSession", "PartialRunSetup", "RunStep", "CloseSession",
        "ListDevices", "Reset", "MakeCallable", "RunCallable", "ReleaseCallable"})
    all.push_back(absl::StrCat("/tensorflow.MasterService/", name));
  for (const char* name :
       {"GetStatus", "CreateWorkerSession", "DeleteWorkerSession", "RegisterGraph",
        "DeregisterGraph", "RunGraph", "CleanupGraph", "CleanupAll", "RecvTensor", "Logging",
        "Tracing", "RecvBuf", "GetStepSequence", "CompleteGroup", "CompleteInstance"})
    all.push_back(absl::StrCat("/tensorflow.WorkerService/", name));
  return all;
}

// Takes connections and closes them at once.
class HangsUp {
 public:
  HangsUp() : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    EXPECT_EQ(listen(listener_.get(), 8), 0);  // on any port
    EXPECT_EQ(getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&at_.address), &at_.size),
              0);
    thread_ = std::thread([this] {
      while (Descriptor(accept(listener_.get(), nullptr, nullptr)).valid()) continue;
    });
  }
  ~HangsUp() {
    shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }
  std::string address() const { return absl::StrCat("127.0.0.1:", at_.port()); }

 private:
  const Descriptor listener_;
  SocketAddress at_{{}, sizeof(sockaddr_storage)};
  std::thread thread_;
};

class SecurityTest : public testing::Test {
 protected:
  void Listen(const Credentials& credentials, bool mutual_tls = false) {
    GrpcServerOptions options;
    options.task = kTask;
    options.bind_address = "127.0.0.1:0";
    options.sink = &sink_;
    options.credentials = credentials;
    options.mutual_tls = mutual_tls;
    auto server = CreateGrpcServer(options);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  std::string Address(const char* host = "127.0.0.1") const {
    return absl::StrCat(host, ":", server_->port());
  }
  // The server's answer to one call.
  absl::Status Ask(const Credentials& credentials, const std::string& method = kNoMethod) {
    return Ask(Address(), credentials, method);
  }
  absl::Status Ask(const std::string& address, const Credentials& credentials,
                   const std::string& method) {
    UnaryClient client("the server", TargetAt(address, absl::Seconds(5), credentials),
                       loop_.queue());
    PendingReply<grpc::ByteBuffer> answer;
    CallOptions options;
    options.deadline = absl::Now() + absl::Seconds(20);
    client.Call(method, grpc::ByteBuffer(nullptr, 0), options, answer.reply());
    return answer.Wait().status();
  }

  TestSink sink_;
  EventLoop loop_{2};
  std::unique_ptr<Listener> server_;
};

TEST_F(SecurityTest, EveryMethodRequiresTheToken) {
  const Credentials right = CredentialsOf("", "");
  Listen(right);
  const Credentials wrong = CredentialsOf("", "", "wrong_token");
  Credentials part = right;
  part.token.pop_back();
  for (const std::string& method : AllMethods()) {
    const absl::Status none = Ask({}, method);
    EXPECT_TRUE(absl::IsUnauthenticated(none)) << method << " " << none;
    EXPECT_THAT(std::string(none.message()), HasSubstr("the call has none"));
    EXPECT_THAT(std::string(none.message()), HasSubstr(method));
    for (const Credentials& other : {wrong, part}) {
      const absl::Status status = Ask(other, method);
      EXPECT_TRUE(absl::IsUnauthenticated(status)) << method << " " << status;
      EXPECT_THAT(std::string(status.message()), HasSubstr("not this cluster's"));
      EXPECT_THAT(std::string(status.message()), HasSubstr(kTask));
      EXPECT_THAT(std::string(status.message()), Not(HasSubstr(other.token)));
    }
  }
  EXPECT_TRUE(absl::IsUnimplemented(Ask(right))) << "let in";
}

TEST_F(SecurityTest, AServerWithoutATokenRequiresNone) {
  Listen({});
  EXPECT_TRUE(absl::IsUnimplemented(Ask({})));
  EXPECT_TRUE(absl::IsUnimplemented(Ask(CredentialsOf("", ""))));
}

TEST_F(SecurityTest, ATensorStreamWithoutTheTokenSaysSo) {
  Listen(CredentialsOf("", ""));
  TestSink sink;
  auto transport = CreateGrpcTransport(
      {.self = {"/job:a/replica:0/task:0"}, .credentials = CredentialsOf("", "", "wrong_token")});
  transport->Attach(&sink);
  auto channel = *transport->Connect({kTask, Address()}, {});
  ASSERT_TRUE(channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
  const auto broken = sink.NextBroken();
  ASSERT_TRUE(broken.ok());
  EXPECT_THAT(std::string(broken->second.message()), HasSubstr("not this cluster's"));
  EXPECT_EQ(sink_.arrived(), 0u);
}

TEST_F(SecurityTest, TlsWithTheRightAuthority) {
  Listen(CredentialsOf("task"));
  EXPECT_TRUE(absl::IsUnimplemented(Ask(CredentialsOf("")))) << Ask(CredentialsOf(""));
  EXPECT_TRUE(absl::IsUnauthenticated(Ask(CredentialsOf("", "ca", ""))));
}

TEST_F(SecurityTest, AServerOfAnotherAuthorityIsNotTrusted) {
  Listen(CredentialsOf("task"));
  const absl::Status status = Ask(CredentialsOf("", "stranger_ca"));
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_TRUE(IsDistrust(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("handshake"));
}

TEST_F(SecurityTest, AnExpiredCertificateIsNotTrusted) {
  Listen(CredentialsOf("expired"));
  const absl::Status status = Ask(CredentialsOf(""));
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("handshake"));
}

TEST_F(SecurityTest, BothSidesMustSpeakTls) {
  for (const bool mutual : {false, true}) {
    Listen(CredentialsOf("task"), mutual);
    const absl::Status plain = Ask(CredentialsOf("", ""));
    EXPECT_TRUE(absl::IsUnavailable(plain) && IsDistrust(plain)) << plain;
    EXPECT_THAT(std::string(plain.message()), HasSubstr("it speaks TLS, and this side does not"));
  }
  Listen(CredentialsOf("", ""));
  const absl::Status by_tls = Ask(CredentialsOf(""));
  EXPECT_TRUE(absl::IsUnavailable(by_tls) && IsDistrust(by_tls)) << by_tls;
  EXPECT_THAT(std::string(by_tls.message()), HasSubstr("this side speaks TLS, and it does not"));
}

TEST_F(SecurityTest, AServerThatClosesPlainConnectionsMayReturn) {
  const HangsUp server;
  const absl::Status status = Ask(server.address(), {}, kNoMethod);
  EXPECT_TRUE(absl::IsUnavailable(status) && !IsDistrust(status)) << status;
}

TEST_F(SecurityTest, MutualTlsRequiresAClientCertificate) {
  Listen(CredentialsOf("task"), /*mutual_tls=*/true);
  EXPECT_TRUE(absl::IsUnavailable(Ask(CredentialsOf(""))));
  EXPECT_TRUE(absl::IsUnavailable(Ask(CredentialsOf("expired"))));
  EXPECT_TRUE(absl::IsUnimplemented(Ask(CredentialsOf("client"))));
}

TEST_F(SecurityTest, ACertificateThatIsNotTheKeysIsAnError) {
  Credentials mixed = CredentialsOf("task");
  mixed.key = CredentialsOf("client").key;
  GrpcServerOptions options;
  options.bind_address = "127.0.0.1:0";
  options.sink = &sink_;
  options.credentials = mixed;
  const absl::Status status = CreateGrpcServer(options).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("the key does not go with the certificate"));
}

}  // namespace
}  // namespace sluice::transport
