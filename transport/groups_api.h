// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GROUPS_API_H_
#define SLUICE_TRANSPORT_GROUPS_API_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// A member of a group for collective operations: a device of a task.
struct GroupMember {
  std::string task;          // "/job:worker/replica:0/task:1"
  std::string device;        // "/job:worker/replica:0/task:1/device:CPU:0"
  std::string host;          // the task's HostId()
  uint64_t process = 0;      // drawn when the task's process starts
  std::string address = "";  // the task's "host:port"
  std::string session = "";  // whose steps run there
  // The member's library of collective operations on the memory of its device, as
  // DeviceLibrary::Version says. Empty: it has none, because of `no_library`.
  std::string library = "";
  std::string no_library = "";
  std::string hardware = "";     // DeviceLibrary::HardwareOf its device
  std::string ToString() const;  // "/job:worker/replica:0/task:1/device:CPU:0 at localhost:2222"
};

struct JoinGroup {
  int64_t key = 0;
  int size = 0;  // members
  std::string device_type;
  GroupMember member;
  int rank = -1;  // that the program requires; -1: by the order of devices
};

// A complete group. Its incarnation lives until its first failure.
struct GroupRoster {
  uint64_t incarnation = 0;
  std::vector<GroupMember> members;  // by rank
  // Not OK: the leader answers that the group cannot be complete, because a member is gone. Then
  // the rest is empty.
  absl::Status member_gone = absl::OkStatus();
};

// By instance: how many rounds of it a member has completed. 0 if it is not there.
using CompletedRounds = absl::flat_hash_map<int64_t, uint64_t>;

struct EndGroup {
  int64_t key = 0;
  uint64_t incarnation = 0;
  absl::Status cause;
  // A member has joined again. Members that have begun no round join again without an error, the
  // others get `cause` once: that member may have run fewer rounds than they have. Without
  // `leaver`, what still runs may finish if it does so soon.
  bool superseded = false;
  // With incarnation 0: the device that ends it. It may be a member of a complete group, if it gave
  // up before it knew.
  std::string device = "";
  // With incarnation 0: a step of the device has failed before the device joined. Members that join
  // after that would wait for it in vain.
  bool step_failed = false;
  // The rank of a member that leaves but lives, and what it has completed. It has sent its messages
  // of these rounds, so the others may finish them. -1: none.
  int leaver = -1;
  CompletedRounds completed = {};
};

struct ProbeGroup {
  int64_t key = 0;
  uint64_t incarnation = 0;  // 0: asks the leader for the members that have not joined
  int64_t instance = 0;      // the operation that is waited for
  int rank = 0;              // of the member that is asked
};

struct GroupState {
  uint64_t process = 0;     // of the task that answers
  absl::Status ended;       // the cause if the incarnation ended there, else OK
  std::string state;        // "has ended 2 steps since its last run of it", "1 of 2 members ..."
  std::string description;  // what the instance is there; empty if it never ran
};

// The calls between the members of a group and its leader. The GroupsApi in this process and one
// behind gRPC look the same.
//
// Threads:  any. Replies must not block.
// Errors:   kUnavailable names task and address if it cannot be reached.
class GroupsApi {
 public:
  virtual ~GroupsApi() = default;
  // Asks the leader. Answers when all members have joined.
  virtual void Join(const JoinGroup& request, const CallOptions& options,
                    Reply<GroupRoster> done) = 0;
  // Ends an incarnation, at its leader and at its members. The leader passes it on to all members.
  virtual void End(const EndGroup& request, const CallOptions& options, Ack done) = 0;
  // Asks a member, or the leader, whether it lives and what it does.
  virtual void Probe(const ProbeGroup& request, const CallOptions& options,
                     Reply<GroupState> done) = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GROUPS_API_H_
