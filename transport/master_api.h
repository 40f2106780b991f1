// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_MASTER_API_H_
#define SLUICE_TRANSPORT_MASTER_API_H_

#include <memory>
#include <string>
#include <vector>

#include "core/debug_watch.h"
#include "transport/messages.h"
#include "transport/worker_api.h"

namespace sluice::proto {
class RunMetadata;
}

namespace sluice::transport {

struct CreateSessionRequest {
  std::shared_ptr<const proto::GraphDef> graph;
  std::shared_ptr<const proto::ConfigProto> config;
  std::string target;
};
struct CreateSessionResult {
  std::string session;
  int64_t graph_version = 0;
};

struct ExtendSessionRequest {
  std::string session;
  std::shared_ptr<const proto::GraphDef> graph;
  int64_t graph_version = 0;
};

struct RunOptions {
  int64_t timeout_ms = 0;  // 0: the session's operation_timeout_in_ms
  bool trace = false;      // FULL_TRACE
  bool partition_graphs = false;
  std::shared_ptr<const DebugOptions> debug = nullptr;  // null: no watches
};

struct RunStepRequest {
  std::string session;
  std::vector<NamedTensor> feeds;
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
  RunOptions options;
  // If not empty, continues the step that SetUpPartialRun began; then there are no targets.
  std::string partial_run = "";
};
struct PartialRunRequest {
  std::string session;
  std::vector<std::string> feeds, fetches, targets;
};
struct RunStepResult {
  std::vector<Tensor> fetches;                   // in the order of the request
  std::shared_ptr<proto::RunMetadata> metadata;  // null unless requested
};

struct MakeCallableRequest {
  std::string session;
  std::vector<std::string> feeds, fetches, targets;
  std::vector<std::pair<std::string, std::string>> tensor_connections;
  RunOptions options;
  bool has_feed_or_fetch_devices = false;
};
struct RunCallableRequest {
  std::string session;
  int64_t callable = 0;
  std::vector<Tensor> feeds;
};

struct ListDevicesResult {
  std::vector<DeviceAttributes> local, remote;
};

// The calls of a client to a master, in this process or another. Only the answer of RunStep may
// have the code UNAVAILABLE, because TensorFlow's client resends other calls that fail with it.
// Statuses here already follow that rule.
//
// Threads:  any; replies must not block.
class MasterApi {
 public:
  virtual ~MasterApi() = default;
  virtual void CreateSession(CreateSessionRequest request, const CallOptions& options,
                             Reply<CreateSessionResult> done) = 0;
  virtual void ExtendSession(ExtendSessionRequest request, const CallOptions& options,
                             Reply<int64_t> done) = 0;
  virtual void RunStep(RunStepRequest request, const CallOptions& options,
                       Reply<RunStepResult> done) = 0;
  // A step whose feeds and fetches come in several RunSteps, which carry its handle.
  virtual void SetUpPartialRun(PartialRunRequest request, const CallOptions& options,
                               Reply<std::string> done) = 0;
  virtual void CloseSession(const std::string& session, const CallOptions& options, Ack done) = 0;
  virtual void ListDevices(const std::string& session, const CallOptions& options,
                           Reply<ListDevicesResult> done) = 0;
  virtual void Reset(const std::vector<std::string>& containers,
                     const std::vector<std::string>& device_filters, const CallOptions& options,
                     Ack done) = 0;
  virtual void MakeCallable(MakeCallableRequest request, const CallOptions& options,
                            Reply<int64_t> done) = 0;
  virtual void RunCallable(RunCallableRequest request, const CallOptions& options,
                           Reply<RunStepResult> done) = 0;
  virtual void ReleaseCallable(const std::string& session, int64_t callable,
                               const CallOptions& options, Ack done) = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_MASTER_API_H_
