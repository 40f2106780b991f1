#ifndef SLUICE_TRANSPORT_SHM_SHM_CHANNEL_H_
#define SLUICE_TRANSPORT_SHM_SHM_CHANNEL_H_

#include <memory>
#include <string>

#include "transport/shm/shm_road.h"

namespace sluice::transport {

// The sending end of a tensor stream through shared memory. `sink` outlives it.
std::unique_ptr<TensorChannel> CreateShmChannel(const ShmRoadOptions& options,
                                                const PeerAddress& peer,
                                                const Invitation& invitation, TensorSink* sink);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_SHM_SHM_CHANNEL_H_
