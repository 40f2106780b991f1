// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_GROUP_COMMUNICATOR_H_
#define SLUICE_WORKER_SERVICE_GROUPS_GROUP_COMMUNICATOR_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/runtime/device_library.h"

namespace sluice::worker {

// The place of an operation among those of a group that a library runs. Rank 0 decides it.
struct LibraryTurn {
  int64_t number = 0;
  std::string id;  // of the communicators, DeviceLibrary::kIdBytes
};

// The communicator of the only member of a group in this task.
//
// Owner:    Group.
// Threads:  any.
class GroupCommunicator {
 public:
  // For rank 0: the next turn. Draws the id at the first.
  absl::StatusOr<LibraryTurn> Next(const DeviceLibrary& library) {
    absl::MutexLock lock(&mu_);
    if (id_.empty()) {
      SLUICE_ASSIGN(id_, library.NewId());
    }
    return LibraryTurn{turns_++, id_};
  }

  // Connects the member at the first call. After End it returns the reason.
  absl::StatusOr<std::shared_ptr<DeviceCommunicator>> Get(const DeviceLibrary& library,
                                                          Device& device, const std::string& id,
                                                          int rank, int size, WorkQueue& pool) {
    absl::MutexLock lock(&mu_);
    SLUICE_RETURN_IF_ERROR(ended_);
    if (communicator_ == nullptr) {
      SLUICE_ASSIGN(communicator_, library.Connect(device, id, rank, size, pool));
    }
    return communicator_;
  }

  // Does not block.
  void End(const absl::Status& why) {
    absl::MutexLock lock(&mu_);
    if (ended_.ok()) ended_ = why;
    if (communicator_ != nullptr) communicator_->Abort(why);
  }

 private:
  absl::Mutex mu_;
  absl::Status ended_ ABSL_GUARDED_BY(mu_);
  std::string id_ ABSL_GUARDED_BY(mu_);
  int64_t turns_ ABSL_GUARDED_BY(mu_) = 0;
  std::shared_ptr<DeviceCommunicator> communicator_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_GROUP_COMMUNICATOR_H_
