// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_MASTER_H_
#define SLUICE_MASTER_MASTER_H_

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "master/call_threads.h"
#include "master/cluster.h"
#include "master/pending_replies.h"
#include "master/session.h"
#include "master/session_limits.h"
#include "transport/master_api.h"

namespace sluice::master {

// A Master serves clients: it keeps their sessions and runs their steps on the workers of its
// cluster.
//
// Owner:    Server.
// Threads:  any. Calls that wait for other tasks (all but a step whose signature is known) run on
//           threads of their own, within limits.
// Errors:   only RunStep returns UNAVAILABLE. Other calls answer ABORTED instead, because clients
//           resend them blindly after UNAVAILABLE.
class Master final : public transport::MasterApi {
 public:
  struct Options {
    const OpRegistry* ops;  // outlives the master
    Cluster::Options cluster;
    bool name_task_in_errors = true;
    absl::Duration create_deadline = absl::Seconds(60);  // for a client that gives none
    SessionLimits sessions = {};
  };
  explicit Master(Options options);
  ~Master() override;  // closes every session

  void CreateSession(transport::CreateSessionRequest request, const transport::CallOptions& options,
                     transport::Reply<transport::CreateSessionResult> done) override;
  void ExtendSession(transport::ExtendSessionRequest request, const transport::CallOptions& options,
                     transport::Reply<int64_t> done) override;
  void RunStep(transport::RunStepRequest request, const transport::CallOptions& options,
               transport::Reply<transport::RunStepResult> done) override;
  void SetUpPartialRun(transport::PartialRunRequest request, const transport::CallOptions& options,
                       transport::Reply<std::string> done) override;
  void CloseSession(const std::string& session, const transport::CallOptions& options,
                    transport::Ack done) override;
  void ListDevices(const std::string& session, const transport::CallOptions& options,
                   transport::Reply<transport::ListDevicesResult> done) override;
  void Reset(const std::vector<std::string>& containers,
             const std::vector<std::string>& device_filters, const transport::CallOptions& options,
             transport::Ack done) override;
  void MakeCallable(transport::MakeCallableRequest request, const transport::CallOptions& options,
                    transport::Reply<int64_t> done) override;
  void RunCallable(transport::RunCallableRequest request, const transport::CallOptions& options,
                   transport::Reply<transport::RunStepResult> done) override;
  void ReleaseCallable(const std::string& session, int64_t callable,
                       const transport::CallOptions& options, transport::Ack done) override;

  // Why the client of a session is gone. Empty if it is not, or the master has no such session.
  std::string ClientGone(const std::string& session) const;
  // Closes the sessions whose clients are gone for good. Blocks. The master does so every 5 s while
  // it has sessions.
  void CloseAbandoned();

 private:
  // Of the timer's callback, which may run until the timer is destroyed: after other members.
  struct Sweeps {
    absl::Mutex mu;
    Master* master ABSL_GUARDED_BY(mu) = nullptr;  // null once the master is being destroyed
  };
  absl::StatusOr<std::shared_ptr<Session>> Find(const std::string& handle,
                                                const transport::CallOptions& options) const;
  void NextSweep();
  std::shared_ptr<Session> Take(const std::string& handle);
  std::shared_ptr<ClientUse> ClientOf(const transport::CallOrigin* origin);
  absl::Status MakeRoom(const ClientUse& client);
  // The session that gives way to a new one, of those for which `counts` is true; null: none may.
  std::shared_ptr<Session> FindIdle(absl::FunctionRef<bool(const Session&)> counts) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::StatusOr<std::shared_ptr<Cluster>> OwnCluster(
      const std::vector<transport::PeerAddress>& tasks, const std::string& target);
  absl::Time Deadline(const transport::CallOptions& options) const;

  const Options options_;
  const uint64_t incarnation_;
  Cluster cluster_;
  StepNumbers numbers_;
  const std::shared_ptr<Sweeps> sweeps_ = std::make_shared<Sweeps>();
  Timer timer_;

  mutable absl::Mutex mu_;
  absl::flat_hash_map<std::string, std::shared_ptr<Session>> sessions_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<std::string, std::weak_ptr<ClientUse>> clients_ ABSL_GUARDED_BY(mu_);
  int creating_ ABSL_GUARDED_BY(mu_) = 0;       // sessions that are being created
  bool sweeping_ ABSL_GUARDED_BY(mu_) = false;  // there is a next sweep
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  CallThreads threads_;
};

}  // namespace sluice::master

#endif  // SLUICE_MASTER_MASTER_H_
