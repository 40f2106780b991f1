// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_COUNTERS_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_COUNTERS_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"

namespace sluice::transport {

// What this process did by RDMA since its start.
//
// Threads:  any.
struct RdmaCounters {
  using Count = std::atomic<int64_t>;
  Count write_bytes{0}, read_bytes{0};  // contents, in one-sided requests
  Count send_bytes{0};                  // messages: frames, small contents, answers
  Count copied_bytes{0};                // of contents, by the processor, before they were sent
  Count writes{0}, reads{0}, sends{0};  // requests
  Count probes{0};                      // empty WRITEs
  Count registrations{0};
  Count polls{0};  // looks at the completion queue

  std::string ToString() const {
    return absl::StrCat("written ", write_bytes.load(), " bytes in ", writes.load(),
                        " requests, read ", read_bytes.load(), " in ", reads.load(), ", sent ",
                        send_bytes.load(), " in ", sends.load(), "; copied ", copied_bytes.load(),
                        " bytes; ", registrations.load(), " registrations, ", probes.load(),
                        " probes, ", polls.load(), " polls");
  }
};

inline RdmaCounters& TheRdmaCounters() {
  static RdmaCounters counters;
  return counters;
}

inline void Add(RdmaCounters::Count& count, uint64_t value = 1) {
  count.fetch_add(static_cast<int64_t>(value), std::memory_order_relaxed);
}

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_COUNTERS_H_
