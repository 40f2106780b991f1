// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_STAGING_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_STAGING_H_

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/op/node_spec.h"
#include "kernels/common/waitable_resource.h"

namespace sluice::kernels {

// The attributes of a staging area, from the first op that uses it. 0 means no limit.
struct StagingLimits {
  static absl::StatusOr<StagingLimits> Create(const NodeSpec& node);

  int64_t capacity = 0;  // tuples
  int64_t memory = 0;    // bytes
};

using StagedTuple = std::vector<Tensor>;

// A StagingArea passes tuples of tensors from one step to the next, first in, first out.
//
// Owner:    its store, and its waiters.
// Threads:  any.
// Errors:   RESOURCE_EXHAUSTED for a tuple that can never fit.
class StagingArea final : public WaitableResource {
 public:
  static constexpr absl::string_view kTypeName = "StagingArea";
  StagingArea(std::string name, StagingLimits limits);

  std::string ToString() const override { return "staging area " + name_; }
  absl::string_view type_name() const override { return kTypeName; }

  // `done` is called once the tuple has been added.
  void Put(KernelContext& ctx, StagedTuple tuple, Done done);
  // Takes the first tuple. `taken` lives until `done`, as below.
  void Take(KernelContext& ctx, StagedTuple* taken, Done done);
  // Copies tuple `index`, once there is one.
  void Peek(KernelContext& ctx, size_t index, StagedTuple* seen, Done done);
  int64_t size() const;
  void Clear();

 private:
  enum Line { kPuts, kTakes, kPeeks };

  const std::string name_;
  const StagingLimits limits_;
  std::deque<StagedTuple> tuples_ ABSL_GUARDED_BY(mu_);
  int64_t bytes_ ABSL_GUARDED_BY(mu_) = 0;
};

// A StagingMap passes tuples under keys. They may be put and taken in parts. An incomplete tuple
// cannot be taken.
//
// Owner:    its store, and its waiters.
// Threads:  any.
// Errors:   as StagingArea; INVALID_ARGUMENT for parts that are put, or taken, twice.
class StagingMap : public WaitableResource {
 public:
  static constexpr absl::string_view kTypeName = "StagingMap";
  StagingMap(std::string name, StagingLimits limits, size_t tuple_size);

  std::string ToString() const override { return "staging map " + name_; }
  absl::string_view type_name() const override { return kTypeName; }

  // Component indices[i] of the tuple is values[i].
  void Put(KernelContext& ctx, int64_t key, std::vector<int64_t> indices, StagedTuple values,
           Done done);
  // Components of a tuple. `values` receives them, and the tuple's key.
  struct Part {
    std::optional<int64_t> key;  // the key to take; if unset, the smallest one
    std::vector<int64_t> indices;
    StagedTuple values;
  };
  // `part` lives until `done`. A copy leaves the components in the map.
  void Take(KernelContext& ctx, bool copy, Part* part, Done done);
  int64_t size() const;
  int64_t incomplete_size() const;
  void Clear();

 private:
  enum Line { kPuts, kTakes };
  using Tuple = std::vector<std::optional<Tensor>>;

  absl::Status Insert(int64_t key, absl::Span<const int64_t> indices, StagedTuple& values)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status Extract(Tuple& tuple, bool copy, Part& part) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status CheckIndex(int64_t key, int64_t index) const;

  const std::string name_;
  const StagingLimits limits_;
  const size_t tuple_size_;
  std::map<int64_t, Tuple> complete_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<int64_t, Tuple> incomplete_ ABSL_GUARDED_BY(mu_);
  int64_t bytes_ ABSL_GUARDED_BY(mu_) = 0;
};

// The class for OrderedMapStage and related ops, which use separate resources.
class OrderedStagingMap final : public StagingMap {
 public:
  static constexpr absl::string_view kTypeName = "OrderedStagingMap";
  using StagingMap::StagingMap;
  absl::string_view type_name() const override { return kTypeName; }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_STAGING_H_
