// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_TCP_CHANNEL_H_
#define SLUICE_TRANSPORT_BACKENDS_TCP_CHANNEL_H_

#include <memory>
#include <string>

#include "transport/backends/tcp/socket.h"
#include "transport/backends/tcp/transport.h"

namespace sluice::transport {

// The sending end of a tensor stream over TCP. `sink` outlives it.
std::unique_ptr<TensorChannel> CreateTcpChannel(const TcpTransportOptions& options,
                                                const PeerAddress& peer, const SocketAddress& to,
                                                std::string token, TensorSink* sink);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_TCP_CHANNEL_H_
