// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_REPORT_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_REPORT_H_

#include <string>

#include "transport/rdma_options.h"

namespace sluice::transport {

struct Verbs;  // verbs.h

// What a machine has for RDMA, for people: library, devices, ports, GIDs, limits, the settings that
// a task would use, and whether the device reaches itself.
struct RdmaReport {
  std::string text;
  bool works = false;
};
// `address`: "host:port" of the task, or empty. `verbs`: null for the library of this machine.
RdmaReport ReportRdma(const RdmaSettings& settings, const std::string& address,
                      const Verbs* verbs = nullptr);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_REPORT_H_
