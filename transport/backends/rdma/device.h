// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_DEVICE_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_DEVICE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "transport/backends/rdma/domain.h"
#include "transport/backends/rdma/slab_registrations.h"
#include "transport/backends/rdma/staging.h"
#include "transport/poll/loop_timer.h"
#include "transport/poll/poll_loop.h"

namespace sluice::transport {

// The queues of a task: one completion queue for all its queue pairs, one shared receive queue, and
// the buffers that small messages are sent from and received into. The loop polls the completion
// queue while there is work, and sleeps on its channel otherwise.
//
// Owner:    shared by the transport and its links.
// Threads:  any; each function of User states its own.
class RdmaDevice final : public PollLoop::Spinner, public std::enable_shared_from_this<RdmaDevice> {
 public:
  static constexpr size_t kBufferBytes = 16 << 10;
  // The messages that a peer may have sent and this task not handled: so many buffers are posted
  // for each queue pair.
  static constexpr uint32_t kReceives = 8;
  static constexpr uint32_t kSendDepth = 32;  // requests of one queue pair in flight

  // The user of one queue pair. All functions run on the loop's thread.
  class User {
   public:
    virtual ~User() = default;
    // A message of the peer. An error breaks the queue pair.
    virtual absl::Status Received(absl::string_view message) = 0;
    // The buffer of the last message can receive another.
    virtual void Reposted() = 0;
    // The request with this id has ended.
    virtual void Completed(uint64_t id, const absl::Status& status) = 0;
    // May be called several times.
    virtual void Broken(const absl::Status& why) = 0;
    // Called at regular times: finds out whether a peer is there from which something is awaited.
    virtual void Probe() {}
  };

  static absl::StatusOr<std::shared_ptr<RdmaDevice>> Create(std::shared_ptr<RdmaDomain> domain,
                                                            PollLoop* loop, size_t staging_limit);
  ~RdmaDevice() override;
  // `probes`: the time between two calls of User::Probe.
  absl::Status Start(absl::Duration probes);
  // Queue pairs that are left are destroyed. Not on the loop's thread. Idempotent.
  void Stop();

  // A queue pair in the state INIT. RESOURCE_EXHAUSTED if the device has no more.
  absl::StatusOr<ibv_qp*> Open(std::shared_ptr<User> user, uint32_t* max_inline);
  // Destroys it. On the loop's thread, or after Stop.
  void Close(ibv_qp* qp);
  // Calls user->Broken soon. The caller may hold locks.
  void Break(std::shared_ptr<User> user, absl::Status why);

  // A buffer to send from.
  struct Buffer {
    char* data = nullptr;
    uint32_t lkey = 0, index = 0;
  };
  absl::StatusOr<Buffer> TakeBuffer();
  void GiveBuffer(uint32_t index);

  RdmaDomain& domain() const { return *domain_; }
  const std::shared_ptr<RdmaDomain>& shared_domain() const { return domain_; }
  Staging& staging() const { return *staging_; }
  // The key by which the device reads these bytes of a live tensor; nothing if they are not
  // registered.
  std::optional<uint32_t> KeyOf(const void* data, size_t bytes) {
    const std::optional<uint32_t> staged = staging_->KeyOf(data, bytes);
    return staged.has_value() ? staged : slabs_.KeyOf(data, bytes);
  }
  // OK, or why no peer can be reached by this device now: its port is down, for example.
  absl::Status state() const;

  bool Look() override;
  bool Rest() override;

 private:
  // Calls a function if a descriptor can be read.
  struct Watching final : PollLoop::Watcher {
    Watching(RdmaDevice* device, void (RdmaDevice::*read)()) : device(device), read(read) {}
    void Ready(uint32_t) override { (device->*read)(); }
    RdmaDevice* const device;  // outlives this watcher: forgets it first
    void (RdmaDevice::*const read)();
  };
  using Failure = std::pair<std::shared_ptr<User>, absl::Status>;

  RdmaDevice(std::shared_ptr<RdmaDomain> domain, PollLoop* loop, size_t staging_limit)
      : domain_(std::move(domain)),
        loop_(loop),
        staging_(std::make_shared<Staging>(domain_, staging_limit)),
        slabs_(domain_) {}
  absl::Status CreateQueues();
  absl::Status PostReceive(uint32_t index);
  Buffer BufferAt(uint32_t index) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  std::shared_ptr<User> UserOf(uint32_t number) const;
  void Handle(const ibv_wc& completion);
  absl::Status StatusOf(const ibv_wc& completion) const;
  bool HandleFailures();
  void ReadEvents();
  void ReadAsyncEvents();
  void HandleAsyncEvent(const ibv_async_event& event);
  void RenewPort(const absl::Status& event);
  void EndAll(const absl::Status& why);
  void BreakAll(const absl::Status& why);
  std::vector<std::shared_ptr<User>> Users() const;

  const std::shared_ptr<RdmaDomain> domain_;
  PollLoop* const loop_;  // outlives it: the transport holds it
  const std::shared_ptr<Staging> staging_;
  SlabRegistrations slabs_;
  std::optional<LoopTimer> probes_;
  ibv_comp_channel* channel_ = nullptr;
  ibv_cq* cq_ = nullptr;
  ibv_srq* srq_ = nullptr;
  uint32_t most_pairs_ = 0;
  uint64_t watched_ = 0, watched_async_ = 0;
  unsigned int events_ = 0;  // of the completion queue, not acknowledged; the loop's thread

  mutable absl::Mutex mu_;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  absl::Status state_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<uint32_t, std::pair<ibv_qp*, std::shared_ptr<User>>> pairs_
      ABSL_GUARDED_BY(mu_);
  uint32_t posted_ ABSL_GUARDED_BY(mu_) = 0;  // receives
  std::vector<std::shared_ptr<RegisteredMemory>> buffers_ ABSL_GUARDED_BY(mu_);
  std::vector<uint32_t> free_ ABSL_GUARDED_BY(mu_);  // buffers
  std::vector<Failure> failures_ ABSL_GUARDED_BY(mu_);
  std::atomic<bool> has_failures_{false};
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_DEVICE_H_
