// SPDX-License-Identifier: Apache-2.0
#include "server/await_end.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace sluice::server {
namespace {

class AwaitEndTest : public testing::Test {
 protected:
  AwaitEndTest() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  ~AwaitEndTest() override { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  sigset_t signals_, before_;
};

TEST_F(AwaitEndTest, ASignalEndsTheWaitWithAndWithoutAParent) {
  for (const pid_t parent : {pid_t{0}, getppid()}) {
    pthread_kill(pthread_self(), SIGUSR1);
    EXPECT_EQ(AwaitEnd(signals_, parent), absl::StrCat("signal ", SIGUSR1));
  }
}

TEST_F(AwaitEndTest, AChangedParentEndsTheWait) {
  const pid_t gone = getppid() + 1;
  EXPECT_EQ(AwaitEnd(signals_, gone), absl::StrCat("the end of process ", gone));
}

}  // namespace
}  // namespace sluice::server
