// SPDX-License-Identifier: Apache-2.0
#include "worker_service/step_table.h"

#include <gtest/gtest.h>

#include "absl/time/clock.h"

namespace sluice::worker {
namespace {

using transport::StepId;

constexpr uint64_t kMaster = 7;

class StepTableTest : public testing::Test {
 protected:
  transport::ReturnPaths returns_;
  Peers peers_{{}, nullptr, &returns_};
  StepTable table_{&peers_};
};

TEST_F(StepTableTest, TensorsMayComeBeforeTheStep) {
  const auto waiting = table_.FindOrExpect({kMaster, 1});
  EXPECT_EQ(table_.size(), 1u);
  auto begun = table_.Begin({kMaster, 1}, 1);
  ASSERT_TRUE(begun.ok());
  EXPECT_EQ(*begun, waiting);
  EXPECT_EQ(table_.FindOrExpect({kMaster, 1}), waiting);
  table_.End({kMaster, 1});
  EXPECT_EQ(table_.size(), 0u);
}

TEST_F(StepTableTest, AnEndedStepStaysEnded) {
  ASSERT_TRUE(table_.Begin({kMaster, 1}, 1).ok());
  EXPECT_EQ(table_.Begin({kMaster, 1}, 1).status().code(), absl::StatusCode::kAborted)
      << "it runs already";
  table_.End({kMaster, 1});
  table_.End({kMaster, 1});
  EXPECT_EQ(table_.FindOrExpect({kMaster, 1}), nullptr);
  EXPECT_EQ(table_.Begin({kMaster, 1}, 1).status().code(), absl::StatusCode::kAborted);
  EXPECT_NE(table_.FindOrExpect({kMaster + 1, 1}), nullptr)
      << "another master's numbers are its own";
}

TEST_F(StepTableTest, OldestLiveEndsEarlierSteps) {
  ASSERT_NE(table_.FindOrExpect({kMaster, 3}), nullptr);
  ASSERT_NE(table_.FindOrExpect({kMaster, 5}), nullptr);
  ASSERT_NE(table_.FindOrExpect({kMaster + 1, 3}), nullptr);
  ASSERT_TRUE(table_.Begin({kMaster, 4}, 1).ok());
  ASSERT_TRUE(table_.Begin({kMaster, 9}, 5).ok());
  EXPECT_EQ(table_.FindOrExpect({kMaster, 3}), nullptr);
  EXPECT_NE(table_.FindOrExpect({kMaster, 4}), nullptr) << "one that runs goes on";
  EXPECT_NE(table_.FindOrExpect({kMaster, 5}), nullptr);
  EXPECT_EQ(table_.Begin({kMaster, 2}, 5).status().code(), absl::StatusCode::kAborted);
  table_.End({kMaster, 4});
  EXPECT_EQ(table_.FindOrExpect({kMaster, 4}), nullptr);
  EXPECT_NE(table_.FindOrExpect({kMaster + 1, 3}), nullptr);
}

TEST_F(StepTableTest, StepsOfASilentMasterExpire) {
  ASSERT_NE(table_.FindOrExpect({kMaster, 1}), nullptr);
  ASSERT_TRUE(table_.Begin({kMaster + 1, 1}, 1).ok());
  ASSERT_NE(table_.FindOrExpect({kMaster + 1, 2}), nullptr);
  table_.Expire(absl::Now() - absl::Seconds(60));
  EXPECT_EQ(table_.size(), 3u) << "nothing is that old";
  table_.Expire(absl::Now() + absl::Seconds(1));
  EXPECT_EQ(table_.size(), 1u) << "only what runs stays";
}

TEST_F(StepTableTest, AnActiveMasterKeepsItsWaitingSteps) {
  ASSERT_NE(table_.FindOrExpect({kMaster, 2}), nullptr);
  const absl::Time limit = absl::Now();
  ASSERT_TRUE(table_.Begin({kMaster, 1}, 1).ok());
  table_.Expire(limit);
  EXPECT_EQ(table_.size(), 2u);
}

TEST_F(StepTableTest, SilentMastersAreRemoved) {
  for (uint64_t master = 1; master <= 100; ++master) {
    ASSERT_TRUE(table_.Begin({master, 1}, 1).ok());
    table_.End({master, 1});
  }
  ASSERT_TRUE(table_.Begin({200, 1}, 1).ok());
  EXPECT_EQ(table_.masters(), 101u);
  table_.Expire(absl::Now() - absl::Seconds(60));
  EXPECT_EQ(table_.masters(), 101u);
  table_.Expire(absl::Now() + absl::Seconds(1));
  EXPECT_EQ(table_.masters(), 1u) << "only the one whose step runs";
}

// A tensor, and whether its memory is still held.
struct Watched {
  std::shared_ptr<int> held = std::make_shared<int>();
  Parcel parcel{Tensor(kUint8, Shape{4}, Buffer::Borrow(bytes, 4, [held = held] {}))};
  bool freed() const { return held.use_count() == 1; }
  static inline char bytes[4] = {};
};

TEST_F(StepTableTest, TensorsForStepsThatNobodyRunsGoWithTheirStream) {
  Watched of_a, of_b, of_both;
  const StepId brought_by_a{kMaster, 1}, brought_by_b{kMaster, 2}, both{kMaster, 3};
  table_.Keep(brought_by_a, "a", 4)->Arrived({1}, std::move(of_a.parcel));
  table_.Keep(brought_by_b, "b", 4)->Arrived({1}, std::move(of_b.parcel));
  table_.Keep(both, "a", 0)->Announced(0, {2});
  table_.Keep(both, "b", 4)->Arrived({1}, std::move(of_both.parcel));
  table_.Broken("a", absl::UnavailableError("a is gone"));
  EXPECT_TRUE(of_a.freed());
  EXPECT_FALSE(of_b.freed());
  EXPECT_TRUE(of_both.freed()) << "it cannot become whole";
  EXPECT_EQ(table_.FindOrExpect(brought_by_a), nullptr) << "what comes late is dropped";
  EXPECT_EQ(table_.Keep(brought_by_a, "b", 4), nullptr);
  // The run begins later, and learns why it cannot have its tensors.
  const auto begun = table_.Begin(brought_by_a, 1);
  ASSERT_TRUE(begun.ok());
  absl::Status got;
  (*begun)->Recv({1}, 0, [&](absl::StatusOr<Parcel> parcel) { got = parcel.status(); });
  EXPECT_EQ(got, absl::UnavailableError("a is gone"));
}

TEST_F(StepTableTest, AStepThatRunsKeepsItsTensors) {
  Watched early, late;
  table_.Keep({kMaster, 1}, "a", 4)->Arrived({1}, std::move(early.parcel));
  ASSERT_TRUE(table_.Begin({kMaster, 1}, 1).ok());
  table_.Keep({kMaster, 1}, "a", 4)->Arrived({2}, std::move(late.parcel));
  table_.Broken("a", absl::UnavailableError("a is gone"));
  EXPECT_FALSE(early.freed());
  EXPECT_FALSE(late.freed());
}

TEST_F(StepTableTest, TheBytesForWaitingStepsAreLimited) {
  StepTable table(&peers_, /*limit=*/10'000);
  Watched first;
  table.Keep({kMaster, 1}, "a", 5000)->Arrived({1}, std::move(first.parcel));
  EXPECT_EQ(table.Keep({kMaster, 1}, "a", 5000), nullptr);
  EXPECT_TRUE(first.freed());
  const auto begun = table.Begin({kMaster, 1}, 1);
  ASSERT_TRUE(begun.ok());
  absl::Status got;
  (*begun)->Recv({1}, Rendezvous::kLocal,
                 [&](absl::StatusOr<Parcel> parcel) { got = parcel.status(); });
  EXPECT_TRUE(absl::IsResourceExhausted(got)) << got;
  table.End({kMaster, 1});
  ASSERT_TRUE(table.Begin({kMaster, 100}, 1).ok());
  EXPECT_NE(table.Keep({kMaster, 100}, "a", 1 << 20), nullptr) << "it runs";
  // Their number is limited too: what runs, ends or expires makes room.
  uint64_t number = 2;
  while (table.Keep({kMaster, number}, "a", 1) != nullptr) ++number;
  EXPECT_LT(number, 20u);
  EXPECT_TRUE(absl::IsAborted(table.Begin({kMaster, number}, 1).status()));
  ASSERT_TRUE(table.Begin({kMaster, 2}, 1).ok());
  EXPECT_NE(table.Keep({kMaster, number + 1}, "a", 1), nullptr);
}

}  // namespace
}  // namespace sluice::worker
