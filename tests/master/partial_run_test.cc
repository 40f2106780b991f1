// SPDX-License-Identifier: Apache-2.0
#include "master/partial_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "proto/config.pb.h"
#include "tests/master/inproc_cluster.h"

namespace sluice::master {
namespace {

using testing::HasSubstr;

constexpr char kGraph[] = R"(
    x = Placeholder[dtype=int32, shape=?] ; y = Placeholder[dtype=int32, shape=?]
    a = Neg(x) @ps:0 ; b = Mul(a, y) @w:0 ; p = Placeholder[dtype=bool, shape=?]
    s = Switch(x, p) @ps:0 ; bad = Reshape(x, y) @ps:0)";

// One RunStep of a partial run in progress.
struct Part {
  absl::Notification ended;
  CancelToken cancel;
  absl::StatusOr<transport::RunStepResult> result = absl::UnknownError("no answer");

  std::string Text() {
    if (!ended.WaitForNotificationWithTimeout(absl::Seconds(20))) return "no answer";
    if (!result.ok()) return result.status().ToString();
    std::string text;
    for (const Tensor& value : result->fetches)
      absl::StrAppend(&text, text.empty() ? "" : " ", value.scalar<int32_t>());
    return text;
  }
};

class PartialRunTest : public testing::Test {
 protected:
  PartialRunTest() { EXPECT_TRUE(client_.Create(kGraph).ok()); }

  std::string SetUpRun(std::vector<std::string> feeds, std::vector<std::string> fetches,
                       std::vector<std::string> targets = {}) {
    absl::Notification came;
    std::string handle;
    cluster_.master().SetUpPartialRun(
        {client_.session, std::move(feeds), std::move(fetches), std::move(targets)}, {},
        [&](absl::StatusOr<std::string> answer) {
          EXPECT_TRUE(answer.ok()) << answer.status();
          handle = answer.value_or("");
          came.Notify();
        });
    came.WaitForNotification();
    return handle;
  }
  std::shared_ptr<Part> Start(const std::string& handle, Client::Feeds feeds,
                              std::vector<std::string> fetches, int64_t timeout_ms = 0) {
    auto part = std::make_shared<Part>();
    transport::RunStepRequest request;
    request.session = client_.session;
    request.feeds = std::move(feeds);
    request.fetches = std::move(fetches);
    request.options.timeout_ms = timeout_ms;
    request.partial_run = handle;
    transport::CallOptions options;
    options.cancel = &part->cancel;
    cluster_.master().RunStep(std::move(request), options,
                              [part](absl::StatusOr<transport::RunStepResult> result) {
                                part->result = std::move(result);
                                part->ended.Notify();
                              });
    return part;
  }
  std::string Run(const std::string& handle, Client::Feeds feeds,
                  std::vector<std::string> fetches) {
    return Start(handle, std::move(feeds), std::move(fetches))->Text();
  }

  InprocCluster cluster_{{kW, kPs}};
  Client client_{&cluster_.master()};
};

TEST_F(PartialRunTest, FeedsAndFetchesComeInSeveralCalls) {
  for (int i = 0; i < 10; ++i) {
    const std::string handle = SetUpRun({"x:0", "y:0"}, {"a:0", "b:0"});
    EXPECT_EQ(handle, absl::StrCat(i));
    EXPECT_EQ(Run(handle, {{"x:0", Int(i)}}, {"a:0"}), absl::StrCat(-i));
    EXPECT_EQ(Run(handle, {{"y:0", Int(10)}}, {"b:0"}), absl::StrCat(-10 * i));
    EXPECT_THAT(Run(handle, {}, {"b:0"}), HasSubstr("Must run PartialRunSetup"));
  }
}

TEST_F(PartialRunTest, RefusedCallsChangeNothing) {
  const std::string handle = SetUpRun({"x:0", "y:0"}, {"a:0", "b:0"});
  EXPECT_THAT(Run(handle, {{"x:0", Int(1)}}, {"b:0"}), HasSubstr("Fetch y:0 can't be computed"));
  EXPECT_THAT(Run(handle, {{"p:0", Int(1)}}, {}), HasSubstr("was not specified"));
  EXPECT_THAT(Run(handle, {}, {"s:0"}), HasSubstr("was not specified"));
  EXPECT_THAT(Run(handle, {{"x:0", Tensor::Scalar<float>(1)}}, {}), HasSubstr("must be int32"));
  EXPECT_THAT(Run(handle, {{"x:0", Int(1)}, {"x:0", Int(2)}}, {}), HasSubstr("already been fed"));
  EXPECT_EQ(Run(handle, {{"x:0", Int(1)}}, {"a:0"}), "-1");
  EXPECT_THAT(Run(handle, {{"x:0", Int(1)}}, {}), HasSubstr("already been fed"));
  EXPECT_THAT(Run(handle, {}, {"a:0"}), HasSubstr("already been fetched"));
  EXPECT_EQ(Run(handle, {{"y:0", Int(2)}}, {"b:0"}), "-2");
}

TEST_F(PartialRunTest, AFailedStepIsReportedOnce) {
  const std::string handle = SetUpRun({"x:0", "y:0"}, {"a:0", "bad:0"});
  EXPECT_EQ(Run(handle, {{"x:0", Int(1)}}, {"a:0"}), "-1");
  Tensor shape = Tensor::Vector<int32_t>({3});
  const std::string error = Run(handle, {{"y:0", shape}}, {"bad:0"});
  EXPECT_THAT(error, HasSubstr("INVALID_ARGUMENT"));
  EXPECT_THAT(error, HasSubstr("{{node bad}}"));
  EXPECT_THAT(Run(handle, {}, {}), HasSubstr("Must run PartialRunSetup"));
  EXPECT_EQ(client_.Fetch({{"x:0", Int(3)}}, "a:0"), "-3") << "the session goes on";
}

TEST_F(PartialRunTest, AFetchOfADeadTensorEndsTheRun) {
  const std::string handle = SetUpRun({"x:0", "p:0"}, {"s:0"});
  EXPECT_THAT(Run(handle, {{"x:0", Int(1)}, {"p:0", Tensor::Scalar<bool>(true)}}, {"s:0"}),
              HasSubstr("The tensor returned for s:0 was not valid."));
}

TEST_F(PartialRunTest, ACallThatIsCancelledEndsTheRun) {
  const std::string handle = SetUpRun({"x:0", "y:0"}, {"a:0", "b:0"}, {"b"});
  EXPECT_EQ(Run(handle, {{"x:0", Int(1)}}, {}), "");
  auto part = Start(handle, {{"y:0", Int(2)}}, {"b:0"});
  part->cancel.Cancel(absl::CancelledError("enough"));
  const std::string text = part->Text();
  EXPECT_TRUE(text == "-2" || text.find("enough") != std::string::npos) << text;
}

TEST_F(PartialRunTest, ClosingTheSessionEndsWhatWasBegun) {
  const std::string handle = SetUpRun({"x:0", "y:0"}, {"a:0", "b:0"});
  EXPECT_EQ(Run(handle, {{"x:0", Int(1)}}, {"a:0"}), "-1");
  const absl::Time start = absl::Now();
  EXPECT_TRUE(client_.Close().ok());
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
}

TEST_F(PartialRunTest, ConnectionsOfCallables) {
  auto callable = client_.MakeCallable({"", {"x:0"}, {"b:0"}, {}, {{"x:0", "y:0"}}, {}});
  ASSERT_TRUE(callable.ok()) << callable.status();
  auto result = client_.RunCallable(*callable, {Int(5)});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ((*result)[0].scalar<int32_t>(), -25);
  EXPECT_TRUE(client_.ReleaseCallable(*callable).ok());
  EXPECT_FALSE(client_.RunCallable(*callable, {Int(5)}).ok());
  EXPECT_THAT(client_.MakeCallable({"", {}, {"b:0"}, {}, {{"b:0", "x:0"}}, {}}).status().ToString(),
              HasSubstr("would create a cycle"));
}

}  // namespace
}  // namespace sluice::master
