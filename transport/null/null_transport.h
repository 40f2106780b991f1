#ifndef SLUICE_TRANSPORT_NULL_NULL_TRANSPORT_H_
#define SLUICE_TRANSPORT_NULL_NULL_TRANSPORT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/threads/thread_pool.h"
#include "transport/null/misfortune.h"
#include "transport/transport.h"

namespace sluice::transport {

// Injects faults around another transport, for tests. It is also the back end to copy for a new
// transport.
struct NullTransportOptions {
  Misfortunes shares = {};     // faults of outgoing tensors
  WorkQueue* delay = nullptr;  // tensors go on from this queue, which outlives the channels; a
                               // SerialQueue holds them until told
  bool reorder = false;        // those that are delayed go on in any order, by the seed
};

class NullTransport : public Transport {
 public:
  // From now on calls and tensors to `peer` fail with `status`, and the sink gets the break of its
  // channel. OK: the peer is up again.
  virtual void Fail(const std::string& peer, const absl::Status& status) = 0;
  virtual int64_t dropped() const = 0;
  virtual int64_t changed() const = 0;  // corrupted or misshapen
};

// `inner` null: nothing arrives anywhere, and calls are never up.
absl::StatusOr<std::unique_ptr<NullTransport>> CreateNullTransport(
    const NullTransportOptions& options, std::unique_ptr<Transport> inner);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_NULL_NULL_TRANSPORT_H_
