// SPDX-License-Identifier: Apache-2.0
#include "tests/master/inproc_cluster.h"

#include <gtest/gtest.h>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "graph/all_ops.h"
#include "graph/import.h"
#include "kernels/register.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "tests/graph/graph_text.h"
#include "transport/pending_reply.h"

namespace sluice::master {
namespace {

using transport::PendingReply;

template <typename Call>
absl::Status AwaitAck(Call call) {
  absl::Notification there;
  absl::Status status;
  call([&](absl::Status s) {
    status = std::move(s);
    there.Notify();
  });
  there.WaitForNotification();
  return status;
}

std::shared_ptr<proto::GraphDef> DefOf(absl::string_view text) {
  auto def = std::make_shared<proto::GraphDef>();
  EXPECT_TRUE(graph::Export(*graph::FromText(text), def.get()).ok());
  return def;
}

}  // namespace

InprocCluster::InprocCluster(std::vector<std::string> tasks, absl::Duration create_deadline,
                             transport::FaultyConnectorOptions faults)
    : InprocCluster(std::move(tasks), create_deadline, faults, kernels::AllKernels(), false) {}

InprocCluster::InprocCluster(std::string task, std::shared_ptr<const KernelRegistry> kernels)
    : InprocCluster({std::move(task)}, absl::Seconds(20), {}, std::move(kernels), true) {}

InprocCluster::InprocCluster(std::vector<std::string> tasks, absl::Duration create_deadline,
                             transport::FaultyConnectorOptions faults,
                             std::shared_ptr<const KernelRegistry> kernels, bool with_gpu)
    : names_(std::move(tasks)), faults_(faults), kernels_(std::move(kernels)), with_gpu_(with_gpu) {
  for (const std::string& name : names_) Start(name);
  auto connector = transport::CreateSwitchboardConnector(names_[0], switchboard_);
  EXPECT_TRUE(connector.ok()) << connector.status();
  master_connector_ = *std::move(connector);
  Master::Options options;
  options.ops = &graph::AllOps();
  options.cluster = {names_[0], tasks_[names_[0]]->worker.get(), PeersOf(names_[0]),
                     master_connector_.get()};
  options.create_deadline = create_deadline;
  master_ = std::make_unique<Master>(std::move(options));
}

InprocCluster::~InprocCluster() {
  master_.reset();
  for (const std::string& name : names_) Kill(name);
}

std::vector<transport::PeerAddress> InprocCluster::PeersOf(const std::string& task) const {
  std::vector<transport::PeerAddress> peers;
  for (const std::string& name : names_) {
    if (name != task) peers.push_back({name, "inproc:1"});
  }
  return peers;
}

void InprocCluster::Start(const std::string& name) {
  auto task = std::make_unique<Task>();
  task->pool = CreateThreadPool(2, "inter-op");
  auto connector = transport::CreateSwitchboardConnector(name, switchboard_);
  EXPECT_TRUE(connector.ok()) << connector.status();
  task->connector = *transport::CreateFaultyConnector(faults_, *std::move(connector));
  worker::Worker::Options options;
  options.task = name;
  options.version = "test";
  options.devices.push_back(CreateCpuDevice(name + "/device:CPU:0", nullptr));
  if (with_gpu_) options.devices.push_back(CreateAsyncDevice(name + "/device:GPU:0", nullptr, 50));
  options.kernels = kernels_;
  options.ops = &graph::AllOps();
  options.pool = task->pool.get();
  options.peers = PeersOf(name);
  options.connector = task->connector.get();
  task->worker = std::make_unique<worker::Worker>(std::move(options));
  task->connector->Attach(task->worker.get());
  switchboard_->Plug(name, task->worker.get(), task->worker.get());
  tasks_[name] = std::move(task);
}

void InprocCluster::Kill(const std::string& name) {
  auto it = tasks_.find(name);
  if (it == tasks_.end()) return;
  switchboard_->Unplug(name);
  it->second->worker.reset();
  tasks_.erase(it);
}

absl::Status Client::Create(absl::string_view graph, const proto::ConfigProto* config,
                            absl::Duration deadline) {
  PendingReply<transport::CreateSessionResult> created;
  transport::CallOptions options;
  options.deadline = absl::Now() + deadline;
  auto copy = std::make_shared<proto::ConfigProto>();
  if (config != nullptr) *copy = *config;
  master_->CreateSession({DefOf(graph), copy, ""}, options, created.reply());
  SLUICE_ASSIGN(auto result, created.Wait());
  session = result.session;
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Client::Extend(absl::string_view graph, int64_t version) {
  PendingReply<int64_t> extended;
  master_->ExtendSession({session, DefOf(graph), version}, {}, extended.reply());
  return extended.Wait();
}

absl::StatusOr<std::vector<Tensor>> Client::Run(Feeds feeds, std::vector<std::string> fetches,
                                                std::vector<std::string> targets,
                                                transport::RunOptions options) {
  PendingReply<transport::RunStepResult> ran;
  master_->RunStep({session, std::move(feeds), std::move(fetches), std::move(targets), options}, {},
                   ran.reply());
  SLUICE_ASSIGN(auto result, ran.Wait());
  return std::move(result.fetches);
}

std::string Client::Fetch(Feeds feeds, std::string fetch) {
  auto result = Run(std::move(feeds), {std::move(fetch)});
  if (!result.ok()) return result.status().ToString();
  return absl::StrCat((*result)[0].scalar<int32_t>());
}

absl::StatusOr<int64_t> Client::MakeCallable(transport::MakeCallableRequest request) {
  PendingReply<int64_t> made;
  request.session = session;
  master_->MakeCallable(std::move(request), {}, made.reply());
  return made.Wait();
}

absl::StatusOr<std::vector<Tensor>> Client::RunCallable(int64_t callable,
                                                        std::vector<Tensor> feeds) {
  PendingReply<transport::RunStepResult> ran;
  master_->RunCallable({session, callable, std::move(feeds)}, {}, ran.reply());
  SLUICE_ASSIGN(auto result, ran.Wait());
  return std::move(result.fetches);
}

absl::Status Client::ReleaseCallable(int64_t callable) {
  return AwaitAck([&](transport::Ack done) {
    master_->ReleaseCallable(session, callable, {}, std::move(done));
  });
}

absl::StatusOr<transport::ListDevicesResult> Client::ListDevices() {
  PendingReply<transport::ListDevicesResult> listed;
  transport::CallOptions options;
  options.deadline = absl::Now() + absl::Seconds(20);
  master_->ListDevices(session, options, listed.reply());
  return listed.Wait();
}

absl::Status Client::Close() {
  return AwaitAck(
      [&](transport::Ack done) { master_->CloseSession(session, {}, std::move(done)); });
}

absl::Status Client::Reset(std::vector<std::string> containers) {
  return AwaitAck(
      [&](transport::Ack done) { master_->Reset(containers, {}, {}, std::move(done)); });
}

}  // namespace sluice::master
