// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_WORKER_H_
#define SLUICE_WORKER_SERVICE_WORKER_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/op/op_registry.h"
#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/timer.h"
#include "transport/pipelines_api.h"
#include "transport/tensor_channel.h"
#include "transport/worker_api.h"
#include "worker_service/groups/groups.h"
#include "worker_service/step_table.h"
#include "worker_service/worker_session.h"

namespace sluice::worker {

// A Worker runs the partitions of one task. Masters call it, and channels deliver tensors to it.
//
// Owner:    Server.
// Threads:  any.
class Worker final : public transport::WorkerApi,
                     public transport::PipelinesApi,
                     public transport::TensorSink {
 public:
  struct Options {
    std::string task;          // "/job:worker/replica:0/task:0"
    std::string address = "";  // "host:port"; empty: no other task reaches this one
    std::string version;
    std::vector<std::unique_ptr<Device>> devices;
    std::string no_gpu = "";  // the reason why none of them is a GPU
    // Collective operations on the memory of GPUs; outlives the worker; null: none.
    const DeviceLibrary* device_library = nullptr;
    std::shared_ptr<const KernelRegistry> kernels;
    const OpRegistry* ops;       // outlives the worker
    WorkQueue* pool;             // inter-op; outlives the worker
    bool deterministic = false;  // see TaskRules
    std::vector<transport::PeerAddress> peers;
    transport::Connector* connector = nullptr;  // outlives the worker
    // Why the client of a session is gone; empty: it is not, or another task is its master.
    std::function<std::string(const std::string& session)> client_gone = nullptr;
    absl::Duration lease =
        absl::Seconds(60);  // how long early tensors of a step are kept for a silent master
  };
  explicit Worker(Options options);
  ~Worker() override;  // cancels running steps and iterators, and waits for them

  const std::vector<std::unique_ptr<Device>>& devices() const { return options_.devices; }
  const std::string& task() const { return options_.task; }
  transport::GroupsApi& groups() { return groups_; }
  size_t steps_held() const { return steps_.size(); }  // running, or waiting for their RunGraph

  // transport::WorkerApi
  void GetStatus(const transport::CallOptions& options,
                 transport::Reply<transport::TaskStatus> done) override;
  void CreateSession(const transport::CreateWorkerSession& request,
                     const transport::CallOptions& options, transport::Ack done) override;
  void DeleteSession(const std::string& session, const transport::CallOptions& options,
                     transport::Ack done) override;
  void Register(const transport::RegisterGraph& request, const transport::CallOptions& options,
                transport::Reply<uint64_t> done) override;
  void Deregister(const std::string& session, uint64_t graph, const transport::CallOptions& options,
                  transport::Ack done) override;
  void Run(transport::RunGraph request, const transport::CallOptions& options,
           transport::Reply<transport::RunGraphResult> done) override;
  void ClearContainers(const std::vector<std::string>& containers,
                       const transport::CallOptions& options, transport::Ack done) override;

  // transport::PipelinesApi
  void ListPipelines(const transport::CallOptions& options,
                     transport::Reply<std::vector<PipelineReport>> done) override;

  // transport::TensorSink
  absl::StatusOr<Tensor> Prepare(const transport::ParcelId& id, DType dtype,
                                 const Shape& shape) override;
  std::shared_ptr<void> Pin(void* memory, size_t bytes) override;
  void Deliver(const std::string& peer, const transport::ParcelId& id, Parcel parcel) override;
  bool KnownAs(const std::string& name) const override;
  bool Awaits(const std::string& peer) const override;
  void Announce(const std::string& peer, const transport::ParcelId& id) override;
  void Broken(const std::string& peer, const absl::Status& status) override;

 private:
  struct GraphRun;
  std::vector<std::shared_ptr<WorkerSession>> Sessions() const;
  absl::StatusOr<std::shared_ptr<WorkerSession>> FindSession(const std::string& handle) const;
  absl::Status StartRun(transport::RunGraph& request, const transport::CallOptions& options,
                        transport::Reply<transport::RunGraphResult>& done);
  void Refuse(const std::string& tensorflow_master, transport::Ack done);
  void AddContexts(uint64_t step, FunctionCaller* functions, GraphRun& run) const;
  void EndWithCall(const transport::CallOptions& options, GraphRun& run);
  absl::Status TimedOut(const Step& step) const;
  void SyncDevices(GraphRun* run, absl::Status status);
  void EndRun(GraphRun* run, absl::Status status);
  std::vector<Step::Transfer> TransfersOf(const Step& step);
  void SweepLoop();
  void DropResources();

  const Options options_;
  const std::string default_container_;
  // Held by every function, some of which outlive their session (those of iterators).
  const std::shared_ptr<const void> function_use_ = std::make_shared<int>();
  std::vector<Device*> device_pointers_;
  Device* copies_from_host_ = nullptr;  // the first device with a transfer_allocator
  StepTable steps_;
  Groups groups_;
  // destroyed before steps and groups, because a channel that breaks meanwhile looks them up
  Peers peers_;
  mutable absl::Mutex mu_;
  absl::flat_hash_map<std::string, std::shared_ptr<WorkerSession>> sessions_ ABSL_GUARDED_BY(mu_);
  int running_ ABSL_GUARDED_BY(mu_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  // The last answer to a TensorFlow master, and the calls that wait for the next.
  absl::Status refusal_ ABSL_GUARDED_BY(mu_);
  absl::Time refused_at_ ABSL_GUARDED_BY(mu_) = absl::InfinitePast();
  std::vector<transport::Ack> refused_ ABSL_GUARDED_BY(mu_);
  std::thread sweeper_;  // expires steps whose master is silent
  Timer deadlines_;      // last: its callbacks end first
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_WORKER_H_
