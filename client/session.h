// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_SESSION_H_
#define SLUICE_CLIENT_SESSION_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "client/graph.h"
#include "transport/credentials.h"
#include "transport/master_api.h"

namespace sluice::server {
class Server;
}

namespace sluice::client {

struct SessionOptions {
  std::string target;                 // "": in this process; "grpc://host:port"
  server::Server* server = nullptr;   // a task of this process: use its master without the network;
                                      // it outlives the session. Then `target` is ignored
  int cpu_devices = 1;                // of the in-process task
  bool asynchronous_devices = false;  // the asynchronous double in place of CPU devices, for tests
  bool allow_soft_placement = false;
  bool log_device_placement = false;
  bool isolate_session_state = false;
  int64_t operation_timeout_ms = 0;  // 0: none
  std::vector<std::string> device_filters;
  std::string config;  // a serialised ConfigProto, merged under the fields above
  // TLS and token for the server of `target`.
  transport::CredentialFiles credentials = transport::CredentialFilesOfEnvironment();
};

struct RunOptions {
  int64_t timeout_ms = 0;
  bool trace = false;               // FULL_TRACE
  bool partition_graphs = false;    // of every task, in the metadata
  std::string debug = "";           // a serialised DebugOptions: tfdbg's watches
  std::string partial_run = "";     // a handle of SetUpPartialRun; no targets then
  std::string* metadata = nullptr;  // set to the step's RunMetadata, serialised
  // Called every 50 ms while the calling thread waits; false cancels the step.
  std::function<bool()> go_on;
};

// A Session runs a graph, in this process or on the cluster of a server. Nothing is sent before the
// first run; nodes added to the graph later are sent with the next run.
//
// Owner:    the program. The graph outlives it.
// Threads:  Run from any, several at once; no thread may add to the graph meanwhile.
class Session {
 public:
  static absl::StatusOr<std::unique_ptr<Session>> Create(const Graph* graph,
                                                         const SessionOptions& options);
  ~Session();  // closes

  using Feeds = std::vector<std::pair<std::string, Tensor>>;
  // Values of `fetches` ("node:0") after running `targets` (node names) too. Errors name op, device
  // and task.
  absl::StatusOr<std::vector<Tensor>> Run(const Feeds& feeds,
                                          const std::vector<std::string>& fetches,
                                          const std::vector<std::string>& targets,
                                          const RunOptions& options = {});
  // Begins a step whose feeds and fetches come in several Runs, each once. Returns the handle for
  // these Runs.
  absl::StatusOr<std::string> SetUpPartialRun(const std::vector<std::string>& feeds,
                                              const std::vector<std::string>& fetches,
                                              const std::vector<std::string>& targets,
                                              const std::function<bool()>& go_on = nullptr);

  // A signature that is looked up once; feeds and fetches are positional. NOT_FOUND after its
  // release.
  absl::StatusOr<int64_t> MakeCallable(const std::vector<std::string>& feeds,
                                       const std::vector<std::string>& fetches,
                                       const std::vector<std::string>& targets,
                                       const RunOptions& options = {});
  absl::StatusOr<std::vector<Tensor>> RunCallable(int64_t callable, std::vector<Tensor> feeds,
                                                  const RunOptions& options = {});
  absl::Status ReleaseCallable(int64_t callable);

  absl::StatusOr<transport::ListDevicesResult> ListDevices(
      const std::function<bool()>& go_on = nullptr);
  // Drops the variables in `containers` of the tasks behind `target` that the filters allow.
  // Without containers, drops all variables and closes every session. DEADLINE_EXCEEDED if that
  // takes longer than `timeout_ms`; 0: 30 s.
  static absl::Status Reset(
      const std::string& target, const std::vector<std::string>& containers,
      const std::vector<std::string>& device_filters, int64_t timeout_ms = 0,
      const transport::CredentialFiles& files = transport::CredentialFilesOfEnvironment());
  absl::Status Close();
  // Cancels every run in progress, and every wait for tasks. The session stays open.
  void Interrupt();

 private:
  Session(const Graph* graph, SessionOptions options);
  absl::Status Connect();
  // Sends the nodes that the master does not have yet. One thread at a time does this; others wait
  // for it.
  absl::Status SendGraph(const std::function<bool()>& go_on);
  absl::Status Send(const std::function<bool()>& go_on);  // REQUIRES: sending_ is this thread's
  absl::StatusOr<transport::CreateSessionResult> Open(std::shared_ptr<const proto::GraphDef> def,
                                                      const std::function<bool()>& go_on);
  absl::StatusOr<absl::Time> Deadline(int64_t timeout_ms) const;
  std::string handle();
  // Waits for a step's answer; Interrupt() and options.go_on may end the wait.
  template <typename Start>
  absl::StatusOr<transport::RunStepResult> Step(const RunOptions& options, const Start& start);

  const Graph* const graph_;  // outlives the session
  const SessionOptions options_;
  std::shared_ptr<server::Server> local_;  // for target ""
  std::unique_ptr<transport::MasterApi> remote_;
  transport::MasterApi* master_ = nullptr;  // one of the two below

  std::atomic<int> interruptions_{0};
  absl::Mutex mu_;
  bool sending_ ABSL_GUARDED_BY(mu_) = false;
  std::string handle_ ABSL_GUARDED_BY(mu_);
  int64_t version_ ABSL_GUARDED_BY(mu_) = 0;
  int sent_ids_ ABSL_GUARDED_BY(mu_) = 0;
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
  absl::Mutex runs_mu_;
  std::vector<std::shared_ptr<CancelToken>> runs_ ABSL_GUARDED_BY(runs_mu_);
};

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_SESSION_H_
