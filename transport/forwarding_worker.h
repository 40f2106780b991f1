// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_FORWARDING_WORKER_H_
#define SLUICE_TRANSPORT_FORWARDING_WORKER_H_

#include <string>
#include <utility>
#include <vector>

#include "transport/worker_api.h"

namespace sluice::transport {

// A ForwardingWorker passes each call on to another worker, or answers that there is none. A
// subclass overrides the calls that need other treatment.
class ForwardingWorker : public WorkerApi {
 public:
  void GetStatus(const CallOptions& options, Reply<TaskStatus> done) override {
    Forward(done, [&](WorkerApi& to) { to.GetStatus(options, std::move(done)); });
  }
  void CreateSession(const CreateWorkerSession& request, const CallOptions& options,
                     Ack done) override {
    Forward(done, [&](WorkerApi& to) { to.CreateSession(request, options, std::move(done)); });
  }
  void DeleteSession(const std::string& session, const CallOptions& options, Ack done) override {
    Forward(done, [&](WorkerApi& to) { to.DeleteSession(session, options, std::move(done)); });
  }
  void Register(const RegisterGraph& request, const CallOptions& options,
                Reply<uint64_t> done) override {
    Forward(done, [&](WorkerApi& to) { to.Register(request, options, std::move(done)); });
  }
  void Deregister(const std::string& session, uint64_t graph, const CallOptions& options,
                  Ack done) override {
    Forward(done, [&](WorkerApi& to) { to.Deregister(session, graph, options, std::move(done)); });
  }
  void Run(RunGraph request, const CallOptions& options, Reply<RunGraphResult> done) override {
    Forward(done, [&](WorkerApi& to) { to.Run(std::move(request), options, std::move(done)); });
  }
  void ClearContainers(const std::vector<std::string>& containers, const CallOptions& options,
                       Ack done) override {
    Forward(done, [&](WorkerApi& to) { to.ClearContainers(containers, options, std::move(done)); });
  }

 private:
  // The worker that answers the next call; an error is the answer.
  virtual absl::StatusOr<WorkerApi*> To() const = 0;

  template <typename Done, typename Call>
  void Forward(Done& done, Call call) const {
    absl::StatusOr<WorkerApi*> to = To();
    if (to.ok())
      call(**to);
    else
      done(to.status());
  }
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_FORWARDING_WORKER_H_
