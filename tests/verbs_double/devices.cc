// SPDX-License-Identifier: Apache-2.0
// Devices, their events and their memory.
#include <sys/eventfd.h>

#include "tests/verbs_double/world.h"

namespace sluice::transport::verbs_double {

ibv_device** GetDeviceList(int* count) {
  const auto lock = Locked();
  World& world = TheWorld();
  if (const int error = world.Call("ibv_get_device_list"); error != 0)
    return FailedWith<ibv_device*>(error);
  *count = world.devices;
  world.Born("device list");
  return world.list;
}

void FreeDeviceList(ibv_device**) {
  const auto lock = Locked();
  TheWorld().Gone("device list");
}

const char* GetDeviceName(ibv_device* device) {
  return device == &TheWorld().devices_of[0] ? "double0" : "double1";
}

ibv_context* OpenDevice(ibv_device* device) {
  const auto lock = Locked();
  World& world = TheWorld();
  if (const int error = world.Call("ibv_open_device"); error != 0)
    return FailedWith<ibv_context>(error);
  auto* context = new ContextObject;
  context->device = device;
  context->async_fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
  world.contexts.push_back(context);
  world.Born("ibv_context");
  return context;
}

int CloseDevice(ibv_context* closed) {
  const auto lock = Locked();
  World& world = TheWorld();
  auto* context = static_cast<ContextObject*>(closed);
  if (context->users > 0) return EBUSY;
  close(context->async_fd);
  std::erase(world.contexts, context);
  world.Gone("ibv_context");
  delete context;
  return 0;
}

int QueryDevice(ibv_context*, ibv_device_attr* attributes) {
  const auto lock = Locked();
  if (const int error = TheWorld().Call("ibv_query_device"); error != 0) return error;
  *attributes = {};
  attributes->phys_port_cnt = 1;
  attributes->max_qp = 1 << 16;
  attributes->max_mr = 1 << 16;
  attributes->max_qp_wr = 1 << 14;
  attributes->max_cqe = 1 << 15;
  attributes->max_srq_wr = 1 << 14;
  attributes->max_qp_rd_atom = attributes->max_qp_init_rd_atom = 16;
  return 0;
}

int QueryPort(ibv_context*, uint8_t port, ibv_port_attr* attributes) {
  const auto lock = Locked();
  World& world = TheWorld();
  if (const int error = world.Call("ibv_query_port"); error != 0) return error;
  if (port != 1) return EINVAL;
  attributes->state = world.port_state;
  attributes->max_mtu = attributes->active_mtu = IBV_MTU_4096;
  attributes->gid_tbl_len = 8;
  attributes->max_msg_sz = world.max_message;
  attributes->link_layer = IBV_LINK_LAYER_ETHERNET;
  return 0;
}

// Entries: a link-local address by RoCE v1 and v2, 10.0.0.N by v1 and v2, 10.0.1.N by v1 and v2; N is
// the number of the device from 1.
int QueryGid(ibv_context* context, uint32_t, uint32_t index, ibv_gid_entry* entry, uint32_t,
             size_t) {
  const auto lock = Locked();
  if (const int error = TheWorld().Call("ibv_query_gid_ex"); error != 0) return error;
  if (index > 5) return ENODATA;
  *entry = {};
  entry->gid_index = index;
  entry->gid_type = index % 2 == 0 ? IBV_GID_TYPE_ROCE_V1 : IBV_GID_TYPE_ROCE_V2;
  uint8_t* raw = entry->gid.raw;
  if (index < 2) {
    raw[0] = 0xfe;
    raw[1] = 0x80;
    raw[15] = 1;
  } else {
    raw[10] = raw[11] = 0xff;
    raw[12] = 10;
    raw[14] = index > 3;
    raw[15] =
        static_cast<uint8_t>(TheWorld().last_byte + (context->device - TheWorld().devices_of));
  }
  return 0;
}

int GetAsyncEvent(ibv_context* raiser, ibv_async_event* event) {
  auto* context = static_cast<ContextObject*>(raiser);
  if (!TakeSignal(context->async_fd)) return -1;
  const auto lock = Locked();
  TheWorld().Born("event that is not acknowledged");
  *event = context->events.front();
  context->events.pop_front();
  return 0;
}

void AckAsyncEvent(ibv_async_event*) {
  const auto lock = Locked();
  TheWorld().Gone("event that is not acknowledged");
}

// --- memory ---

ibv_pd* AllocPd(ibv_context* context) {
  const auto lock = Locked();
  World& world = TheWorld();
  if (const int error = world.Call("ibv_alloc_pd"); error != 0) return FailedWith<ibv_pd>(error);
  auto* pd = new PdObject;
  pd->context = context;
  ++static_cast<ContextObject*>(context)->users;
  world.Born("ibv_pd");
  return pd;
}

int DeallocPd(ibv_pd* freed) {
  const auto lock = Locked();
  auto* pd = static_cast<PdObject*>(freed);
  if (pd->users > 0) return EBUSY;
  --static_cast<ContextObject*>(pd->context)->users;
  TheWorld().Gone("ibv_pd");
  delete pd;
  return 0;
}

ibv_mr* RegMr(ibv_pd* pd, void* address, size_t bytes, int access) {
  const auto lock = Locked();
  World& world = TheWorld();
  if (const int error = world.Call("ibv_reg_mr"); error != 0) return FailedWith<ibv_mr>(error);
  if (const int error = access == 0 ? world.Fails("ibv_reg_mr without access") : 0; error != 0)
    return FailedWith<ibv_mr>(error);
  if ((access & IBV_ACCESS_REMOTE_WRITE) != 0 && (access & IBV_ACCESS_LOCAL_WRITE) == 0)
    return FailedWith<ibv_mr>(EINVAL);
  auto* mr = new MrObject;
  mr->context = pd->context;
  mr->pd = pd;
  mr->addr = address;
  mr->length = bytes;
  mr->access = access;
  mr->lkey = mr->rkey = ++world.last_key;
  world.memory[mr->lkey] = mr;
  ++static_cast<PdObject*>(pd)->users;
  world.Born("ibv_mr");
  return mr;
}

int DeregMr(ibv_mr* freed) {
  const auto lock = Locked();
  World& world = TheWorld();
  auto* mr = static_cast<MrObject*>(freed);
  --static_cast<PdObject*>(mr->pd)->users;
  world.memory.erase(mr->lkey);
  world.Gone("ibv_mr");
  delete mr;
  return 0;
}

bool Opens(uint32_t key, const ibv_pd* pd, uint64_t address, uint64_t bytes, int access) {
  const World& world = TheWorld();
  auto it = world.memory.find(key);
  if (it == world.memory.end()) return false;
  const MrObject& mr = *it->second;
  const auto begin = reinterpret_cast<uint64_t>(mr.addr);
  return mr.pd == pd && (mr.access & access) == access && address >= begin &&
         address - begin <= mr.length && bytes <= mr.length - (address - begin);
}

}  // namespace sluice::transport::verbs_double
