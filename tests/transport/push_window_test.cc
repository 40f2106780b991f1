// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/push_window.h"

#include "gtest/gtest.h"

namespace sluice::transport {
namespace {

constexpr StepId kStep{1, 1}, kOther{1, 2};
using Verdict = PushWindow::Verdict;

// Counts as 1000 against the credit.
Parcel Thousand() { return {Tensor(kUint8, Shape{1000 - ParcelBytes({})})}; }
ParcelId Id(uint64_t edge, StepId step = kStep) { return {step, EdgeKey{edge, 0, 0, 0}}; }

Verdict Send(PushWindow& window, uint64_t edge, StepId step = kStep) {
  Parcel parcel = Thousand();
  return window.Send(Id(edge, step), parcel);
}

TEST(PushWindowTest, PushesUpToTheCreditAndAnnouncesBeyond) {
  PushWindow window(2500);
  EXPECT_EQ(Send(window, 1), Verdict::kPush);
  EXPECT_EQ(Send(window, 2), Verdict::kPush);
  EXPECT_EQ(Send(window, 3), Verdict::kAnnounce);
  EXPECT_EQ(window.in_flight(kStep), 2000);
  EXPECT_EQ(window.kept(), 1u);
  const auto freed = window.Consumed(kStep, 1000);
  ASSERT_EQ(freed.size(), 1u);
  EXPECT_EQ(freed[0].first, Id(3));
  EXPECT_EQ(window.in_flight(kStep), 2000);
  EXPECT_TRUE(window.Consumed(kStep, 1000).empty());
  EXPECT_EQ(Send(window, 4), Verdict::kPush);
}

TEST(PushWindowTest, RoomGoesToTheOldest) {
  PushWindow window(2000);
  for (int i = 0; i < 10; ++i) Send(window, i);
  ASSERT_TRUE(window.Pull(Id(2)).has_value());
  EXPECT_TRUE(window.Consumed(kStep, 1000).empty()) << "the pulled one took it";
  const auto freed = window.Consumed(kStep, 2000);
  ASSERT_EQ(freed.size(), 2u);
  EXPECT_EQ(freed[0].first, Id(3));
  EXPECT_EQ(freed[1].first, Id(4));
  window.EndStep(kStep);
  for (int i = 5; i < 10; ++i) window.Consumed(kStep, 1000);
  EXPECT_EQ(window.kept(), 0u);
  EXPECT_EQ(window.steps(), 0u);
}

TEST(PushWindowTest, StepsHaveCreditOfTheirOwn) {
  PushWindow window(1000);
  EXPECT_EQ(Send(window, 1), Verdict::kPush);
  EXPECT_EQ(Send(window, 1, kOther), Verdict::kPush);
  EXPECT_EQ(Send(window, 2), Verdict::kAnnounce);
}

TEST(PushWindowTest, OneTensorLargerThanTheCreditGoesAlone) {
  PushWindow window(10);
  EXPECT_EQ(Send(window, 1), Verdict::kPush);
  EXPECT_EQ(Send(window, 2), Verdict::kAnnounce);
  EXPECT_EQ(Send(window, 3), Verdict::kAnnounce);
  EXPECT_EQ(window.Consumed(kStep, 1000).size(), 1u);
  ASSERT_TRUE(window.Pull(Id(3)).has_value());
  window.Consumed(kStep, 2000);
  EXPECT_EQ(Send(window, 4), Verdict::kPush);
}

TEST(PushWindowTest, PulledTensorsGoWhateverTheCredit) {
  PushWindow window(1000);
  EXPECT_EQ(Send(window, 1), Verdict::kPush);
  EXPECT_EQ(Send(window, 2), Verdict::kAnnounce);
  EXPECT_TRUE(window.Pull(Id(2)).has_value());
  EXPECT_FALSE(window.Pull(Id(2)).has_value());
  EXPECT_FALSE(window.Pull(Id(9)).has_value());
  EXPECT_EQ(window.in_flight(kStep), 2000);
}

TEST(PushWindowTest, ALocalEndKeepsTensorsThatThePeerMayPull) {
  PushWindow window(1000);
  Send(window, 1);
  Send(window, 2);
  window.EndStep(kStep);
  EXPECT_TRUE(window.Pull(Id(2)).has_value());
  EXPECT_EQ(window.steps(), 0u);
  Send(window, 1, kOther);
  window.EndStep(kOther);
  EXPECT_EQ(window.steps(), 0u);
}

TEST(PushWindowTest, APeersEndDropsKeptAndLaterTensors) {
  PushWindow window(1000);
  Send(window, 1);
  Send(window, 2);
  window.PeerEndStep(kStep);
  EXPECT_EQ(window.kept(), 0u);
  EXPECT_EQ(Send(window, 3), Verdict::kDrop);
  window.EndStep(kStep);
  EXPECT_EQ(window.steps(), 0u);
  window.PeerEndStep(kOther);
  EXPECT_EQ(window.steps(), 0u) << "a step nobody knows here leaves no trace";
}

TEST(PushWindowTest, AForgedCreditGivesNoMoreThanAll) {
  PushWindow window(1000);
  Send(window, 1);
  window.Consumed(kStep, int64_t{1} << 62);
  window.Consumed(kStep, -5000);
  window.Consumed(kOther, 1);
  EXPECT_EQ(window.in_flight(kStep), 0);
  EXPECT_EQ(window.steps(), 1u);
}

TEST(PushWindowTest, StringsCountTheirBytes) {
  EXPECT_GT(ParcelBytes({Tensor::Scalar<std::string>(std::string(5000, 'x'))}), 5000);
  EXPECT_GT(ParcelBytes({Tensor(), true}), 0);
}

}  // namespace
}  // namespace sluice::transport
