#ifndef SLUICE_TRANSPORT_INTRODUCER_H_
#define SLUICE_TRANSPORT_INTRODUCER_H_

#include <string>
#include <utility>
#include <vector>

#include "transport/road.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// A task that wants to send tensors to another.
struct Introduction {
  Visitor visitor;
  std::string to;                  // the task it means
  std::vector<std::string> roads;  // that it may take, the best first
};

// A transport that is not used.
struct RefusedRoad {
  std::string road, why;
  bool rare = false;  // Road::rare
};

struct Welcome {
  std::vector<Invitation> invitations;
  std::vector<RefusedRoad> refused;
};

// The transport of the tensors to a peer, and the reasons against better ones.
struct RoadChoice {
  std::string peer;
  std::string road;                      // empty: none was found
  std::vector<RefusedRoad> passed_over;  // better ones
  std::string address = "";              // of the peer
};

struct TaskRoads {
  std::string task;  // the one that was asked
  std::vector<RoadChoice> choices;
};

// The handshake of two tasks about transports. The Introducer in this process and one behind gRPC
// look the same.
//
// Threads:  any. Replies must not block.
// Errors:   kUnavailable names task and address when it cannot be reached.
class Introducer {
 public:
  virtual ~Introducer() = default;
  virtual void Introduce(const Introduction& introduction, const CallOptions& options,
                         Reply<Welcome> done) = 0;
  // The task's choice for each of its peers; those not chosen yet are chosen now.
  virtual void ListRoads(const CallOptions& options, Reply<TaskRoads> done) = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_INTRODUCER_H_
