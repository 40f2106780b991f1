// SPDX-License-Identifier: Apache-2.0
#include "server/short_slices.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

namespace sluice::server {
namespace {

int NiceHere() { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); }

TEST(ShortSlicesTest, AreThoseOfThreadsStartedLaterWithTheirPriority) {
  std::thread([] {
    const int nice = NiceHere() + 1;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);
    const bool tells = SliceHere() > absl::ZeroDuration();
    UseShortSlices();
    std::thread([&] {
      EXPECT_EQ(NiceHere(), nice);
      EXPECT_EQ(SliceHere(), tells ? kShortSlice : absl::ZeroDuration());
    }).join();
  }).join();
}

}  // namespace
}  // namespace sluice::server
