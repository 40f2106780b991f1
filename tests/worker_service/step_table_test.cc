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

}  // namespace
}  // namespace sluice::worker
