// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_BARRIER_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_BARRIER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "kernels/any/data_flow/queue_order.h"
#include "kernels/common/waitable_resource.h"

namespace sluice::kernels {

// A Barrier assembles tuples from components that arrive separately under a key. A tuple with all
// components is ready. Ready tuples are taken in the order in which their keys first arrived.
//
// Owner:    its store, and its waiters.
// Threads:  any.
// Errors:   TensorFlow's: CANCELLED for inserts and OUT_OF_RANGE for takes once it is closed.
class Barrier final : public WaitableResource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow7barrier7BarrierE";
  Barrier(std::string name, std::vector<DType> types, std::vector<PartialShape> shapes);

  std::string ToString() const override { return Cat("Barrier '", name_, "'"); }
  absl::string_view type_name() const override { return kTypeName; }
  const std::vector<DType>& types() const { return types_; }
  // The shape of output `i` of a take: insertion index, key, components.
  PartialShape taken_shape(size_t i) const;
  absl::Status CheckSame(const std::vector<DType>& types,
                         const std::vector<PartialShape>& shapes) const;

  // Row i of `values` becomes component `component` of the tuple under keys[i]. A new key begins a
  // tuple, unless the barrier is closed.
  absl::Status Insert(const Tensor& keys, int64_t component, const Tensor& values);
  // Takes `n` ready tuples; with `allow_small_batch`, the remaining ones once the barrier is
  // closed.
  void Take(KernelContext& ctx, int64_t n, bool allow_small_batch, std::vector<QueueElement>* taken,
            Done done);
  // Closes for new keys; with `cancel`, begun tuples are dropped too.
  absl::Status Close(bool cancel);
  int64_t ready() const;
  int64_t incomplete() const;

 private:
  struct Tuple {
    int64_t index = 0;  // of the insert that began it
    std::vector<Tensor> values;
    size_t missing = 0;
  };
  absl::Status InsertLocked(const Tensor& keys, int64_t component, const Tensor& values)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status InsertOne(const std::string& key, int64_t row, int64_t component,
                         const Tensor& values) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::string name_;
  const std::vector<DType> types_;
  const std::vector<PartialShape> shapes_;
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
  bool cancelled_ ABSL_GUARDED_BY(mu_) = false;
  int64_t next_index_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<std::string, Tuple> incomplete_ ABSL_GUARDED_BY(mu_);  // by key
  const std::unique_ptr<QueueOrder> ready_ ABSL_PT_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_BARRIER_H_
