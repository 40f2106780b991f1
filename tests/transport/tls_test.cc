// SPDX-License-Identifier: Apache-2.0
// TCP by TLS: which peers each side trusts. The conformance suite tests its data.
#include "transport/backends/tcp/tls.h"

#include <sys/socket.h>

#include <optional>

#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/transport/certificates.h"
#include "tests/transport/endpoint.h"
#include "transport/backends/tcp/transport.h"

namespace sluice::transport {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";

// A receiver and a sender, each with its own credentials.
class TlsTest : public testing::Test {
 protected:
  std::unique_ptr<Transport> TransportOfPeer(const std::string& task, TestSink& sink,
                                             const std::optional<Credentials>& credentials) const {
    TcpTransportOptions options{.self = {task, 1, 1 << 20}, .loop = loop_};
    if (credentials.has_value()) options.tls = *CreateTls(*credentials);
    auto transport = *CreateTcpTransport(options);
    transport->Attach(&sink);
    return transport;
  }
  // The reason why A could not send to B, which A knows as `host`; OK if it could. `listens_to`: A
  // follows B's offer about TLS.
  absl::Status Send(const std::optional<Credentials>& a, const std::optional<Credentials>& b,
                    const std::string& host = "localhost", bool listens_to = true) {
    TestSink at_a, at_b;
    const auto from = TransportOfPeer(kA, at_a, a), to = TransportOfPeer(kB, at_b, b);
    ConnectionOffer offer = *to->Offer({kA, 1, HostId()});
    if (!listens_to) offer.address = std::string(absl::StripPrefix(offer.address, "tls:"));
    SLUICE_ASSIGN(auto channel, from->Connect({kB, absl::StrCat(host, ":1")}, offer));
    at_a.set_channel([&](const std::string&) { return channel.get(); });
    const ParcelId id{{7, 1}, EdgeKey{1, 0, 0, 0}};
    EXPECT_TRUE(channel->Send(id, {Tensor::Scalar<int32_t>(5)}).ok());
    // One of the two happens.
    const absl::Time limit = absl::Now() + absl::Seconds(20);
    while (at_b.arrived() == 0 && at_a.broken_count() == 0 && absl::Now() < limit)
      absl::SleepFor(absl::Milliseconds(1));
    from->Stop();
    to->Stop();
    return at_b.arrived() > 0 ? absl::OkStatus() : at_a.NextBroken()->second;
  }

  const std::shared_ptr<PollLoop> loop_ = std::make_shared<PollLoop>("tls");
};

TEST_F(TlsTest, TasksOfOneAuthorityTrustEachOther) {
  const Credentials task = CredentialsOf("task");
  EXPECT_EQ(Send(task, task), absl::OkStatus());
  EXPECT_EQ(Send(task, task, "127.0.0.1"), absl::OkStatus());
}

TEST_F(TlsTest, CertificatesOfOtherAuthoritiesAreRefused) {
  const Credentials task = CredentialsOf("task"), stranger = CredentialsOf("task", "stranger_ca");
  EXPECT_THAT(std::string(Send(stranger, task).message()), HasSubstr("the peer's certificate"));
  const absl::Status refused = Send(task, stranger);
  EXPECT_TRUE(absl::IsUnavailable(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr(kB));
}

TEST_F(TlsTest, CertificatesMustMatchHostAndDate) {
  const Credentials task = CredentialsOf("task"), expired = CredentialsOf("expired");
  EXPECT_THAT(std::string(Send(task, task, "elsewhere").message()), HasSubstr("mismatch"));
  EXPECT_THAT(std::string(Send(task, task, "127.0.0.2").message()), HasSubstr("mismatch"));
  EXPECT_THAT(std::string(Send(task, expired).message()), HasSubstr("expired"));
  EXPECT_TRUE(absl::IsUnavailable(Send(expired, task)));
}

TEST_F(TlsTest, ConnectionsWithoutTheTokenAreRefused) {
  EXPECT_TRUE(absl::IsUnavailable(
      Send(std::nullopt, CredentialsOf("task"), "localhost", /*listens_to=*/false)));
}

TEST_F(TlsTest, TlsOnOneSideOnlyIsReportedAtOnce) {
  const Credentials task = CredentialsOf("task");
  EXPECT_EQ(Send(task, std::nullopt), FailedPrecondition(kA, " speaks TLS, ", kB, " does not"));
  EXPECT_EQ(Send(std::nullopt, task), FailedPrecondition(kB, " speaks TLS, ", kA, " does not"));
}

TEST_F(TlsTest, UnusableCredentialsAreNamed) {
  const Credentials task = CredentialsOf("task");
  const std::string garbage = "-----BEGIN CERTIFICATE-----\nnonsense\n";
  const auto refusal = [&](const Credentials& credentials) {
    const absl::Status status = CreateTls(credentials).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("nonsense")));
    return std::string(status.message());
  };
  Credentials bad = task;
  bad.ca = garbage;
  EXPECT_THAT(refusal(bad), HasSubstr("the authority's certificate"));
  bad = task;
  bad.cert = garbage;
  EXPECT_THAT(refusal(bad), HasSubstr("the certificate"));
  bad = task;
  bad.key = CredentialsOf("client").key;
  EXPECT_THAT(refusal(bad), HasSubstr("the key"));
}

TEST_F(TlsTest, TrafficIsEncrypted) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  const Descriptor near(ends[0]), far(ends[1]);
  int wires[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, wires), 0);
  const Descriptor out(wires[0]), in(wires[1]);
  const auto tls = *CreateTls(CredentialsOf("task"));
  const auto sends = tls->Connecting(near.get(), "localhost");
  const auto receives = tls->Accepting(out.get());
  std::string secret = "the weights of the model", seen, got;
  // Forwards the bytes of one side to the other.
  const auto relay = [&](int from, int to) {
    char buffer[1 << 16];
    for (ssize_t n; (n = read(from, buffer, sizeof(buffer))) > 0;) {
      seen.append(buffer, static_cast<size_t>(n));
      ASSERT_EQ(write(to, buffer, static_cast<size_t>(n)), n);
    }
  };
  size_t written = 0;
  for (int turn = 0; turn < 20 && got.size() < secret.size(); ++turn) {
    if (written < secret.size()) {
      const iovec piece{secret.data() + written, secret.size() - written};
      const auto progress = sends->Write({&piece, 1});
      ASSERT_TRUE(progress.ok()) << progress.status();
      written += progress->bytes;
    }
    relay(far.get(), in.get());
    char buffer[100];
    const iovec place{buffer, sizeof(buffer)};
    const auto progress = receives->Read({&place, 1});
    ASSERT_TRUE(progress.ok()) << progress.status();
    got.append(buffer, progress->bytes);
    relay(in.get(), far.get());
    ASSERT_TRUE(sends->Read({&place, 1}).ok());
  }
  EXPECT_EQ(got, secret);
  EXPECT_THAT(seen, Not(HasSubstr("weights")));
}

}  // namespace
}  // namespace sluice::transport
