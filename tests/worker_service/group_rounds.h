// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_WORKER_SERVICE_GROUP_ROUNDS_H_
#define SLUICE_TESTS_WORKER_SERVICE_GROUP_ROUNDS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/worker_service/group_cluster.h"

// Steps and rounds of all members of a GroupCluster.
namespace sluice::worker {

inline std::string Device(int task) {
  return absl::StrCat(GroupCluster::NameOf(task), "/device:CPU:0");
}

using Steps = std::vector<std::unique_ptr<GroupCluster::Step>>;

inline Steps StepsOf(GroupCluster& cluster, int members, const std::string& session = "s") {
  Steps steps;
  for (int task = 0; task < members; ++task) steps.push_back(cluster.NewStep(task, session));
  return steps;
}

// All members run an all-reduce of their rank + 1.
inline void RunRound(GroupCluster& cluster, int members, const std::string& session = "s") {
  Steps steps = StepsOf(cluster, members, session);
  for (size_t i = 0; i < steps.size(); ++i) steps[i]->Begin({static_cast<float>(i + 1)}, members);
  for (const auto& step : steps) {
    ASSERT_EQ(step->Wait(), absl::OkStatus());
    EXPECT_THAT(step->values(),
                testing::ElementsAre(static_cast<float>(members * (members + 1)) / 2));
  }
}

inline absl::Status ErrorOf(GroupCluster::Step& step) {
  absl::Status status = step.Wait();
  EXPECT_FALSE(status.ok());
  return status;
}

}  // namespace sluice::worker

#endif  // SLUICE_TESTS_WORKER_SERVICE_GROUP_ROUNDS_H_
