// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_DOUBLES_FAULTY_CONNECTOR_H_
#define SLUICE_TESTS_DOUBLES_FAULTY_CONNECTOR_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/threads/thread_pool.h"
#include "tests/doubles/fault.h"
#include "transport/connector.h"

namespace sluice::transport {

// Injects faults around another connector.
struct FaultyConnectorOptions {
  FaultRates rates = {};       // faults of outgoing tensors
  WorkQueue* delay = nullptr;  // tensors are sent from this queue, which outlives the channels; a
                               // SerialQueue holds them until RunAll
  bool reorder = false;        // delayed tensors are sent in any order, by the seed
};

class FaultyConnector : public Connector {
 public:
  // From now on calls and tensors to `peer` fail with `status`, and the sink gets the break of its
  // channel. OK: the peer is up again.
  virtual void Fail(const std::string& peer, const absl::Status& status) = 0;
  virtual int64_t dropped() const = 0;
  virtual int64_t changed() const = 0;  // corrupted or misshapen
};

// `inner` null: no tensor arrives, and calls always fail.
absl::StatusOr<std::unique_ptr<FaultyConnector>> CreateFaultyConnector(
    const FaultyConnectorOptions& options, std::unique_ptr<Connector> inner);

}  // namespace sluice::transport

#endif  // SLUICE_TESTS_DOUBLES_FAULTY_CONNECTOR_H_
