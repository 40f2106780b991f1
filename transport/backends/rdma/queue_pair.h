// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_QUEUE_PAIR_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_QUEUE_PAIR_H_

#include <cstdint>
#include <string>

#include "transport/backends/rdma/domain.h"

namespace sluice::transport {

// The data of one queue pair that the peer needs to connect to it.
struct QueuePairAddress {
  uint32_t number = 0;  // of the queue pair
  uint32_t first = 0;   // sequence number of its first packet
  uint16_t lid = 0;     // InfiniBand
  ibv_gid gid = {};     // Ethernet
  bool ethernet = false;
  uint8_t mtu = IBV_MTU_1024;
  uint32_t max_message = 0;  // bytes of one request
  uint32_t reads = 0;        // of the peer that it serves at once
  uint32_t receives = 0,
           receive_bytes = 0;  // its buffers for the peer's messages

  void Write(std::string* out) const;
  // Takes it from the front.
  static absl::StatusOr<QueuePairAddress> Take(absl::string_view* from);
};

// The endpoint of a queue pair in the state INIT.
QueuePairAddress AddressOf(const RdmaDomain& domain, const ibv_qp& qp);

// Brings a queue pair from INIT to a state in which it sends and receives. FAILED_PRECONDITION if
// the two ends cannot be connected.
absl::Status ConnectQueuePair(const RdmaDomain& domain, ibv_qp* qp, const QueuePairAddress& mine,
                              const QueuePairAddress& peer);

// After it no request of either side moves data, and those in flight end with an error.
absl::Status DisableQueuePair(const RdmaDomain& domain, ibv_qp* qp);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_QUEUE_PAIR_H_
