// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_SHM_CHANNEL_H_
#define SLUICE_TRANSPORT_BACKENDS_SHM_CHANNEL_H_

#include <memory>
#include <string>

#include "transport/backends/shm/transport.h"

namespace sluice::transport {

class SharedArena;

// The sending end of a tensor stream through shared memory. `sink` outlives it. `shared` has what
// is sent to several peers.
std::unique_ptr<TensorChannel> CreateShmChannel(const ShmTransportOptions& options,
                                                std::shared_ptr<SharedArena> shared,
                                                const PeerAddress& peer,
                                                const ConnectionOffer& offer, TensorSink* sink);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_SHM_CHANNEL_H_
