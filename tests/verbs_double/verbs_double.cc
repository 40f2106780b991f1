// SPDX-License-Identifier: Apache-2.0
#include "tests/verbs_double/verbs_double.h"

#include "absl/strings/str_cat.h"
#include "tests/verbs_double/world.h"

namespace sluice::transport {

using namespace verbs_double;  // NOLINT: its own functions

const Verbs& VerbsDouble::Table() {
  static const Verbs table = {.get_device_list = GetDeviceList,
                              .free_device_list = FreeDeviceList,
                              .get_device_name = GetDeviceName,
                              .open_device = OpenDevice,
                              .close_device = CloseDevice,
                              .query_device = QueryDevice,
                              .query_port = QueryPort,
                              .query_gid_ex = QueryGid,
                              .alloc_pd = AllocPd,
                              .dealloc_pd = DeallocPd,
                              .reg_mr = RegMr,
                              .dereg_mr = DeregMr,
                              .create_comp_channel = CreateCompChannel,
                              .destroy_comp_channel = DestroyCompChannel,
                              .create_cq = CreateCq,
                              .destroy_cq = DestroyCq,
                              .get_cq_event = GetCqEvent,
                              .ack_cq_events = AckCqEvents,
                              .create_srq = CreateSrq,
                              .destroy_srq = DestroySrq,
                              .create_qp = CreateQp,
                              .modify_qp = ModifyQp,
                              .destroy_qp = DestroyQp,
                              .get_async_event = GetAsyncEvent,
                              .ack_async_event = AckAsyncEvent,
                              .wc_status_str = WcStatusStr,
                              .event_type_str = EventTypeStr,
                              .poll_cq = PollCq,
                              .req_notify_cq = ReqNotifyCq,
                              .post_send = PostSend,
                              .post_srq_recv = PostSrqRecv,
                              .pins_memory = false};
  return table;
}

void VerbsDouble::Reset() {
  const auto lock = Locked();
  World& world = TheWorld();
  world.devices = 1;
  world.last_byte = 1;
  world.reachable = -1;
  world.port_state = IBV_PORT_ACTIVE;
  world.max_message = kMaxMessage;
  world.calls.clear();
  world.faults.clear();
  world.traffic = {};
  world.misuse.clear();
}

void VerbsDouble::FailCall(const std::string& function, int k, int error) {
  const auto lock = Locked();
  TheWorld().faults.push_back({function, k, error});
}

void VerbsDouble::FailRequest(int k, ibv_wc_status status) { FailCall("", k, status); }

bool VerbsDouble::Failed() {
  const auto lock = Locked();
  return TheWorld().faults.empty();
}

std::map<std::string, int> VerbsDouble::Calls() {
  const auto lock = Locked();
  return TheWorld().calls;
}

VerbsDouble::Traffic VerbsDouble::Moved() {
  const auto lock = Locked();
  return TheWorld().traffic;
}

std::string VerbsDouble::Live() {
  const auto lock = Locked();
  std::string text;
  for (const auto& [kind, count] : TheWorld().live) {
    if (count != 0) absl::StrAppend(&text, text.empty() ? "" : ", ", count, " ", kind);
  }
  return text;
}

std::string VerbsDouble::Misuse() {
  const auto lock = Locked();
  return TheWorld().misuse;
}

void VerbsDouble::SetReachable(int requests) {
  const auto lock = Locked();
  TheWorld().reachable = requests;
}

void VerbsDouble::Raise(ibv_event_type event) {
  const auto lock = Locked();
  for (ContextObject* context : TheWorld().contexts) {
    ibv_async_event raised = {};
    raised.event_type = event;
    raised.element.port_num = 1;
    context->events.push_back(raised);
    Signal(context->async_fd);
  }
}

void VerbsDouble::SetDevices(int count) {
  const auto lock = Locked();
  TheWorld().devices = count;
}

void VerbsDouble::SetLastByte(uint8_t number) {
  const auto lock = Locked();
  TheWorld().last_byte = number;
}

void VerbsDouble::SetPortState(ibv_port_state state) {
  const auto lock = Locked();
  TheWorld().port_state = state;
}

void VerbsDouble::SetMaxMessage(uint32_t bytes) {
  const auto lock = Locked();
  TheWorld().max_message = bytes;
}

}  // namespace sluice::transport
