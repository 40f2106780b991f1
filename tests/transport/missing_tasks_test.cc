// SPDX-License-Identifier: Apache-2.0
#include "transport/missing_tasks.h"

#include <gtest/gtest.h>

namespace sluice::transport {
namespace {

const MissingTask kPs = {"/job:ps/replica:0/task:0", "a:1", Unavailable("refused; again")};
const MissingTask kWorker = {"/job:worker/replica:0/task:1", "b:2", Unavailable("no such host")};

TEST(MissingTasksTest, AnErrorNamesTasksAddressesAndLastErrors) {
  EXPECT_EQ(TasksMissing({kPs, kWorker}, 3).message(),
            "no answer from /job:ps/replica:0/task:0 at a:1, /job:worker/replica:0/task:1 at b:2; "
            "1 of 3 tasks are ready; /job:ps/replica:0/task:0: refused; again; "
            "/job:worker/replica:0/task:1: no such host");
}

TEST(MissingTasksTest, TheNamesAreReadFromTheMessageWhateverItsCode) {
  const absl::Status missing = TasksMissing({kPs, kWorker}, 3);
  EXPECT_EQ(NamesOfMissingTasks(Aborted(missing.message())),
            "/job:ps/task:0 at a:1, /job:worker/task:1 at b:2");
  EXPECT_EQ(NamesOfMissingTasks(Unavailable("no answer from the oracle")), "");
  EXPECT_EQ(NamesOfMissingTasks(absl::OkStatus()), "");
}

}  // namespace
}  // namespace sluice::transport
