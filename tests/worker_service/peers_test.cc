// SPDX-License-Identifier: Apache-2.0
#include "worker_service/peers/peers.h"

#include <gtest/gtest.h>

#include "absl/time/clock.h"

namespace sluice::worker {
namespace {

constexpr char kPs[] = "/job:ps/replica:0/task:0";

std::string Of(const std::string& session) { return absl::StrCat(kPs, "#", session); }

TEST(PeersTest, ASessionsTasksComeAndGo) {
  const transport::ReturnPaths returns;
  Peers peers({{kPs, "host:1"}}, nullptr, &returns);
  auto boot = peers.Find(kPs);
  ASSERT_TRUE(boot.ok()) << boot.status();
  EXPECT_FALSE(peers.Find(Of("a")).ok());
  ASSERT_TRUE(peers.Add({Of("a"), "host:2", "me#a"}).ok());
  ASSERT_TRUE(peers.Add({Of("b"), "host:3", "me#b"}).ok());
  auto a = peers.Find(Of("a"));
  auto b = peers.Find(Of("b"));
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_NE(*a, *b);
  EXPECT_NE(*a, *boot);
  peers.RemoveOf("a");
  EXPECT_FALSE(peers.Find(Of("a")).ok());
  EXPECT_EQ(peers.Channel(*a).status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(*peers.Find(Of("b")), *b);
  EXPECT_EQ(*peers.Find(kPs), *boot);
}

TEST(PeersTest, NumbersAreUsedAgainOnceNobodyCanUseThem) {
  const transport::ReturnPaths returns;
  Peers peers({}, nullptr, &returns);
  int most = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string session = absl::StrCat(i);
    ASSERT_TRUE(peers.Add({Of(session), "host:1", "me"}).ok());
    most = std::max(most, *peers.Find(Of(session)));
    peers.RemoveOf(session);
    if (i % 10 == 9) peers.Sweep(absl::Now() + absl::Seconds(1));
  }
  EXPECT_LT(most, 10);
}

TEST(PeersTest, ThereMayBeMany) {
  const transport::ReturnPaths returns;
  Peers peers({}, nullptr, &returns);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(peers.Add({Of(absl::StrCat(i)), "host:1", "me"}).ok());
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(*peers.Find(Of(absl::StrCat(i))), i);
}

}  // namespace
}  // namespace sluice::worker
