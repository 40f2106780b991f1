// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_SESSION_H_
#define SLUICE_MASTER_SESSION_H_

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/op/op_registry.h"
#include "core/threads/timer.h"
#include "graph/graph.h"
#include "graph/place.h"
#include "master/client_use.h"
#include "master/cluster.h"
#include "master/compiled_graph.h"
#include "master/config.h"
#include "master/partial_run.h"
#include "master/pipeline.h"
#include "master/run_step.h"
#include "master/session_limits.h"
#include "transport/master_api.h"

namespace sluice::master {

// A client's session: its placed graph, and the compiled graph of each signature.
//
// Owner:    Master; steps and calls in progress share it.
// Threads:  any. `extend_mu_` orders extensions. Compilations of different signatures run in
//           parallel, each on the graph as it was when it began.
class Session : public std::enable_shared_from_this<Session> {
 public:
  struct Environment {  // belongs to the master; outlives the session
    const OpRegistry* ops;
    Cluster* cluster;
    // Makes the session's own cluster. `target` is the address at which its client reached this
    // master.
    std::function<absl::StatusOr<std::shared_ptr<Cluster>>(
        const std::vector<transport::PeerAddress>& tasks, const std::string& target)>
        own_cluster;
    StepNumbers* numbers;
    Timer* timer;
    uint64_t master;  // the master's incarnation
    bool name_task_in_errors;
    SessionLimits limits;
    std::shared_ptr<ClientUse> client;  // which creates the session
  };
  struct Times {
    absl::Time deadline;  // of the whole call
    CancelToken* cancel = nullptr;
  };

  // Waits for the cluster's tasks, places the graph, opens a session on every worker. Blocks.
  static absl::StatusOr<std::shared_ptr<Session>> Create(
      const transport::CreateSessionRequest& request, const Environment& environment,
      const Times& times);

  const std::string& handle() const { return handle_; }
  // The client calls from this address; empty: from this process.
  void CalledFrom(std::string address);
  // The time at which the client's last call came, or its last step ended.
  absl::Time last_call() const { return absl::FromUnixNanos(last_call_.load()); }
  // As gRPC writes the address. Empty: unknown, or this process.
  std::string origin() const;
  // The client was seen gone after the call at that time, which was the last.
  void MarkLeft(absl::Time last_call) { left_.store(absl::ToUnixNanos(last_call)); }
  bool left() const { return left_.load() == last_call_.load(); }  // and no call followed
  // Why the client is gone: its connections are closed. Empty if it is not, or is in this process.
  std::string ClientGone() const;
  const ClientUse& client() const { return use_.client(); }
  // a client waits for a step; partial runs do not count, because they may be abandoned
  bool running() const;
  // Returns the new version. ABORTED if `request.graph_version` is not the present one. Blocks.
  absl::StatusOr<int64_t> Extend(const transport::ExtendSessionRequest& request);
  // The compiled graph of a signature if it is cached, else null.
  std::shared_ptr<const CompiledGraph> Cached(const graph::Signature& signature) const;
  // Compiles the signature if it is not cached. Blocks.
  absl::StatusOr<std::shared_ptr<const CompiledGraph>> FindOrCompile(
      const graph::Signature& signature, const Times& times);
  // Runs one step. `feeds` are in the signature's order; their dtypes are checked here.
  void Run(std::shared_ptr<const CompiledGraph> graph, std::vector<Tensor> feeds,
           const transport::RunOptions& options, const transport::CallOptions& call,
           transport::Reply<transport::RunStepResult> done);
  // A step was answered with an error before it could begin. If the graph has collective
  // operations, their other members would wait for it: a cancelled step tells them. Blocks.
  void Miss(const graph::Signature& signature, std::vector<Tensor> feeds,
            const transport::RunOptions& options, const absl::Status& why);
  // Compiles a run whose feeds and fetches come in several calls, and returns its handle. Blocks.
  absl::StatusOr<std::string> SetUpPartialRun(const graph::Signature& signature,
                                              const Times& times);
  void RunPartially(transport::RunStepRequest request, const transport::CallOptions& call,
                    transport::Reply<transport::RunStepResult> done);
  absl::StatusOr<int64_t> MakeCallable(const transport::MakeCallableRequest& request,
                                       const Times& times);
  struct Callable {
    std::shared_ptr<const CompiledGraph> graph;
    transport::RunOptions options;
    bool own_graph = false;  // compiled for this run: dropped with it
  };
  absl::StatusOr<Callable> FindCallable(int64_t id) const;
  void ReleaseCallable(int64_t id);
  std::vector<DeviceAttributes> devices() const;
  // Cancels running steps, waits until none runs, drops the worker sessions. Later calls get
  // FAILED_PRECONDITION.
  void Close();

 private:
  Session(std::string handle, SessionConfig config, const Environment& environment);
  Cluster& cluster() const { return own_cluster_ ? *own_cluster_ : *environment_.cluster; }
  absl::Status Open(const proto::GraphDef& graph, const Times& times);
  absl::Status CheckCollectiveLeader() const;
  absl::StatusOr<std::vector<transport::TaskStatus>> AwaitTasks(
      const std::vector<std::string>& names, const Times& times);
  // Keeps the source lines of the client's program.
  void TakeLines(const proto::GraphDef& graph);
  // Places the new nodes. Logs the placement, from node `first_id` on, if the session has that
  // option.
  absl::Status Place(graph::Graph& graph, int first_id) const;
  absl::Status OpenOnWorkers(absl::Time deadline);
  absl::StatusOr<std::shared_ptr<const CompiledGraph>> CompileNow(const graph::Signature& signature,
                                                                  const Times& times,
                                                                  CompileContext context);
  StepArgs ArgsFor(std::shared_ptr<const CompiledGraph> graph);
  absl::Time DeadlineOf(const transport::RunOptions& options,
                        const transport::CallOptions& call) const;
  absl::Status CheckFeeds(const CompiledGraph& graph, const std::vector<Tensor>& feeds) const;
  // its number in the session, from 0
  absl::StatusOr<int64_t> BeginStep();
  // RESOURCE_EXHAUSTED unless the session and its client may have `more` besides `present`; `name`
  // is for the error. Calls that run at once may exceed the limit together.
  absl::Status CheckLimit(Held what, int64_t present, int64_t more, int64_t limit,
                          absl::string_view name);
  absl::Status AddGraphBytes(const proto::GraphDef& graph)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(extend_mu_);
  bool TellsCosts(const CompiledGraph& graph);  // whether this step reports costs
  void Touch() { last_call_.store(absl::GetCurrentTimeNanos(), std::memory_order_relaxed); }
  void StepEnded();
  // Writes the dumps of a step for the debugger.
  absl::Status DumpStep(int64_t number, const CompiledGraph& graph, const DebugOptions& debug);
  std::shared_ptr<const CompiledGraph> ForgetOldestWatched(const graph::Signature& newest)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::string handle_;
  const SessionConfig config_;
  const Environment environment_;
  SessionUse use_{environment_.client};
  // Constant after Create.
  std::shared_ptr<Cluster> own_cluster_;  // if null, the master's cluster
  std::vector<transport::TaskStatus> tasks_;
  std::vector<graph::PlaceableDevice> placeable_;
  std::string client_device_;

  absl::Mutex extend_mu_;
  int64_t version_ ABSL_GUARDED_BY(extend_mu_) = 0;
  int64_t graph_bytes_ ABSL_GUARDED_BY(extend_mu_) = 0;  // of the GraphDefs that made graph_

  std::atomic<int64_t> last_call_{absl::GetCurrentTimeNanos()};
  std::atomic<int64_t> left_{0};  // equals last_call_ if the client was gone after that
  const std::shared_ptr<CancelToken> cancel_ = std::make_shared<CancelToken>();
  mutable absl::Mutex origin_mu_;
  std::string origin_ ABSL_GUARDED_BY(origin_mu_);  // of the client's last call; empty: unknown
  mutable absl::Mutex mu_;
  std::shared_ptr<const graph::Graph> graph_ ABSL_GUARDED_BY(mu_);
  std::shared_ptr<const UserLines> lines_ ABSL_GUARDED_BY(mu_);  // null if none are known
  absl::flat_hash_map<graph::Signature, std::shared_ptr<const CompiledGraph>> compiled_
      ABSL_GUARDED_BY(mu_);
  absl::flat_hash_set<graph::Signature> compiling_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<graph::Signature, std::shared_ptr<const CompiledGraph>> partial_graphs_
      ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<std::string, std::shared_ptr<PartialRun>> partial_runs_ ABSL_GUARDED_BY(mu_);
  int64_t next_partial_run_ ABSL_GUARDED_BY(mu_) = 0;
  absl::flat_hash_map<int64_t, Callable> callables_ ABSL_GUARDED_BY(mu_);
  int64_t next_callable_ ABSL_GUARDED_BY(mu_) = 0;
  // The number of steps of each graph, if costs are requested.
  absl::flat_hash_map<const CompiledGraph*, int64_t> steps_ ABSL_GUARDED_BY(mu_);
  std::deque<graph::Signature> watched_ ABSL_GUARDED_BY(mu_);  // of compiled_, oldest first
  absl::flat_hash_map<const CompiledGraph*, int64_t> watched_steps_ ABSL_GUARDED_BY(mu_);
  int64_t begun_ ABSL_GUARDED_BY(mu_) = 0;  // number of all steps that began
  int running_ ABSL_GUARDED_BY(mu_) = 0;    // number of running steps
  int parked_ ABSL_GUARDED_BY(mu_) = 0;     // partial runs among running_
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace sluice::master

#endif  // SLUICE_MASTER_SESSION_H_
