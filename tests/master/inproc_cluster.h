// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_MASTER_INPROC_CLUSTER_H_
#define SLUICE_TESTS_MASTER_INPROC_CLUSTER_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "master/master.h"
#include "tests/doubles/faulty_connector.h"
#include "tests/doubles/switchboard.h"
#include "worker_service/worker.h"

namespace sluice::master {

// The configuration of most such clusters.
constexpr char kW[] = "/job:w/replica:0/task:0";
constexpr char kPs[] = "/job:ps/replica:0/task:0";

inline Tensor Int(int32_t value) { return Tensor::Scalar<int32_t>(value); }

// A cluster inside one test: a worker for every task, a master on the first. `faults` are injected
// into the tensors between workers.
class InprocCluster {
 public:
  explicit InprocCluster(std::vector<std::string> tasks,
                         absl::Duration create_deadline = absl::Seconds(20),
                         transport::FaultyConnectorOptions faults = {});
  // One task, whose devices are a CPU and the asynchronous test device as "GPU:0", with these
  // kernels.
  InprocCluster(std::string task, std::shared_ptr<const KernelRegistry> kernels);
  ~InprocCluster();
  Master& master() { return *master_; }
  worker::Worker& worker(const std::string& task) { return *tasks_.at(task)->worker; }
  transport::FaultyConnector& wire(const std::string& task) { return *tasks_.at(task)->connector; }
  void Kill(const std::string& task);   // removes it without a message
  void Start(const std::string& task);  // starts it again
  void DestroyMaster() { master_.reset(); }

 private:
  struct Task {
    std::unique_ptr<WorkQueue> pool;
    std::unique_ptr<transport::FaultyConnector> connector;
    std::unique_ptr<worker::Worker> worker;
  };
  InprocCluster(std::vector<std::string> tasks, absl::Duration create_deadline,
                transport::FaultyConnectorOptions faults,
                std::shared_ptr<const KernelRegistry> kernels, bool with_gpu);
  std::vector<transport::PeerAddress> PeersOf(const std::string& task) const;

  const std::vector<std::string> names_;
  const transport::FaultyConnectorOptions faults_;
  const std::shared_ptr<const KernelRegistry> kernels_;
  const bool with_gpu_;
  std::shared_ptr<transport::Switchboard> switchboard_ = std::make_shared<transport::Switchboard>();
  std::map<std::string, std::unique_ptr<Task>> tasks_;
  std::unique_ptr<transport::Connector> master_connector_;
  std::unique_ptr<Master> master_;
};

// A client of a master that waits for each call; graphs are text.
class Client {
 public:
  explicit Client(transport::MasterApi* master) : master_(master) {}

  absl::Status Create(absl::string_view graph, const proto::ConfigProto* config = nullptr,
                      absl::Duration deadline = absl::Seconds(20));
  absl::StatusOr<int64_t> Extend(absl::string_view graph, int64_t version);
  using Feeds = std::vector<transport::NamedTensor>;
  absl::StatusOr<std::vector<Tensor>> Run(Feeds feeds, std::vector<std::string> fetches,
                                          std::vector<std::string> targets = {},
                                          transport::RunOptions options = {});
  // One fetch, an int32 scalar; else the error's text.
  std::string Fetch(Feeds feeds, std::string fetch);
  absl::StatusOr<int64_t> MakeCallable(transport::MakeCallableRequest request);
  absl::StatusOr<std::vector<Tensor>> RunCallable(int64_t callable, std::vector<Tensor> feeds);
  absl::Status ReleaseCallable(int64_t callable);
  absl::StatusOr<transport::ListDevicesResult> ListDevices();
  absl::Status Close();
  absl::Status Reset(std::vector<std::string> containers = {});

  std::string session;

 private:
  transport::MasterApi* const master_;
};

}  // namespace sluice::master

#endif  // SLUICE_TESTS_MASTER_INPROC_CLUSTER_H_
