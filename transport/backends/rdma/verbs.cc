// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/verbs.h"

#include <dlfcn.h>
#include <unistd.h>

namespace sluice::transport {
namespace {

constexpr char kLibrary[] = "libibverbs.so.1";
constexpr char kDevices[] = "/sys/class/infiniband";  // where the kernel lists them

template <typename Function>
absl::Status Find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (function != nullptr) return absl::OkStatus();
  return Unavailable(kLibrary, " of this machine is too old: it lacks ", name);
}

absl::StatusOr<const Verbs*> Load() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return Unavailable("no verbs library (Debian: apt install ibverbs-providers): ",
                       reason == nullptr ? kLibrary : reason);
  }
  static Verbs verbs;
#define SLUICE_FIND(name) SLUICE_RETURN_IF_ERROR(Find(library, "ibv_" #name, verbs.name))
  SLUICE_FIND(get_device_list);
  SLUICE_FIND(free_device_list);
  SLUICE_FIND(get_device_name);
  SLUICE_FIND(open_device);
  SLUICE_FIND(close_device);
  SLUICE_FIND(query_device);
  SLUICE_FIND(query_port);
  SLUICE_RETURN_IF_ERROR(Find(library, "_ibv_query_gid_ex", verbs.query_gid_ex));
  SLUICE_FIND(alloc_pd);
  SLUICE_FIND(dealloc_pd);
  SLUICE_RETURN_IF_ERROR(Find(library, "ibv_reg_mr", verbs.reg_mr));
  SLUICE_FIND(dereg_mr);
  SLUICE_FIND(create_comp_channel);
  SLUICE_FIND(destroy_comp_channel);
  SLUICE_FIND(create_cq);
  SLUICE_FIND(destroy_cq);
  SLUICE_FIND(get_cq_event);
  SLUICE_FIND(ack_cq_events);
  SLUICE_FIND(create_srq);
  SLUICE_FIND(destroy_srq);
  SLUICE_FIND(create_qp);
  SLUICE_FIND(modify_qp);
  SLUICE_FIND(destroy_qp);
  SLUICE_FIND(get_async_event);
  SLUICE_FIND(ack_async_event);
  SLUICE_FIND(wc_status_str);
  SLUICE_FIND(event_type_str);
#undef SLUICE_FIND
  verbs.has_dmabuf = dlsym(library, "ibv_reg_dmabuf_mr") != nullptr;
  verbs.poll_cq = [](ibv_cq* cq, int count, ibv_wc* completions) {
    return ibv_poll_cq(cq, count, completions);
  };
  verbs.req_notify_cq = [](ibv_cq* cq, int solicited) { return ibv_req_notify_cq(cq, solicited); };
  verbs.post_send = [](ibv_qp* qp, ibv_send_wr* request, ibv_send_wr** bad) {
    return ibv_post_send(qp, request, bad);
  };
  verbs.post_srq_recv = [](ibv_srq* srq, ibv_recv_wr* request, ibv_recv_wr** bad) {
    return ibv_post_srq_recv(srq, request, bad);
  };
  return &verbs;
}

}  // namespace

absl::StatusOr<const Verbs*> OpenVerbs() {
  // Most machines have none, and need not open the library.
  if (access(kDevices, F_OK) != 0)
    return Unavailable("this machine has no RDMA device: there is no ", kDevices);
  static const auto* const loaded = new absl::StatusOr<const Verbs*>(Load());
  return *loaded;
}

}  // namespace sluice::transport
