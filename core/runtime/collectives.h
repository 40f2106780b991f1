// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_COLLECTIVES_H_
#define SLUICE_CORE_RUNTIME_COLLECTIVES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/runtime/kernel.h"

namespace sluice {

enum class CollectiveOp : uint8_t { kAllReduce, kReduceScatter, kAllGather, kBroadcast, kAllToAll };

// The arithmetic of a reduction, for one dtype.
struct Reduction {
  // out[i] = inputs[0][i] op inputs[1][i] op ..., for `count` elements, in this order. Half and
  // bfloat16 are added in float and rounded once. `out` may be one of the inputs.
  using Combine = void (*)(absl::Span<const void* const> inputs, int64_t count, void* out);
  // Applies the final op in place to the combined values of all members.
  using Finish = void (*)(void* values, int64_t count, int members);
  std::string name = "";  // "Add, Div"; equal on all members
  Combine combine = nullptr;
  Finish finish = nullptr;  // null: none
};

// One member's part of a collective operation. Members that belong together have equal group keys
// and instance keys.
struct CollectiveCall {
  CollectiveOp op = CollectiveOp::kAllReduce;
  int64_t group_key = 0;
  int group_size = 0;  // members, which are devices
  int64_t instance_key = 0;
  // The name that the program gave to the operation, compared on all members; may be empty.
  std::string name = "";
  Reduction reduction = {};   // of kAllReduce and kReduceScatter
  std::string hint = "auto";  // communication_hint: "auto", or the name of an algorithm
  int rank = -1;              // of this member, if the program gives it
  // A member that is gone does not come back. The error is UNKNOWN then, which tells a monitored
  // session not to run the step again. Members that disagree get FAILED_PRECONDITION.
  bool fixed_members = false;
  // Operations of this group whose rounds begin before this one's, if the graph has them.
  std::vector<int64_t> wait_for = {};
  absl::Duration timeout = absl::ZeroDuration();  // 0: none but the step's
  bool source = false;                            // of kBroadcast: this member has the value
  // In host memory. Not valid for a receiver of kBroadcast.
  Tensor input = {};
  // Allocated by the caller, in host memory of its own, filled before `done`. It may be the buffer
  // of `input` for a source of kBroadcast only. Shapes: as `input`, but dimension 0 is the group's
  // size times as large for kAllGather, and the group's size times as small for kReduceScatter.
  // kAllToAll sends rows [rank * n/size, (rank + 1) * n/size) of each member to the member `rank`.
  Tensor output = {};
  // If set, a kAllReduce of the memory of the device: `input` is there, `output` is not valid, and
  // the result, there too, is given to this function before `done`.
  std::function<void(Tensor result)> set_output = nullptr;
  // The position within loops.
  uint64_t frame = 0;
  int64_t iteration = 0;
};

// The collective operations of one step. Groups are formed at the first use of a group key.
//
// Owner:    the Step.
// Threads:  any. `done` runs on a thread of a transport or of the inter-op pool.
// Errors:   INVALID_ARGUMENT (see fixed_members) if members disagree, with both descriptions;
//           DEADLINE_EXCEEDED names the members that are missing; UNAVAILABLE and ABORTED name
//           the member that failed.
class Collectives {
 public:
  virtual ~Collectives() = default;
  virtual void Start(Device& device, CollectiveCall call, Done done) = 0;
};

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_COLLECTIVES_H_
