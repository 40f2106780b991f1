// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COLLECTIVE_MEMBERSHIP_H_
#define SLUICE_KERNELS_CPU_COLLECTIVE_MEMBERSHIP_H_

#include <atomic>
#include <string>
#include <vector>

#include "core/runtime/collectives.h"
#include "core/runtime/kernel.h"
#include "core/tensor/resource.h"

namespace sluice::kernels {

// The group that CollectiveInitializeCommunicator made on this member. It numbers the operations
// that use it.
//
// Threads:  any.
class Communicator final : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "CollectiveGroupResource";

  Communicator(int64_t group_key, int group_size, int rank, std::string hint,
               absl::Duration timeout)
      : group_key(group_key),
        group_size(group_size),
        rank(rank),
        hint(std::move(hint)),
        timeout(timeout) {}

  std::string ToString() const override;
  absl::string_view type_name() const override { return kTypeName; }
  // The instance keys of a communicator are not those of programs, which have 32 bits. The first
  // one is that of the communicator itself.
  int64_t NextInstanceKey() { return kFirstKey + next_.fetch_add(1, std::memory_order_relaxed); }

  const int64_t group_key;
  const int group_size, rank;
  const std::string hint;
  const absl::Duration timeout;

 private:
  static constexpr int64_t kFirstKey = int64_t{1} << 32;
  std::atomic<int64_t> next_{0};
};

// A node's membership of a group: the source of its keys. The first ops have them as attributes,
// the ops "V2" as inputs, the ops "V3" in a communicator.
class Membership {
 public:
  static absl::StatusOr<Membership> Create(const NodeSpec& node);

  // A call with group, instance, name, hint, timeout and position within loops. INVALID_ARGUMENT
  // with TensorFlow's text if an input is not a scalar, or the group has no members.
  absl::StatusOr<CollectiveCall> Call(KernelContext& ctx, CollectiveOp op) const;

 private:
  enum class Source { kAttributes, kInputs, kCommunicator };

  absl::Status ReadInputs(const KernelContext& ctx, CollectiveCall& call) const;
  absl::Status ReadCommunicator(KernelContext& ctx, CollectiveCall& call) const;

  Source source_ = Source::kAttributes;
  int first_input_ = 0;  // group_size, or the communicator
  int64_t group_key_ = 0, instance_key_ = 0;
  int group_size_ = 0;
  std::string name_, hint_ = "auto";
  bool fixed_members_ = false;
  std::vector<int64_t> wait_for_;
  absl::Duration timeout_ = absl::ZeroDuration();
};

// The integer in a scalar input. INVALID_ARGUMENT names the argument.
absl::StatusOr<int> KeyIn(const KernelContext& ctx, int input, absl::string_view argument);
absl::Status CheckGroupSize(int64_t size);
// The duration of the attribute timeout_seconds; zero if there is none.
absl::Duration TimeoutOf(const NodeSpec& node);

// Starts the call in the step of `ctx`. An error of the call ends the kernel. UNIMPLEMENTED if the
// worker has no groups.
void StartCollective(KernelContext& ctx, absl::StatusOr<CollectiveCall> call, Done done);

// Dimension 0 of `shape` times the group's size, or divided by it. INVALID_ARGUMENT if it has no
// dimension 0, or cannot be divided.
absl::StatusOr<Shape> GatheredShape(const Shape& shape, int group_size);
absl::StatusOr<Shape> ScatteredShape(const Shape& shape, int group_size);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COLLECTIVE_MEMBERSHIP_H_
