// SPDX-License-Identifier: Apache-2.0
#include "transport/rdma_options.h"

#include <climits>

namespace sluice::transport {

absl::Span<const RdmaOption> RdmaOptions() {
  using S = RdmaSettings;
  static constexpr RdmaOption kRows[] = {
      {"rdma_device", &S::device,
       "the first with the address that the cluster gives this task, else the first active one",
       "name of the RDMA device, such as mlx5_0"},
      {"rdma_port", &S::port, "0: the first active one", "port of the device", 0, 255},
      {"rdma_gid_index", &S::gid_index,
       "-1: RoCE v2 before v1, then the address of this task, then any IPv4 address, link-local "
       "ones last",
       "entry of the port's table of GIDs", -1, 255},
      {"rdma_mtu", &S::mtu, "0: what the port has; the smaller one of both ends counts",
       "largest bytes of a packet: 256, 512, 1024, 2048 or 4096", 0, 4096},
      {"rdma_service_level", &S::service_level, "0", "service level of the packets (InfiniBand)", 0,
       15},
      {"rdma_traffic_class", &S::traffic_class, "0",
       "traffic class of the packets (RoCE: the DSCP is its upper six bits)", 0, 255},
      {"rdma_timeout", &S::timeout, "14: 67 ms",
       "a packet without an answer is sent again after 4.096 us times 2 to this power", 1, 31},
      {"rdma_retry_count", &S::retry_count, "7",
       "times that a packet is sent again before its peer counts as unreachable", 0, 7},
      {"rdma_pinned_mb", &S::pinned_mb, "0: half of this process's memory limit",
       "limit of the memory that is registered with the device, in MB", 0, INT_MAX},
      {"rdma_unencrypted", &S::unencrypted, "off: a cluster with TLS does not use RDMA",
       "let a cluster with TLS send tensors by RDMA, unencrypted"},
  };
  return kRows;
}

}  // namespace sluice::transport
