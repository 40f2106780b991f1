// SPDX-License-Identifier: Apache-2.0
#include "worker_service/tensorflow_master.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "absl/synchronization/blocking_counter.h"
#include "graph/all_ops.h"
#include "kernels/register.h"
#include "transport/tensorflow_server.h"
#include "worker_service/worker.h"

namespace sluice::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using transport::CallOptions;

constexpr char kPs[] = "/job:ps/replica:0/task:0";
constexpr char kW0[] = "/job:worker/replica:0/task:0";
constexpr char kW1[] = "/job:worker/replica:0/task:1";

// Answers what kind of server it is; no other calls are made.
class Answering final : public transport::WorkerApi {
 public:
  Answering(absl::Status status, std::atomic<int>* asked)
      : status_(std::move(status)), asked_(asked) {}
  void GetStatus(const CallOptions&, transport::Reply<transport::TaskStatus> done) override {
    ++*asked_;
    if (!status_.ok()) return done(status_);
    done(transport::TaskStatus());
  }
  void CreateSession(const transport::CreateWorkerSession&, const CallOptions&,
                     transport::Ack) override {}
  void DeleteSession(const std::string&, const CallOptions&, transport::Ack) override {}
  void Register(const transport::RegisterGraph&, const CallOptions&,
                transport::Reply<uint64_t>) override {}
  void Deregister(const std::string&, uint64_t, const CallOptions&, transport::Ack) override {}
  void Run(transport::RunGraph, const CallOptions&,
           transport::Reply<transport::RunGraphResult>) override {}
  void ClearContainers(const std::vector<std::string>&, const CallOptions&,
                       transport::Ack) override {}

 private:
  const absl::Status status_;
  std::atomic<int>* const asked_;
};

class Peers final : public transport::Connector {
 public:
  std::map<std::string, absl::Status> answers;  // of tasks that can be connected to
  std::atomic<int> asked{0};
  void Attach(transport::TensorSink*) override {}
  absl::StatusOr<std::unique_ptr<transport::WorkerApi>> ConnectWorker(
      const transport::PeerAddress& peer) override {
    if (!answers.contains(peer.task)) return Unavailable("nobody is at ", peer.address);
    return std::make_unique<Answering>(answers[peer.task], &asked);
  }
  absl::StatusOr<std::shared_ptr<transport::TensorChannel>> ConnectChannel(
      const transport::PeerAddress& peer) override {
    return Unavailable("no channel to ", peer.task);
  }
};

class TensorFlowMasterTest : public testing::Test {
 protected:
  std::string Refusal(const std::string& master) {
    const absl::Status status =
        RefuseTensorFlowMaster(kPs, master, {{kW0, "a:1"}, {kW1, "b:2"}}, &transport_);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    return std::string(status.message());
  }
  Peers transport_;
};

TEST_F(TensorFlowMasterTest, NamesTheMasterAndItself) {
  EXPECT_THAT(Refusal(kW1),
              AllOf(HasSubstr("task /job:worker/replica:0/task:1 at b:2 is a TensorFlow server"),
                    HasSubstr("task /job:ps/replica:0/task:0 is a Sluice server")));
  EXPECT_THAT(Refusal("/job:chief/replica:0/task:0"),
              HasSubstr("master /job:chief/replica:0/task:0 is a TensorFlow server"));
}

TEST_F(TensorFlowMasterTest, FindsAMasterThatSendsNoName) {
  transport_.answers[kW0] = absl::OkStatus();
  transport_.answers[kW1] = transport::MarkTensorFlowServer(FailedPrecondition("no Sluice"));
  EXPECT_THAT(Refusal(""), AllOf(HasSubstr("task /job:worker/replica:0/task:1 at b:2 is a"),
                                 Not(HasSubstr(kW0))));
}

TEST_F(TensorFlowMasterTest, RefusesWithoutAnAnswer) {
  transport_.answers[kW1] = Unavailable("connection refused");
  EXPECT_THAT(Refusal(""), HasSubstr("the master of the session is a TensorFlow server"));
}

TEST_F(TensorFlowMasterTest, ManyMastersCostFewCalls) {
  transport_.answers = {{kW0, transport::MarkTensorFlowServer(absl::UnknownError("another"))},
                        {kW1, absl::OkStatus()}};
  const std::unique_ptr<WorkQueue> pool = CreateThreadPool(2, "pool");
  Worker::Options options;
  options.task = kPs;
  options.devices.push_back(CreateCpuDevice(absl::StrCat(kPs, "/device:CPU:0"), nullptr));
  options.kernels = kernels::AllKernels();
  options.ops = &graph::AllOps();
  options.pool = pool.get();
  options.peers = {{kW0, "a:1"}, {kW1, "b:2"}};
  options.connector = &transport_;
  Worker worker(std::move(options));
  constexpr int kCalls = 1000;
  absl::BlockingCounter left(kCalls);
  transport::CreateWorkerSession request;
  request.from_tensorflow = true;
  for (int i = 0; i < kCalls; ++i) {
    worker.CreateSession(request, {}, [&](const absl::Status& refusal) {
      EXPECT_THAT(refusal.message(), HasSubstr("worker/replica:0/task:0 at a:1 is a TensorFlow"));
      left.DecrementCount();
    });
  }
  left.Wait();
  EXPECT_LT(transport_.asked, kCalls);
}

}  // namespace
}  // namespace sluice::worker
