// SPDX-License-Identifier: Apache-2.0
#include "master/session_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/synchronization/notification.h"
#include "graph/all_ops.h"
#include "graph/import.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "tests/graph/graph_text.h"
#include "tests/master/fake_worker.h"
#include "tests/master/inproc_cluster.h"

namespace sluice::master {
namespace {

using testing::HasSubstr;

constexpr char kGraph[] = "a = Const(1) ; b = Neg(a) ; c = Neg(b)";

// A master whose worker answers every call but runs nothing.
class SessionLimitsTest : public testing::Test {
 protected:
  Client MakeClient(SessionLimits limits) {
    Master::Options options;
    options.ops = &graph::AllOps();
    options.cluster = {kW, &worker_, {}, &connector_};
    options.sessions = limits;
    master_ = std::make_unique<Master>(std::move(options));
    return Client(master_.get());
  }
  static void ExpectRefused(const absl::Status& status, absl::string_view text) {
    EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
    EXPECT_THAT(status.message(), HasSubstr(text));
  }

  FakeWorker worker_{kW};
  FakeConnector connector_;
  std::unique_ptr<Master> master_;
};

TEST_F(SessionLimitsTest, OfGraphs) {
  Client client = MakeClient({.graph_bytes = 500});
  ASSERT_TRUE(client.Create(kGraph).ok());
  int64_t version = 0;
  absl::Status refused;
  for (int i = 0; i < 100 && refused.ok(); ++i) {
    auto extended = client.Extend(absl::StrCat("more", i, " = Const(1)"), version);
    if (extended.ok()) version = *extended;
    refused = extended.status();
  }
  ExpectRefused(refused, "more would exceed the limit of 500");
  EXPECT_GT(version, 0);
  // A refused extension changes nothing, and what a wrong one would need is not counted.
  ExpectRefused(
      client.Extend("last = Const(1) ; last2 = Neg(last) ; last3 = Neg(last2)", version).status(),
      "more would exceed");
  ExpectRefused(MakeClient({.graph_bytes = 20}).Create(kGraph), "limit of 20");
}

class Origin final : public transport::CallOrigin {
 public:
  explicit Origin(std::string address) : address_(std::move(address)) {}
  std::string address() const override { return address_; }

 private:
  const std::string address_;
};

// Of clients elsewhere. A connection with an address that cannot be parsed counts as open.
class ClientLimitsTest : public SessionLimitsTest {
 protected:
  absl::StatusOr<std::string> Create(const Origin& origin) {
    auto graph = std::make_shared<proto::GraphDef>();
    EXPECT_TRUE(graph::Export(*graph::FromText(kGraph), graph.get()).ok());
    transport::CreateSessionRequest request;
    request.graph = std::move(graph);
    request.config = std::make_shared<proto::ConfigProto>();
    transport::CallOptions options;
    options.origin = &origin;
    absl::Notification done;
    absl::StatusOr<std::string> handle;
    master_->CreateSession(std::move(request), options, [&](auto created) {
      if (created.ok())
        handle = created->session;
      else
        handle = created.status();
      done.Notify();
    });
    done.WaitForNotification();
    return handle;
  }
  absl::Status MakeCallable(const std::string& session) {
    transport::MakeCallableRequest request;
    request.session = session;
    request.fetches = {"c:0"};
    absl::Notification done;
    absl::Status status;
    master_->MakeCallable(std::move(request), {}, [&](const absl::StatusOr<int64_t>& made) {
      status = made.status();
      done.Notify();
    });
    done.WaitForNotification();
    return status;
  }
};

TEST_F(ClientLimitsTest, OfSessions) {
  MakeClient({.open = 4});  // of them 3 of one client
  const Origin one("one:1"), another("one:2"), other("other:1");
  ASSERT_TRUE(Create(one).ok());
  ASSERT_TRUE(Create(another).ok());
  ASSERT_TRUE(Create(one).ok());
  ExpectRefused(Create(one).status(), "the client at one has 3 open sessions");
  EXPECT_TRUE(Create(other).ok());
  ExpectRefused(Create(other).status(), "this master has 4 open sessions");
}

TEST_F(ClientLimitsTest, AbandonedSessionsGiveWay) {
  MakeClient({.open = 2, .per_client = 2, .abandoned = absl::ZeroDuration()});
  const Origin gone("ipv4:192.0.2.1:7"), here("here:1");
  const auto abandoned = Create(gone);
  ASSERT_TRUE(abandoned.ok());
  const auto kept = Create(here);
  ASSERT_TRUE(kept.ok());
  ASSERT_TRUE(Create(here).ok());
  EXPECT_FALSE(MakeCallable(*abandoned).ok());
  EXPECT_TRUE(MakeCallable(*kept).ok());
  ExpectRefused(Create(here).status(), "the client at here has 2 open sessions");
}

TEST_F(ClientLimitsTest, SessionsOfClientsThatEndedAreClosed) {
  MakeClient({.last_seen = absl::InfiniteDuration(), .gone_here = absl::ZeroDuration()});
  const Origin here("ipv4:127.0.0.1:1"), here6("ipv6:%5B::1%5D:1"), elsewhere("ipv4:192.0.2.1:7"),
      unknown("here:1");
  const auto session = Create(here), session6 = Create(here6);
  const auto far = Create(elsewhere), other = Create(unknown);
  ASSERT_TRUE(session.ok() && session6.ok() && far.ok() && other.ok());
  master_->CloseAbandoned();
  EXPECT_TRUE(absl::IsAborted(MakeCallable(*session)));
  EXPECT_TRUE(absl::IsAborted(MakeCallable(*session6)));
  EXPECT_TRUE(MakeCallable(*far).ok());  // its network may be broken
  EXPECT_TRUE(MakeCallable(*other).ok());
}

TEST_F(ClientLimitsTest, SessionsOfClientsElsewhereStayLonger) {
  MakeClient({.last_seen = absl::InfiniteDuration(),
              .gone_here = absl::Hours(1),
              .gone_elsewhere = absl::ZeroDuration()});
  const Origin here("ipv4:127.0.0.1:1"), elsewhere("ipv4:192.0.2.1:7");
  const auto session = Create(here), far = Create(elsewhere);
  ASSERT_TRUE(session.ok() && far.ok());
  master_->CloseAbandoned();
  EXPECT_TRUE(MakeCallable(*session).ok());
  EXPECT_TRUE(absl::IsAborted(MakeCallable(*far)));
}

// A proxy closes a connection that has been idle; the client that comes back needs its session.
TEST_F(ClientLimitsTest, SessionsOfClientsWhoseConnectionsWereIdleStay) {
  MakeClient({.last_seen = absl::ZeroDuration(), .gone_here = absl::ZeroDuration()});
  const auto session = Create(Origin("ipv4:127.0.0.1:1"));
  ASSERT_TRUE(session.ok());
  master_->CloseAbandoned();
  EXPECT_TRUE(MakeCallable(*session).ok());
}

TEST_F(ClientLimitsTest, OfWhatItsSessionsHold) {
  MakeClient({.callables = 2});
  const Origin one("one:1"), other("other:1");
  absl::Status refused;
  int made = 0;
  while (refused.ok()) {
    const auto session = Create(one);
    ASSERT_TRUE(session.ok());
    for (int i = 0; i < 2 && refused.ok(); ++i, ++made) refused = MakeCallable(*session);
  }
  EXPECT_EQ(made, 2 * SessionLimits::kSessionsWorth + 1);
  ExpectRefused(refused, "all sessions of the client at one have 20 callables");
  EXPECT_TRUE(MakeCallable(*Create(other)).ok());
}

TEST_F(SessionLimitsTest, OfSignatures) {
  Client client = MakeClient({.signatures = 2});
  ASSERT_TRUE(client.Create(kGraph).ok());
  for (const char* fetch : {"a:0", "b:0", "a:0"})
    EXPECT_TRUE(absl::IsUnimplemented(client.Run({}, {fetch}).status())) << fetch;
  ExpectRefused(client.Run({}, {"c:0"}).status(), "has 2 compiled sets of feeds, fetches");
}

TEST_F(SessionLimitsTest, OfCallables) {
  Client client = MakeClient({.callables = 2});
  ASSERT_TRUE(client.Create(kGraph).ok());
  transport::MakeCallableRequest request;
  request.fetches = {"b:0"};
  auto first = client.MakeCallable(request);
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(client.MakeCallable(request).ok());
  ExpectRefused(client.MakeCallable(request).status(), "has 2 callables");
  ASSERT_TRUE(client.ReleaseCallable(*first).ok());
  EXPECT_TRUE(client.MakeCallable(request).ok());
}

TEST_F(SessionLimitsTest, OfPartialRuns) {
  Client client = MakeClient({.partial_runs = 1});
  ASSERT_TRUE(client.Create(kGraph).ok());
  const auto set_up = [&] {
    absl::Notification came;
    absl::Status status;
    master_->SetUpPartialRun({client.session, {"a:0"}, {"b:0"}, {}}, {},
                             [&](absl::StatusOr<std::string> answer) {
                               status = answer.status();
                               came.Notify();
                             });
    came.WaitForNotification();
    return status;
  };
  EXPECT_TRUE(set_up().ok());
  ExpectRefused(set_up(), "has 1 open partial runs");
}

TEST_F(SessionLimitsTest, OfSteps) {
  Client client = MakeClient({.steps = 0});
  ASSERT_TRUE(client.Create(kGraph).ok());
  ExpectRefused(client.Run({}, {"b:0"}).status(), "has 0 running steps");
}

}  // namespace
}  // namespace sluice::master
