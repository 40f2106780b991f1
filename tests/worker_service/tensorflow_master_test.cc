// SPDX-License-Identifier: Apache-2.0
#include "worker_service/tensorflow_master.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "transport/tensorflow_server.h"

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
  explicit Answering(absl::Status status) : status_(std::move(status)) {}
  void GetStatus(const CallOptions&, transport::Reply<transport::TaskStatus> done) override {
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
};

class Peers final : public transport::Connector {
 public:
  std::map<std::string, absl::Status> answers;  // of tasks that can be connected to
  void Attach(transport::TensorSink*) override {}
  absl::StatusOr<std::unique_ptr<transport::WorkerApi>> ConnectWorker(
      const transport::PeerAddress& peer) override {
    if (!answers.contains(peer.task)) return Unavailable("nobody is at ", peer.address);
    return std::make_unique<Answering>(answers[peer.task]);
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

}  // namespace
}  // namespace sluice::worker
