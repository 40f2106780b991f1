// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_VERBS_DOUBLE_WORLD_H_
#define SLUICE_TESTS_VERBS_DOUBLE_WORLD_H_

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tests/verbs_double/verbs_double.h"

// The objects of the double, and the functions of its table.
namespace sluice::transport::verbs_double {

inline constexpr uint32_t kMaxMessage = 4 << 20;  // less than many tensors: they travel in pieces
inline constexpr uint32_t kMaxInline = 128;

struct PdObject : ibv_pd {
  int users = 0;
};
struct ContextObject : ibv_context {
  int users = 0;
  std::deque<ibv_async_event> events;
};
struct MrObject : ibv_mr {
  int access = 0;
};
struct ChannelObject : ibv_comp_channel {
  int users = 0;
  std::deque<ibv_cq*> events;
};
struct CqObject : ibv_cq {
  int users = 0;
  bool armed = false;
  unsigned int given = 0, acknowledged = 0;                     // events
  std::deque<std::pair<ibv_wc, struct QpObject*>> completions;  // of sends: the queue pair
};
struct Receive {
  uint64_t id;
  ibv_sge piece;
};
struct SrqObject : ibv_srq {
  int users = 0;
  uint32_t max = 0;
  std::deque<Receive> receives;
};
struct QpObject : ibv_qp {
  uint32_t depth = 0, in_flight = 0, max_inline = 0;
  ibv_qp_attr attributes = {};
};

struct Fault {
  std::string function;  // empty: a request
  int k = 0;
  int error = 0;  // errno, or the completion's status
};

// All state of the double.
struct World {
  std::mutex mu;
  int devices = 1;
  ibv_port_state port_state = IBV_PORT_ACTIVE;
  uint32_t max_message = kMaxMessage;
  uint8_t last_byte = 1;  // of the first device's IPv4 addresses
  ibv_device devices_of[2] = {};
  ibv_device* list[2] = {&devices_of[0], &devices_of[1]};
  int reachable = -1;  // requests until no queue pair reaches another; negative: for ever
  uint32_t last_key = 1000, last_qp = 100;
  std::map<uint32_t, MrObject*> memory;  // by key
  std::map<uint32_t, QpObject*> pairs;   // by number
  std::vector<ContextObject*> contexts;
  std::map<std::string, int> calls, live;
  std::vector<Fault> faults;
  VerbsDouble::Traffic traffic;
  std::string misuse;

  // Counts a call. The errno with which it fails, or 0.
  int Call(const std::string& function) {
    ++calls[function];
    return Fails(function);
  }
  int Fails(const std::string& function) {
    for (auto it = faults.begin(); it != faults.end(); ++it) {
      if (it->function != function || --it->k > 0) continue;
      const int error = it->error;
      faults.erase(it);
      return error;
    }
    return 0;
  }
  void Born(const std::string& kind) { ++live[kind]; }
  void Gone(const std::string& kind) { --live[kind]; }
};

inline World& TheWorld() {
  static auto* const world = new World;
  return *world;
}

inline std::unique_lock<std::mutex> Locked() { return std::unique_lock<std::mutex>(TheWorld().mu); }

template <typename T>
T* FailedWith(int error) {
  errno = error;
  return nullptr;
}

inline void Signal(int descriptor) {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(descriptor, &one, sizeof(one));
}

inline bool TakeSignal(int descriptor) {
  uint64_t one = 0;
  return read(descriptor, &one, sizeof(one)) == sizeof(one);
}

// The functions of the table, under the names of the library.
ibv_device** GetDeviceList(int* count);
void FreeDeviceList(ibv_device**);
const char* GetDeviceName(ibv_device*);
ibv_context* OpenDevice(ibv_device* device);
int CloseDevice(ibv_context* closed);
int QueryDevice(ibv_context*, ibv_device_attr* attributes);
int QueryPort(ibv_context*, uint8_t port, ibv_port_attr* attributes);
int QueryGid(ibv_context*, uint32_t, uint32_t index, ibv_gid_entry* entry, uint32_t, size_t);
int GetAsyncEvent(ibv_context* raiser, ibv_async_event* event);
void AckAsyncEvent(ibv_async_event*);
ibv_pd* AllocPd(ibv_context* context);
int DeallocPd(ibv_pd* freed);
ibv_mr* RegMr(ibv_pd* pd, void* address, size_t bytes, int access);
int DeregMr(ibv_mr* freed);
// Whether the key opens this range for this access.
bool Opens(uint32_t key, const ibv_pd* pd, uint64_t address, uint64_t bytes, int access);
ibv_comp_channel* CreateCompChannel(ibv_context* context);
int DestroyCompChannel(ibv_comp_channel* destroyed);
ibv_cq* CreateCq(ibv_context* context, int entries, void* cq_context, ibv_comp_channel* channel,
                 int);
int DestroyCq(ibv_cq* destroyed);
int GetCqEvent(ibv_comp_channel* raiser, ibv_cq** cq, void** cq_context);
void AckCqEvents(ibv_cq* cq, unsigned int count);
int PollCq(ibv_cq* polled, int count, ibv_wc* completions);
int ReqNotifyCq(ibv_cq* cq, int);
ibv_srq* CreateSrq(ibv_pd* pd, ibv_srq_init_attr* attributes);
int DestroySrq(ibv_srq* destroyed);
int PostSrqRecv(ibv_srq* queue, ibv_recv_wr* request, ibv_recv_wr** bad);
ibv_qp* CreateQp(ibv_pd* pd, ibv_qp_init_attr* init);
int DestroyQp(ibv_qp* destroyed);
int ModifyQp(ibv_qp* modified, ibv_qp_attr* to, int mask);
int PostSend(ibv_qp* poster, ibv_send_wr* request, ibv_send_wr** bad);
const char* WcStatusStr(ibv_wc_status status);
const char* EventTypeStr(ibv_event_type type);

}  // namespace sluice::transport::verbs_double

#endif  // SLUICE_TESTS_VERBS_DOUBLE_WORLD_H_
