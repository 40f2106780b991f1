// SPDX-License-Identifier: Apache-2.0
// Completion queues, queue pairs and their requests.
#include <sys/eventfd.h>

#include <cstring>
#include <iterator>

#include "tests/verbs_double/world.h"

namespace sluice::transport::verbs_double {

ibv_comp_channel* CreateCompChannel(ibv_context* context) {
  const auto lock = Locked();
  World& world = TheWorld();
  if (const int error = world.Call("ibv_create_comp_channel"); error != 0)
    return FailedWith<ibv_comp_channel>(error);
  auto* channel = new ChannelObject;
  channel->context = context;
  channel->fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
  ++static_cast<ContextObject*>(context)->users;
  world.Born("ibv_comp_channel");
  return channel;
}

int DestroyCompChannel(ibv_comp_channel* destroyed) {
  const auto lock = Locked();
  auto* channel = static_cast<ChannelObject*>(destroyed);
  if (channel->users > 0) return EBUSY;
  close(channel->fd);
  --static_cast<ContextObject*>(channel->context)->users;
  TheWorld().Gone("ibv_comp_channel");
  delete channel;
  return 0;
}

ibv_cq* CreateCq(ibv_context* context, int entries, void* cq_context, ibv_comp_channel* channel,
                 int) {
  const auto lock = Locked();
  World& world = TheWorld();
  if (const int error = world.Call("ibv_create_cq"); error != 0) return FailedWith<ibv_cq>(error);
  auto* cq = new CqObject;
  cq->context = context;
  cq->channel = channel;
  cq->cq_context = cq_context;
  cq->cqe = entries;
  ++static_cast<ChannelObject*>(channel)->users;
  world.Born("ibv_cq");
  return cq;
}

int DestroyCq(ibv_cq* destroyed) {
  const auto lock = Locked();
  auto* cq = static_cast<CqObject*>(destroyed);
  if (cq->users > 0 || cq->given != cq->acknowledged) return EBUSY;  // the library would wait
  auto* channel = static_cast<ChannelObject*>(cq->channel);
  --channel->users;
  std::erase(channel->events, cq);
  TheWorld().Gone("ibv_cq");
  delete cq;
  return 0;
}

int GetCqEvent(ibv_comp_channel* raiser, ibv_cq** cq, void** cq_context) {
  auto* channel = static_cast<ChannelObject*>(raiser);
  if (!TakeSignal(channel->fd)) return -1;
  const auto lock = Locked();
  *cq = channel->events.front();
  *cq_context = (*cq)->cq_context;
  channel->events.pop_front();
  ++static_cast<CqObject*>(*cq)->given;
  return 0;
}

void AckCqEvents(ibv_cq* cq, unsigned int count) {
  const auto lock = Locked();
  static_cast<CqObject*>(cq)->acknowledged += count;
}

static void Complete(ibv_cq* at, const ibv_wc& completion, QpObject* sender) {
  auto* cq = static_cast<CqObject*>(at);
  if (cq->completions.size() >= static_cast<size_t>(cq->cqe))
    TheWorld().misuse = "a completion queue is full";
  cq->completions.emplace_back(completion, sender);
  if (!std::exchange(cq->armed, false)) return;
  auto* channel = static_cast<ChannelObject*>(cq->channel);
  channel->events.push_back(cq);
  Signal(channel->fd);
}

int PollCq(ibv_cq* polled, int count, ibv_wc* completions) {
  const auto lock = Locked();
  if (TheWorld().Call("ibv_poll_cq") != 0) return -1;
  auto* cq = static_cast<CqObject*>(polled);
  int taken = 0;
  for (; taken < count && !cq->completions.empty(); ++taken) {
    const auto [completion, sender] = cq->completions.front();
    completions[taken] = completion;
    if (sender != nullptr) --sender->in_flight;
    cq->completions.pop_front();
  }
  return taken;
}

int ReqNotifyCq(ibv_cq* cq, int) {
  const auto lock = Locked();
  if (const int error = TheWorld().Call("ibv_req_notify_cq"); error != 0) return error;
  static_cast<CqObject*>(cq)->armed = true;
  return 0;
}

// --- queues ---

ibv_srq* CreateSrq(ibv_pd* pd, ibv_srq_init_attr* attributes) {
  const auto lock = Locked();
  World& world = TheWorld();
  if (const int error = world.Call("ibv_create_srq"); error != 0) return FailedWith<ibv_srq>(error);
  auto* srq = new SrqObject;
  srq->context = pd->context;
  srq->pd = pd;
  srq->max = attributes->attr.max_wr;
  ++static_cast<PdObject*>(pd)->users;
  world.Born("ibv_srq");
  return srq;
}

int DestroySrq(ibv_srq* destroyed) {
  const auto lock = Locked();
  auto* srq = static_cast<SrqObject*>(destroyed);
  if (srq->users > 0) return EBUSY;
  --static_cast<PdObject*>(srq->pd)->users;
  TheWorld().Gone("ibv_srq");
  delete srq;
  return 0;
}

int PostSrqRecv(ibv_srq* queue, ibv_recv_wr* request, ibv_recv_wr** bad) {
  const auto lock = Locked();
  *bad = request;
  if (const int error = TheWorld().Call("ibv_post_srq_recv"); error != 0) return error;
  auto* srq = static_cast<SrqObject*>(queue);
  if (srq->receives.size() >= srq->max) return ENOMEM;
  if (request->num_sge != 1) return EINVAL;
  srq->receives.push_back({request->wr_id, *request->sg_list});
  return 0;
}

ibv_qp* CreateQp(ibv_pd* pd, ibv_qp_init_attr* init) {
  const auto lock = Locked();
  World& world = TheWorld();
  if (const int error = world.Call("ibv_create_qp"); error != 0) return FailedWith<ibv_qp>(error);
  if (init->qp_type != IBV_QPT_RC || init->cap.max_inline_data > kMaxInline)
    return FailedWith<ibv_qp>(EINVAL);
  auto* qp = new QpObject;
  qp->context = pd->context;
  qp->pd = pd;
  qp->send_cq = init->send_cq;
  qp->recv_cq = init->recv_cq;
  qp->srq = init->srq;
  qp->qp_num = ++world.last_qp;
  qp->state = IBV_QPS_RESET;
  qp->depth = init->cap.max_send_wr;
  qp->max_inline = init->cap.max_inline_data;
  world.pairs[qp->qp_num] = qp;
  ++static_cast<PdObject*>(pd)->users;
  ++static_cast<CqObject*>(qp->send_cq)->users;
  ++static_cast<SrqObject*>(qp->srq)->users;
  world.Born("ibv_qp");
  return qp;
}

int DestroyQp(ibv_qp* destroyed) {
  const auto lock = Locked();
  World& world = TheWorld();
  auto* qp = static_cast<QpObject*>(destroyed);
  auto* cq = static_cast<CqObject*>(qp->send_cq);
  for (auto& [completion, sender] : cq->completions) {
    if (sender == qp) sender = nullptr;
  }
  --static_cast<PdObject*>(qp->pd)->users;
  --cq->users;
  --static_cast<SrqObject*>(qp->srq)->users;
  world.pairs.erase(qp->qp_num);
  world.Gone("ibv_qp");
  delete qp;
  return 0;
}

int ModifyQp(ibv_qp* modified, ibv_qp_attr* to, int mask) {
  const auto lock = Locked();
  if (const int error = TheWorld().Call("ibv_modify_qp"); error != 0) return error;
  auto* qp = static_cast<QpObject*>(modified);
  struct Step {
    ibv_qp_state from, to;
    int mask;
  };
  constexpr Step kSteps[] = {{IBV_QPS_RESET, IBV_QPS_INIT,
                              IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS},
                             {IBV_QPS_INIT, IBV_QPS_RTR,
                              IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                                  IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER},
                             {IBV_QPS_RTR, IBV_QPS_RTS,
                              IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                                  IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC}};
  const auto step = std::find_if(std::begin(kSteps), std::end(kSteps), [&](const Step& one) {
    return one.from == qp->state && one.to == to->qp_state && one.mask == mask;
  });
  if (to->qp_state != IBV_QPS_ERR && step == std::end(kSteps)) return EINVAL;
  ibv_qp_attr& now = qp->attributes;
  if (to->qp_state == IBV_QPS_INIT) now.qp_access_flags = to->qp_access_flags;
  if (to->qp_state == IBV_QPS_RTR) {
    now.dest_qp_num = to->dest_qp_num;
    now.rq_psn = to->rq_psn;
  }
  if (to->qp_state == IBV_QPS_RTS) now.sq_psn = to->sq_psn;
  qp->state = to->qp_state;
  return 0;
}

// --- requests ---

static ibv_wc CompletionOf(uint64_t id, const QpObject& qp, ibv_wc_status status) {
  ibv_wc completion = {};
  completion.wr_id = id;
  completion.status = status;
  completion.qp_num = qp.qp_num;
  return completion;
}

// The queue pair at the other end, if it can receive from this one.
static QpObject* PeerOf(const QpObject& qp) {
  World& world = TheWorld();
  auto it = world.pairs.find(qp.attributes.dest_qp_num);
  if (it == world.pairs.end()) return nullptr;
  QpObject* peer = it->second;
  const bool receives = peer->state == IBV_QPS_RTR || peer->state == IBV_QPS_RTS;
  const bool ours =
      peer->attributes.dest_qp_num == qp.qp_num && peer->attributes.rq_psn == qp.attributes.sq_psn;
  return receives && ours ? peer : nullptr;
}

static ibv_wc_status Send(QpObject& peer, const char* data, uint32_t bytes) {
  auto* srq = static_cast<SrqObject*>(peer.srq);
  if (srq->receives.empty()) return IBV_WC_RNR_RETRY_EXC_ERR;
  const Receive receive = srq->receives.front();
  srq->receives.pop_front();
  ibv_wc received = CompletionOf(receive.id, peer, IBV_WC_SUCCESS);
  const ibv_sge& piece = receive.piece;
  if (bytes > piece.length ||
      !Opens(piece.lkey, peer.pd, piece.addr, bytes, IBV_ACCESS_LOCAL_WRITE)) {
    received.status = IBV_WC_LOC_PROT_ERR;
    Complete(peer.recv_cq, received, nullptr);
    return IBV_WC_REM_OP_ERR;
  }
  std::memcpy(reinterpret_cast<void*>(piece.addr), data, bytes);
  received.opcode = IBV_WC_RECV;
  received.byte_len = bytes;
  Complete(peer.recv_cq, received, nullptr);
  return IBV_WC_SUCCESS;
}

static ibv_wc_status CarryOut(QpObject& qp, const ibv_send_wr& request) {
  World& world = TheWorld();
  if (const int status = world.Fails(""); status != 0) return static_cast<ibv_wc_status>(status);
  const ibv_sge piece = request.num_sge > 0 ? *request.sg_list : ibv_sge{};
  const bool read = request.opcode == IBV_WR_RDMA_READ;
  const bool by_value = (request.send_flags & IBV_SEND_INLINE) != 0;
  if (piece.length > world.max_message) return IBV_WC_LOC_LEN_ERR;
  if (!by_value && piece.length > 0 &&
      !Opens(piece.lkey, qp.pd, piece.addr, piece.length, read ? IBV_ACCESS_LOCAL_WRITE : 0))
    return IBV_WC_LOC_PROT_ERR;
  const bool reached = world.reachable != 0;
  if (world.reachable > 0) --world.reachable;
  QpObject* peer = PeerOf(qp);
  if (peer == nullptr || !reached) return IBV_WC_RETRY_EXC_ERR;
  if (request.opcode == IBV_WR_RDMA_WRITE && piece.length == 0) {
    ++world.traffic.empty_writes;
    return IBV_WC_SUCCESS;
  }
  auto* local = reinterpret_cast<char*>(piece.addr);
  if (request.opcode == IBV_WR_SEND) {
    const ibv_wc_status status = Send(*peer, local, piece.length);
    if (status == IBV_WC_SUCCESS) {
      ++world.traffic.sends;
      world.traffic.send_bytes += piece.length;
    }
    return status;
  }
  const int access = read ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE;
  const auto& remote = request.wr.rdma;
  if ((peer->attributes.qp_access_flags & static_cast<unsigned>(access)) == 0 ||
      !Opens(remote.rkey, peer->pd, remote.remote_addr, piece.length, access))
    return IBV_WC_REM_ACCESS_ERR;
  auto* there = reinterpret_cast<char*>(remote.remote_addr);
  std::memcpy(read ? local : there, read ? there : local, piece.length);
  ++(read ? world.traffic.reads : world.traffic.writes);
  (read ? world.traffic.read_bytes : world.traffic.write_bytes) += piece.length;
  return IBV_WC_SUCCESS;
}

int PostSend(ibv_qp* poster, ibv_send_wr* request, ibv_send_wr** bad) {
  const auto lock = Locked();
  *bad = request;
  if (const int error = TheWorld().Call("ibv_post_send"); error != 0) return error;
  auto* qp = static_cast<QpObject*>(poster);
  const bool sends = qp->state == IBV_QPS_RTS || qp->state == IBV_QPS_ERR;
  const bool by_value = (request->send_flags & IBV_SEND_INLINE) != 0;
  const bool empty = request->num_sge == 0 && request->opcode == IBV_WR_RDMA_WRITE;
  if (!sends || (request->num_sge != 1 && !empty) ||
      (request->send_flags & IBV_SEND_SIGNALED) == 0 ||
      (by_value && request->sg_list->length > qp->max_inline))
    return EINVAL;
  if (qp->in_flight >= qp->depth) return ENOMEM;
  ++qp->in_flight;
  const ibv_wc_status status =
      qp->state == IBV_QPS_ERR ? IBV_WC_WR_FLUSH_ERR : CarryOut(*qp, *request);
  if (status != IBV_WC_SUCCESS) qp->state = IBV_QPS_ERR;
  Complete(qp->send_cq, CompletionOf(request->wr_id, *qp, status), qp);
  return 0;
}

const char* WcStatusStr(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_RETRY_EXC_ERR:
      return "transport retry counter exceeded";
    case IBV_WC_REM_ACCESS_ERR:
      return "remote access error";
    case IBV_WC_RNR_RETRY_EXC_ERR:
      return "RNR retry counter exceeded";
    case IBV_WC_WR_FLUSH_ERR:
      return "Work Request Flushed Error";
    default:
      return "another error";
  }
}

const char* EventTypeStr(ibv_event_type type) {
  return type == IBV_EVENT_PORT_ERR ? "port error" : "another event";
}

}  // namespace sluice::transport::verbs_double
