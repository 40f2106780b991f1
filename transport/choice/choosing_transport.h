#ifndef SLUICE_TRANSPORT_CHOICE_CHOOSING_TRANSPORT_H_
#define SLUICE_TRANSPORT_CHOICE_CHOOSING_TRANSPORT_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "transport/introducer.h"
#include "transport/road_names.h"
#include "transport/transport.h"

namespace sluice::transport {

struct ChoiceOptions {
  std::string task;
  uint64_t incarnation = 0;
  std::vector<PeerAddress> peers;  // what ListRoads tells of
  RoadNames preferred;             // those that may be taken
  std::unique_ptr<Transport> grpc;
  std::vector<std::unique_ptr<Road>> roads;
  // Roads this machine does not have, and why.
  std::vector<RefusedRoad> missing;
  // Reaches the Introducer of a peer.
  std::function<std::unique_ptr<Introducer>(const PeerAddress&)> introduce;
};

// Chooses for each peer the best road that both sides have, when the first tensor is sent there,
// and again after it broke. Runs of graphs go by it too, other calls by gRPC.
//
// Owner:    Server.
class ChoosingTransport : public Transport, public Introducer {
 public:
  // No tensor arrives by a road any more when it returns.
  virtual void Stop() = 0;
};

std::unique_ptr<ChoosingTransport> CreateChoosingTransport(ChoiceOptions options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_CHOICE_CHOOSING_TRANSPORT_H_
