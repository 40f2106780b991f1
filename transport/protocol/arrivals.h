// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_ARRIVALS_H_
#define SLUICE_TRANSPORT_PROTOCOL_ARRIVALS_H_

#include <string>

#include "absl/container/node_hash_map.h"
#include "transport/protocol/frame_reader.h"

namespace sluice::transport {

// Puts together the tensors that arrive on one stream and hands them to the sink. Content of plain
// types goes straight into the memory the sink gave. A stream may be several connections: each has
// a Current of its own, and parts of one tensor come by any of them.
//
// Threads:  one.
class Arrivals {
 public:
  // The tensor of one connection whose content is coming.
  struct Current {
    Tensor tensor;        // plain types
    std::string encoded;  // others
    bool dropped = false;
  };

  Arrivals(TensorSink* sink, std::string peer) : sink_(sink), peer_(std::move(peer)) {}

  // A tensor, part or announce frame. `*step_ended` is set when the sink no longer wants the step.
  // An error is the peer's, or memory is short: the stream cannot go on.
  absl::StatusOr<Content> Begin(const StreamFrame& frame, Current& current, bool* step_ended);
  // `frame` has come whole.
  absl::Status End(const StreamFrame& frame, Current& current);
  // A tensor whose content is in memory already. False: the sink no longer wants the step.
  bool DeliverPlaced(const StreamFrame& frame, Tensor tensor);
  absl::Status DeliverEncoded(const StreamFrame& frame, absl::string_view bytes);

 private:
  struct Transfer {
    Tensor tensor;        // plain types
    std::string encoded;  // others: their parts come in order
    uint64_t size = 0, begun = 0, received = 0;
    bool dropped = false;
  };
  absl::StatusOr<Tensor> Prepare(const StreamFrame& frame, bool* step_ended);
  absl::StatusOr<Content> BeginTensor(const StreamFrame& frame, Current& current, bool* step_ended);
  absl::StatusOr<Content> BeginPart(const StreamFrame& frame, bool* step_ended);
  absl::Status EndPart(const StreamFrame& frame);
  void DeliverPlain(const StreamFrame& frame, Tensor tensor);

  TensorSink* const sink_;
  const std::string peer_;
  absl::node_hash_map<uint64_t, Transfer> transfers_;  // content is written into its strings
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_ARRIVALS_H_
