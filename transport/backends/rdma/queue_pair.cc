// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/queue_pair.h"

#include <algorithm>
#include <random>

#include "core/io/coding.h"
#include "transport/backends/rdma/device.h"

namespace sluice::transport {
namespace {

// The sender has credit for every message that it sends, so a missing buffer is an error.
constexpr uint8_t kReceiverNotReadyRetries = 1, kReceiverNotReadyTimer = 12;
constexpr uint8_t kHopLimit = 64;

uint8_t ReadsOf(int limit) { return static_cast<uint8_t>(std::clamp(limit, 1, 16)); }

}  // namespace

void QueuePairAddress::Write(std::string* out) const {
  for (const uint64_t value :
       {uint64_t{number}, uint64_t{first}, uint64_t{lid}, uint64_t{ethernet}, uint64_t{mtu},
        uint64_t{max_message}, uint64_t{reads}, uint64_t{receives}, uint64_t{receive_bytes}})
    AppendVarint(value, out);
  out->append(reinterpret_cast<const char*>(gid.raw), sizeof(gid.raw));
}

absl::StatusOr<QueuePairAddress> QueuePairAddress::Take(absl::string_view* from) {
  uint64_t values[9];
  for (uint64_t& value : values) {
    if (!TakeVarint(from, &value) || value > UINT32_MAX)
      return InvalidArgument("a malformed endpoint");
  }
  QueuePairAddress peer;
  if (from->size() < sizeof(peer.gid.raw)) return InvalidArgument("a malformed endpoint");
  peer.number = static_cast<uint32_t>(values[0]);
  peer.first = static_cast<uint32_t>(values[1]);
  peer.lid = static_cast<uint16_t>(values[2]);
  peer.ethernet = values[3] != 0;
  peer.mtu = static_cast<uint8_t>(values[4]);
  peer.max_message = static_cast<uint32_t>(values[5]);
  peer.reads = static_cast<uint32_t>(values[6]);
  peer.receives = static_cast<uint32_t>(values[7]);
  peer.receive_bytes = static_cast<uint32_t>(values[8]);
  std::copy_n(from->data(), sizeof(peer.gid.raw), reinterpret_cast<char*>(peer.gid.raw));
  from->remove_prefix(sizeof(peer.gid.raw));
  if (peer.mtu < IBV_MTU_256 || peer.mtu > IBV_MTU_4096 || peer.max_message == 0 ||
      peer.reads == 0 || peer.receives < 2 || peer.receive_bytes < 256)
    return InvalidArgument("an endpoint of impossible limits");
  return peer;
}

QueuePairAddress AddressOf(const RdmaDomain& domain, const ibv_qp& qp) {
  constexpr uint32_t kPacketNumbers = 0xffffff;
  QueuePairAddress mine;
  mine.number = qp.qp_num;
  mine.first = std::random_device()() & kPacketNumbers;
  const RdmaDomain::PortState port = domain.port_state();
  mine.lid = port.attributes.lid;
  mine.gid = port.gid;
  mine.ethernet = domain.ethernet();
  mine.mtu = domain.mtu();
  mine.max_message = std::max(port.attributes.max_msg_sz, uint32_t{1});
  mine.reads = ReadsOf(domain.limits().max_qp_rd_atom);
  mine.receives = RdmaDevice::kReceives;
  mine.receive_bytes = RdmaDevice::kBufferBytes;
  return mine;
}

absl::Status ConnectQueuePair(const RdmaDomain& domain, ibv_qp* qp, const QueuePairAddress& mine,
                              const QueuePairAddress& peer) {
  if (mine.ethernet != peer.ethernet) {
    constexpr absl::string_view kNetworks[] = {"InfiniBand", "Ethernet"};
    return FailedPrecondition("its RDMA device is on ", kNetworks[peer.ethernet], ", ours on ",
                              kNetworks[mine.ethernet]);
  }
  const RdmaSettings& settings = domain.settings();
  ibv_qp_attr to = {};
  to.qp_state = IBV_QPS_RTR;
  to.path_mtu = static_cast<ibv_mtu>(std::min(mine.mtu, peer.mtu));
  to.dest_qp_num = peer.number;
  to.rq_psn = peer.first;
  to.max_dest_rd_atomic = static_cast<uint8_t>(mine.reads);
  to.min_rnr_timer = kReceiverNotReadyTimer;
  to.ah_attr.dlid = peer.lid;
  to.ah_attr.sl = static_cast<uint8_t>(settings.service_level);
  to.ah_attr.port_num = domain.port();
  if (peer.ethernet) {
    to.ah_attr.is_global = 1;
    to.ah_attr.grh.dgid = peer.gid;
    to.ah_attr.grh.sgid_index = domain.port_state().gid_index;
    to.ah_attr.grh.hop_limit = kHopLimit;
    to.ah_attr.grh.traffic_class = static_cast<uint8_t>(settings.traffic_class);
  }
  int error = domain.verbs().modify_qp(qp, &to,
                                       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                                           IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                           IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  if (error != 0) return domain.Failed("ibv_modify_qp to RTR", error);
  ibv_qp_attr on = {};
  on.qp_state = IBV_QPS_RTS;
  on.timeout = static_cast<uint8_t>(settings.timeout);
  on.retry_cnt = static_cast<uint8_t>(settings.retry_count);
  on.rnr_retry = kReceiverNotReadyRetries;
  on.sq_psn = mine.first;
  on.max_rd_atomic = std::min(ReadsOf(domain.limits().max_qp_init_rd_atom),
                              ReadsOf(static_cast<int>(std::min(peer.reads, 16u))));
  error = domain.verbs().modify_qp(qp, &on,
                                   IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                       IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
  return error == 0 ? absl::OkStatus() : domain.Failed("ibv_modify_qp to RTS", error);
}

absl::Status DisableQueuePair(const RdmaDomain& domain, ibv_qp* qp) {
  ibv_qp_attr off = {};
  off.qp_state = IBV_QPS_ERR;
  const int error = domain.verbs().modify_qp(qp, &off, IBV_QP_STATE);
  return error == 0 ? absl::OkStatus() : domain.Failed("ibv_modify_qp to ERR", error);
}

}  // namespace sluice::transport
