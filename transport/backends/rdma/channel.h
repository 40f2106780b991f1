// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_CHANNEL_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_CHANNEL_H_

#include <memory>
#include <string>

#include "transport/backends/rdma/device.h"
#include "transport/backends/rdma/transport.h"
#include "transport/backends/tcp/socket.h"

namespace sluice::transport {

// The sending end of a tensor stream by RDMA. `to` is where the peer listens for handshakes; `sink`
// outlives it.
std::unique_ptr<TensorChannel> CreateRdmaChannel(const RdmaTransportOptions& options,
                                                 std::shared_ptr<RdmaDevice> device,
                                                 const PeerAddress& peer, const SocketAddress& to,
                                                 std::string token, TensorSink* sink);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_CHANNEL_H_
