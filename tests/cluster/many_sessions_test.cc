// SPDX-License-Identifier: Apache-2.0
// Sessions opened and closed leave nothing behind. SLUICE_SESSIONS sets how many.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "client/session.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "tests/cluster/two_tasks.h"
#include "transport/master_api.h"
#include "transport/pending_reply.h"
#include "transport/rpc/connect.h"

namespace sluice {
namespace {

struct Footprint {
  int64_t resident_kb = 0, threads = 0, descriptors = 0;

  static Footprint Now() {
    malloc_trim(0);
    Footprint now;
    std::ifstream file("/proc/self/statm");
    int64_t pages = 0;
    file >> pages >> pages;
    now.resident_kb = pages * 4;
    const auto count = [](const char* folder) {
      const std::filesystem::directory_iterator entries(folder);
      return std::distance(begin(entries), end(entries));
    };
    now.threads = count("/proc/self/task");
    now.descriptors = count("/proc/self/fd");
    return now;
  }
};

std::ostream& operator<<(std::ostream& out, const Footprint& f) {
  return out << f.resident_kb << " kB, " << f.threads << " threads, " << f.descriptors
             << " descriptors";
}

Tensor Float(float value) { return Tensor::Scalar<float>(value); }

// Uses a session in every way: run, fail, partial run, callable, extend, abandoned partial run.
class Life {
 public:
  Life(transport::MasterApi& master, const client::Graph& graph) : master_(master) {
    auto def = std::make_shared<proto::GraphDef>();
    EXPECT_TRUE(graph.Export(0, def.get()).ok());
    graph_ = std::move(def);
  }

  void Live(int number) {
    transport::PendingReply<transport::CreateSessionResult> created;
    auto config = std::make_shared<proto::ConfigProto>();
    config->set_isolate_session_state(number % 3 == 0);
    master_.CreateSession({graph_, config, ""}, {}, created.reply());
    auto result = created.Wait();
    ASSERT_TRUE(result.ok()) << result.status();
    session_ = result->session;
    auto product = Run({{"x:0", Float(2)}, {"y:0", Float(3)}}, {"product:0"});
    ASSERT_TRUE(product.ok()) << product.status();
    EXPECT_EQ(product->fetches[0].scalar<float>(), 15);
    EXPECT_TRUE(Run({{"x:0", Float(1)}}, {"set:0"}).ok());
    EXPECT_TRUE(Run({}, {"read:0"}).ok());
    if (number % 4 == 1) {
      EXPECT_FALSE(Run({{"x:0", Float(1)}}, {"product:0"}).ok());
    }
    if (number % 4 == 2) RunInParts(/*finish=*/number % 8 == 2);
    if (number % 4 == 3) Call(/*release=*/number % 8 == 3);
    absl::Notification closed;
    master_.CloseSession(session_, {}, [&](const absl::Status& status) {
      EXPECT_TRUE(status.ok()) << status;
      closed.Notify();
    });
    closed.WaitForNotification();
  }

 private:
  absl::StatusOr<transport::RunStepResult> Run(std::vector<transport::NamedTensor> feeds,
                                               std::vector<std::string> fetches,
                                               std::string partial_run = "") {
    transport::PendingReply<transport::RunStepResult> ran;
    master_.RunStep(
        {session_, std::move(feeds), std::move(fetches), {}, {}, std::move(partial_run)}, {},
        ran.reply());
    return ran.Wait();
  }
  void RunInParts(bool finish) {
    transport::PendingReply<std::string> set_up;
    master_.SetUpPartialRun({session_, {"x:0", "y:0"}, {"sum:0", "product:0"}, {}}, {},
                            set_up.reply());
    auto handle = set_up.Wait();
    ASSERT_TRUE(handle.ok()) << handle.status();
    EXPECT_TRUE(Run({{"x:0", Float(2)}, {"y:0", Float(3)}}, {"sum:0"}, *handle).ok());
    if (finish) {
      EXPECT_TRUE(Run({}, {"product:0"}, *handle).ok());
    }
  }
  void Call(bool release) {
    transport::PendingReply<int64_t> made;
    master_.MakeCallable({session_, {"x:0"}, {"sum:0"}, {}, {{"x:0", "y:0"}}, {}}, {},
                         made.reply());
    auto handle = made.Wait();
    ASSERT_TRUE(handle.ok()) << handle.status();
    transport::PendingReply<transport::RunStepResult> ran;
    master_.RunCallable({session_, *handle, {Float(4)}}, {}, ran.reply());
    auto result = ran.Wait();
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->fetches[0].scalar<float>(), 8);
    if (!release) return;
    absl::Notification released;
    master_.ReleaseCallable(session_, *handle, {}, [&](const absl::Status&) { released.Notify(); });
    released.WaitForNotification();
  }

  transport::MasterApi& master_;
  std::shared_ptr<const proto::GraphDef> graph_;
  std::string session_;
};

TEST(ManySessionsTest, OpenedAndClosedTheyLeaveNothing) {
  const char* wanted = std::getenv("SLUICE_SESSIONS");
  const int sessions = wanted != nullptr ? std::atoi(wanted) : 400;
  TwoTasks tasks;
  auto master = transport::ConnectGrpcMaster(tasks.target());
  ASSERT_TRUE(master.ok()) << master.status();
  const auto graph = SmallGraph();
  Life life(**master, *graph);
  Footprint before;
  // The allocator's caches fill first: a thread keeps up to 2 MiB of each size of small tensors.
  const int warm_up = sessions / 2;
  for (int i = 0; i < sessions; ++i) {
    if (i == warm_up) before = Footprint::Now();
    if (i > 0 && i % 1000 == 0) std::cout << i << " sessions: " << Footprint::Now() << std::endl;
    ASSERT_NO_FATAL_FAILURE(life.Live(i)) << "session " << i;
  }
  const Footprint after = Footprint::Now();
  std::cout << sessions << " sessions: " << before << " -> " << after << "\n";
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(after.resident_kb, before.resident_kb + 8 * 1024);
#endif
  EXPECT_LE(after.threads, before.threads + 4);
  EXPECT_LE(after.descriptors, before.descriptors + 4);
}

}  // namespace
}  // namespace sluice
