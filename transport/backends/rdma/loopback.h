// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_LOOPBACK_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_LOOPBACK_H_

#include <memory>

#include "transport/backends/rdma/device.h"

namespace sluice::transport {

// Whether the device works: two queue pairs of it exchange a SEND, a WRITE and a READ. kUnavailable
// with the reason if not. It takes microseconds, at most two seconds. REQUIRES: the device has not
// started.
absl::Status TestLoopback(const std::shared_ptr<RdmaDevice>& device);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_LOOPBACK_H_
