// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_MASTER_FAKE_WORKER_H_
#define SLUICE_TESTS_MASTER_FAKE_WORKER_H_

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "core/runtime/device.h"
#include "transport/connector.h"
#include "transport/forwarding_worker.h"

namespace sluice::master {

// A worker that answers as a test specifies: every call with `failure` unless that is OK.
class FakeWorker : public transport::WorkerApi {
 public:
  explicit FakeWorker(std::string task) : task(std::move(task)) {}

  void GetStatus(const transport::CallOptions&,
                 transport::Reply<transport::TaskStatus> done) override {
    ++asked;
    if (failures_left > 0) {
      --failures_left;
      return done(Unavailable("not up yet"));
    }
    if (!failure.ok()) return done(failure);
    transport::TaskStatus status;
    status.task = task;
    DeviceAttributes device;
    device.name = task + "/device:CPU:0";
    device.type = "CPU";
    status.devices.push_back(device);
    status.kernels = kernels;
    done(std::move(status));
  }
  void CreateSession(const transport::CreateWorkerSession& request, const transport::CallOptions&,
                     transport::Ack done) override {
    session = request;
    done(failure);
  }
  void DeleteSession(const std::string&, const transport::CallOptions&,
                     transport::Ack done) override {
    done(failure);
  }
  void Register(const transport::RegisterGraph&, const transport::CallOptions&,
                transport::Reply<uint64_t> done) override {
    if (late_registrations > 0) {
      --late_registrations;
      return done(DeadlineExceeded("the deadline has passed"));
    }
    if (!register_failure.ok()) return done(register_failure);
    done(uint64_t{1});
  }
  void Deregister(const std::string&, uint64_t, const transport::CallOptions&,
                  transport::Ack done) override {
    done(failure);
  }
  void Run(transport::RunGraph, const transport::CallOptions& options,
           transport::Reply<transport::RunGraphResult> done) override {
    if (options.cancel != nullptr && options.cancel->cancelled()) ++cancelled_runs;
    done(run_failure);
  }
  void ClearContainers(const std::vector<std::string>&, const transport::CallOptions&,
                       transport::Ack done) override {
    done(failure);
  }

  const std::string task;
  absl::Status failure, register_failure,
      run_failure = absl::UnimplementedError("a fake runs nothing");
  transport::CreateWorkerSession session;  // the last request
  int failures_left = 0;                   // of GetStatus
  int late_registrations = 0;              // so many fail at the deadline
  std::atomic<int> cancelled_runs{0};
  int asked = 0;
  std::shared_ptr<const KernelTable> kernels = std::make_shared<KernelTable>();
};

// Connects to fake workers.
class FakeConnector : public transport::Connector {
 public:
  FakeWorker& Add(const std::string& task) {
    return *workers.emplace(task, std::make_unique<FakeWorker>(task)).first->second;
  }
  void Attach(transport::TensorSink*) override {}
  absl::StatusOr<std::unique_ptr<transport::WorkerApi>> ConnectWorker(
      const transport::PeerAddress& peer) override;
  absl::StatusOr<std::shared_ptr<transport::TensorChannel>> ConnectChannel(
      const transport::PeerAddress& peer) override {
    return Unavailable("no channel to ", peer.task);
  }
  std::map<std::string, std::unique_ptr<FakeWorker>> workers;
};

// Passes calls on to a worker that another owns.
class WorkerProxy final : public transport::ForwardingWorker {
 public:
  explicit WorkerProxy(transport::WorkerApi* to) : to_(to) {}

 private:
  absl::StatusOr<transport::WorkerApi*> To() const override { return to_; }

  transport::WorkerApi* const to_;
};

inline absl::StatusOr<std::unique_ptr<transport::WorkerApi>> FakeConnector::ConnectWorker(
    const transport::PeerAddress& peer) {
  auto it = workers.find(peer.task);
  if (it == workers.end()) return Unavailable("nobody is at ", peer.address);
  return std::make_unique<WorkerProxy>(it->second.get());
}

}  // namespace sluice::master

#endif  // SLUICE_TESTS_MASTER_FAKE_WORKER_H_
