// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_RENDEZVOUS_H_
#define SLUICE_CORE_RUNTIME_RENDEZVOUS_H_

#include <cstdint>
#include <string>

#include "absl/functional/any_invocable.h"
#include "core/tensor/tensor.h"

namespace sluice {

// Names one tensor on one edge of a step: the edge's number in its compiled graph, and for edges
// inside loops the frame (a hash, equal at both ends) and the iteration. `call` distinguishes calls
// of one function body.
struct EdgeKey {
  uint64_t edge = 0;
  uint64_t frame = 0;
  int64_t iteration = 0;
  uint64_t call = 0;
  bool operator==(const EdgeKey&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const EdgeKey& k) {
    return H::combine(std::move(h), k.edge, k.frame, k.iteration, k.call);
  }
  std::string ToString() const;
};

// A value that crosses an edge; dead values are sent too.
struct Parcel {
  Tensor tensor;
  bool dead = false;
};

// A Rendezvous joins the Sends and Recvs of one step.
//
// Owner:    the Step.
// Threads:  any. A callback runs on the thread that sends or aborts, or on the caller's if the
//           value is already there; it must not block.
// Errors:   after Abort every pending and every later Recv gets that status.
class Rendezvous {
 public:
  using Received = absl::AnyInvocable<void(absl::StatusOr<Parcel>)>;
  static constexpr int kLocal = -1;

  virtual ~Rendezvous() = default;
  // Hands over the tensor; never blocks. `peer` is kLocal, or the index of the receiving task in
  // the executable's list.
  virtual absl::Status Send(const EdgeKey& key, int peer, Parcel parcel) = 0;
  // `peer` is the sending task's index, for pulls and error texts.
  virtual void Recv(const EdgeKey& key, int peer, Received done) = 0;
  virtual void Abort(const absl::Status& status) = 0;
};

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_RENDEZVOUS_H_
