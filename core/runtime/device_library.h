// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_DEVICE_LIBRARY_H_
#define SLUICE_CORE_RUNTIME_DEVICE_LIBRARY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/runtime/device.h"
#include "core/status.h"
#include "core/tensor/tensor.h"
#include "core/threads/thread_pool.h"

namespace sluice {

// One member of a set of devices in different processes, which reduce their memory by a library.
//
// Owner:    the member's group.
// Threads:  any. The destructor ends what runs, as Abort does.
class DeviceCommunicator {
 public:
  virtual ~DeviceCommunicator() = default;
  // All members give equal turns to operations that belong together: 0, 1, 2 and so on. They run in
  // this order. `reduction` is the name of a Reduction ("Add, Div"). `done` is called once, on the
  // pool, when the result is in `output`, or with an error.
  virtual void AllReduce(int64_t turn, const std::string& reduction, const Tensor& input,
                         const Tensor& output, Done done) = 0;
  // Ends the operations that run, and all later ones, with `why`. Does not block. The first call
  // counts.
  virtual void Abort(const absl::Status& why) = 0;
};

// A library of collective operations on the memory of devices, as NCCL.
//
// Owner:    the program.
// Threads:  any.
class DeviceLibrary {
 public:
  virtual ~DeviceLibrary() = default;
  // "NCCL 2.28.3": members use the library if all have the same. UNIMPLEMENTED says why this process
  // cannot use it.
  virtual absl::StatusOr<std::string> Version() const = 0;
  // Text that names the hardware of a device, unique on its host.
  virtual std::string HardwareOf(const Device& device) const = 0;
  // For Connect. One member draws it for all.
  static constexpr size_t kIdBytes = 128;
  virtual absl::StatusOr<std::string> NewId() const = 0;
  // Begins to connect the member `rank` of `size` with the others. Does not block. An error comes
  // with the operations. `device` and `pool` outlive the result.
  virtual absl::StatusOr<std::unique_ptr<DeviceCommunicator>> Connect(Device& device,
                                                                      const std::string& id,
                                                                      int rank, int size,
                                                                      WorkQueue& pool) const = 0;
};

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_DEVICE_LIBRARY_H_
