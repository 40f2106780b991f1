// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_VERBS_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_VERBS_H_

#include <infiniband/verbs.h>

#include "core/status.h"

namespace sluice::transport {

// The functions of libibverbs that this transport calls, under their names without "ibv_". A test
// double fills another table (tests/verbs_double/). Nothing else here calls the library, so that a
// machine without it can run the program.
struct Verbs {
  ibv_device** (*get_device_list)(int* count);
  void (*free_device_list)(ibv_device** list);
  const char* (*get_device_name)(ibv_device* device);
  ibv_context* (*open_device)(ibv_device* device);
  int (*close_device)(ibv_context* context);
  int (*query_device)(ibv_context* context, ibv_device_attr* attributes);
  int (*query_port)(ibv_context* context, uint8_t port, ibv_port_attr* attributes);
  int (*query_gid_ex)(ibv_context* context, uint32_t port, uint32_t index, ibv_gid_entry* entry,
                      uint32_t flags, size_t entry_size);
  ibv_pd* (*alloc_pd)(ibv_context* context);
  int (*dealloc_pd)(ibv_pd* pd);
  ibv_mr* (*reg_mr)(ibv_pd* pd, void* address, size_t bytes, int access);
  int (*dereg_mr)(ibv_mr* mr);
  ibv_comp_channel* (*create_comp_channel)(ibv_context* context);
  int (*destroy_comp_channel)(ibv_comp_channel* channel);
  ibv_cq* (*create_cq)(ibv_context* context, int entries, void* cq_context,
                       ibv_comp_channel* channel, int vector);
  int (*destroy_cq)(ibv_cq* cq);
  int (*get_cq_event)(ibv_comp_channel* channel, ibv_cq** cq, void** cq_context);
  void (*ack_cq_events)(ibv_cq* cq, unsigned int count);
  ibv_srq* (*create_srq)(ibv_pd* pd, ibv_srq_init_attr* attributes);
  int (*destroy_srq)(ibv_srq* srq);
  ibv_qp* (*create_qp)(ibv_pd* pd, ibv_qp_init_attr* attributes);
  int (*modify_qp)(ibv_qp* qp, ibv_qp_attr* attributes, int mask);
  int (*destroy_qp)(ibv_qp* qp);
  int (*get_async_event)(ibv_context* context, ibv_async_event* event);
  void (*ack_async_event)(ibv_async_event* event);
  const char* (*wc_status_str)(ibv_wc_status status);
  const char* (*event_type_str)(ibv_event_type type);
  // The library has these in the device's context, not as symbols.
  int (*poll_cq)(ibv_cq* cq, int count, ibv_wc* completions);
  int (*req_notify_cq)(ibv_cq* cq, int solicited_only);
  int (*post_send)(ibv_qp* qp, ibv_send_wr* request, ibv_send_wr** bad);
  int (*post_srq_recv)(ibv_srq* srq, ibv_recv_wr* request, ibv_recv_wr** bad);
  // Whether registered memory counts against RLIMIT_MEMLOCK.
  bool pins_memory = true;
  bool has_dmabuf = false;  // ibv_reg_dmabuf_mr, which nothing here calls
};

// The library, opened at the first call; it stays open. kUnavailable with the reason if this
// machine does not have it, or no device.
absl::StatusOr<const Verbs*> OpenVerbs();

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_VERBS_H_
