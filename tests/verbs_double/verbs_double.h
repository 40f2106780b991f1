// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_VERBS_DOUBLE_VERBS_DOUBLE_H_
#define SLUICE_TESTS_VERBS_DOUBLE_VERBS_DOUBLE_H_

#include <cstdint>
#include <map>
#include <string>

#include "transport/backends/rdma/verbs.h"

namespace sluice::transport {

// A double of libibverbs and of RDMA devices in one process: a device "double0" with one Ethernet
// port (and "double1"), and queue pairs that reach each other. A request is carried out while it is posted, and its
// completion waits in the queue. What real devices refuse is refused: keys, ranges and access
// rights of memory, states of queue pairs, requests beyond the depth of a queue, messages without a
// posted buffer, objects that are destroyed while others use them.
//
// Threads:  any. One process has one double: tests of it run one after the
// other.
struct VerbsDouble {
  // The functions, for RdmaTransportOptions::verbs.
  static const Verbs& Table();
  // Forgets faults, counts and limits, and the messages to the test.
  static void Reset();

  // The k-th call of a function from now on (1: the next) fails with this errno. Names as in the
  // library: "ibv_reg_mr"; "ibv_reg_mr without access" is one for this device's reading only.
  static void FailCall(const std::string& function, int k, int error);
  // The k-th request from now on completes with this status, and moves no data.
  static void FailRequest(int k, ibv_wc_status status);
  // Whether all faults have happened.
  static bool Failed();
  // Calls of each function since Reset.
  static std::map<std::string, int> Calls();
  // Requests that moved data since Reset, and their bytes.
  struct Traffic {
    int64_t sends = 0, writes = 0, reads = 0, empty_writes = 0;
    int64_t send_bytes = 0, write_bytes = 0, read_bytes = 0;
  };
  static Traffic Moved();

  // Objects that exist: "" or "2 ibv_mr, 1 ibv_qp".
  static std::string Live();
  // Misuse that has no error code: "" or what it was.
  static std::string Misuse();

  // After so many more requests no queue pair reaches another, as if the network were gone; -1: all
  // do again.
  static void SetReachable(int requests);
  // An event of the port of all devices that are open.
  static void Raise(ibv_event_type event);
  static void SetDevices(int count);  // of the machine, at most two; 1 after Reset
  // The IPv4 addresses of the ports end in this number; 1 after Reset.
  static void SetLastByte(uint8_t number);
  static void SetPortState(ibv_port_state state);
  static void SetMaxMessage(uint32_t bytes);  // of the port
};

}  // namespace sluice::transport

#endif  // SLUICE_TESTS_VERBS_DOUBLE_VERBS_DOUBLE_H_
