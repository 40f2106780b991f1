// SPDX-License-Identifier: Apache-2.0
#include "worker_service/tensorflow_master.h"

#include <memory>

#include "absl/synchronization/blocking_counter.h"
#include "absl/time/clock.h"
#include "transport/tensorflow_server.h"

namespace sluice::worker {
namespace {

constexpr absl::Duration kAskFor = absl::Seconds(2);

std::string Named(const transport::PeerAddress& peer) {
  return absl::StrCat("task ", peer.task, " at ", peer.address);
}

// Those of `peers` whose server reports that it is TensorFlow's.
std::vector<std::string> TensorFlowServers(const std::vector<transport::PeerAddress>& peers,
                                           transport::Connector& connector) {
  std::vector<std::unique_ptr<transport::WorkerApi>> workers;
  std::vector<char> found(peers.size(), 0);  // not bool, so that each reply writes its own byte
  absl::BlockingCounter missing(static_cast<int>(peers.size()));
  transport::CallOptions options;
  options.deadline = absl::Now() + kAskFor;
  for (size_t i = 0; i < peers.size(); ++i) {
    auto worker = connector.ConnectWorker(peers[i]);
    if (!worker.ok()) {
      missing.DecrementCount();
      continue;
    }
    workers.push_back(*std::move(worker));
    workers.back()->GetStatus(options, [&found, &missing, i](const auto& answer) {
      found[i] = transport::IsTensorFlowServer(answer.status()) ? 1 : 0;
      missing.DecrementCount();
    });
  }
  missing.Wait();
  std::vector<std::string> names;
  for (size_t i = 0; i < peers.size(); ++i) {
    if (found[i] != 0) names.push_back(Named(peers[i]));
  }
  return names;
}

}  // namespace

absl::Status RefuseTensorFlowMaster(const std::string& own_task, const std::string& master_task,
                                    const std::vector<transport::PeerAddress>& peers,
                                    transport::Connector* connector) {
  std::vector<std::string> servers;
  for (const transport::PeerAddress& peer : peers) {
    if (peer.task == master_task) servers.push_back(Named(peer));
  }
  if (servers.empty() && !master_task.empty())
    servers.push_back(absl::StrCat("master ", master_task));
  if (servers.empty() && connector != nullptr) servers = TensorFlowServers(peers, *connector);
  if (servers.empty()) servers.emplace_back("the master of the session");
  return transport::MixedCluster(servers, own_task);
}

}  // namespace sluice::worker
