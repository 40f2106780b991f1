// SPDX-License-Identifier: Apache-2.0
// 2,000 training steps take no more memory, threads, streams or events than 200 do. Steps copy only
// what is fed and fetched.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "client/ops/math.h"
#include "tests/cuda_double/session/mlp.h"
#include "tests/cuda_double/session/session_fixture.h"

namespace sluice::cuda_double {
namespace {

constexpr int kWarm = 200, kSteps = 2000;
constexpr int64_t kMostGrowth = 8 * kMiB;  // of the resident memory
constexpr int64_t kMoreEvents = 2;         // in flight by chance

int64_t Threads() {
  using Entries = std::filesystem::directory_iterator;
  return std::distance(Entries("/proc/self/task"), Entries());
}

int64_t ResidentBytes() {
  int64_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST_F(GpuSessionTest, AConstantIsUploadedOnce) {
  client::Graph graph;
  const client::Scope scope = client::Scope(&graph).On(kGpu);
  const auto large = client::Constant(scope, Tensor(kFloat, Shape{1000}));
  const auto negated = client::ops::Neg(scope, large);
  ASSERT_TRUE(scope.status().ok()) << scope.status();
  auto session = Open(graph);
  ASSERT_TRUE(session->Run({}, {}, {negated.node->name()}).ok());
  const int64_t copies = CountAll().copies, launches = CountAll().launches;
  EXPECT_GT(copies, 0);
  for (int step = 0; step < 3; ++step)
    ASSERT_TRUE(session->Run({}, {}, {negated.node->name()}).ok());
  EXPECT_EQ(CountAll().copies, copies);
  EXPECT_EQ(CountAll().launches, launches + 3);
}

TEST_F(GpuSessionTest, TwoThousandStepsStayFlat) {
  const Mlp mlp;
  auto session = Open(mlp.graph());
  ASSERT_TRUE(mlp.Init(*session).ok());
  Counts warm;
  int64_t threads = 0, resident = 0;
  float first = 0, last = 0;
  for (int step = 0; step < kSteps; ++step) {
    const auto loss = mlp.Step(*session);
    ASSERT_TRUE(loss.ok()) << loss.status();
    if (step == 0) first = *loss;
    last = *loss;
    if (step != kWarm) continue;
    warm = CountAll();
    threads = Threads();
    resident = ResidentBytes();
  }
  EXPECT_LT(last, first);
  const Counts now = CountAll();
  EXPECT_EQ(now.device_bytes, warm.device_bytes);
  EXPECT_EQ(now.device_allocations, warm.device_allocations);
  EXPECT_EQ(now.pinned_bytes, warm.pinned_bytes);
  EXPECT_EQ(now.streams, warm.streams);
  EXPECT_LE(now.events, warm.events + kMoreEvents);
  EXPECT_EQ(Threads(), threads);
  RecordProperty("resident_growth_kib", static_cast<int>((ResidentBytes() - resident) >> 10));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LE(ResidentBytes(), resident + kMostGrowth);
#endif
}

}  // namespace
}  // namespace sluice::cuda_double
