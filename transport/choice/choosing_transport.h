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
  std::vector<PeerAddress> peers;  // the peers that ListRoads reports
  RoadNames preferred;             // those that may be taken
  std::unique_ptr<Transport> grpc;
  std::vector<std::unique_ptr<Road>> roads;
  // Transports that this machine does not have, with the reason.
  std::vector<RefusedRoad> missing;
  // Connects to the Introducer of a peer.
  std::function<std::unique_ptr<Introducer>(const PeerAddress&)> introduce;
};

// Chooses the best transport that both sides have, for each peer, when the first tensor is sent
// there and again after a break. RunGraph calls take it too; other calls go by gRPC.
//
// Owner:    Server.
class ChoosingTransport : public Transport, public Introducer {
 public:
  // After it returns, no tensor arrives by any transport.
  virtual void Stop() = 0;
};

std::unique_ptr<ChoosingTransport> CreateChoosingTransport(ChoiceOptions options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_CHOICE_CHOOSING_TRANSPORT_H_
