// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_SELECTION_TRANSPORT_SELECTION_H_
#define SLUICE_TRANSPORT_SELECTION_TRANSPORT_SELECTION_H_

#include <memory>
#include <string>
#include <vector>

#include "transport/call_client.h"
#include "transport/connector.h"
#include "transport/handshake.h"
#include "transport/selection/transport_table.h"

namespace sluice::transport {

struct SelectionOptions {
  std::string task;
  uint64_t incarnation = 0;
  std::vector<PeerAddress> peers;  // the peers that ListTransports reports
  TransportNames preferred;        // the allowed ones of AllTransports
  std::unique_ptr<CallClient> calls;
  std::vector<std::unique_ptr<Transport>> transports;
  // Transports that this machine does not have, with the reason.
  std::vector<RefusedTransport> missing;
};

// The transports of `preferred`, created for this task, or the reasons why they are missing.
void CreateTransports(const TransportContext& context, SelectionOptions& options);

// Chooses for each peer the best transport that both sides have, at the first tensor and again
// after a break. RunGraph calls use it too; other calls go by gRPC.
//
// Owner:    Server.
class TransportSelection : public Connector, public HandshakeApi {
 public:
  // After it returns, no tensor arrives by any transport.
  virtual void Stop() = 0;
};

std::unique_ptr<TransportSelection> CreateTransportSelection(SelectionOptions options);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_SELECTION_TRANSPORT_SELECTION_H_
