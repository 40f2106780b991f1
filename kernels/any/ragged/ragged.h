// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_RAGGED_RAGGED_H_
#define SLUICE_KERNELS_ANY_RAGGED_RAGGED_H_

#include <vector>

#include "core/runtime/kernel_context.h"
#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"

// Common code of the ops on ragged tensors. A ragged tensor is values and, for each ragged
// dimension, splits: the beginning of each row and the end of the last.

namespace sluice::kernels {

using Splits = std::vector<int64_t>;

// Output `index`, of a dtype for indices.
absl::Status SetSplits(KernelContext& ctx, int index, DType dtype,
                       absl::Span<const int64_t> splits);
absl::StatusOr<Splits> SplitsIn(const Tensor& tensor);

// A ragged tensor, or one row of it, as the element of a variant tensor.
//
// Threads:  immutable.
class RaggedVariant final : public Variant::Object {
 public:
  static constexpr absl::string_view kTypeName = "RaggedTensorVariant";

  RaggedVariant(std::vector<Tensor> splits, Tensor values)
      : splits_(std::move(splits)), values_(std::move(values)) {}

  absl::string_view type_name() const override { return kTypeName; }
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override;
  int depth() const override { return 1 + DepthOf(values_); }
  const std::vector<Tensor>& splits() const { return splits_; }  // from the outermost dimension
  const Tensor& values() const { return values_; }

 private:
  const std::vector<Tensor> splits_;
  const Tensor values_;
};

// Works for local and received variants. INVALID_ARGUMENT if it is not a ragged tensor.
absl::StatusOr<const RaggedVariant*> RaggedIn(const Variant& variant);

void RegisterRaggedCross(KernelRegistry& kernels);
void RegisterRaggedFill(KernelRegistry& kernels);
void RegisterRaggedToTensor(KernelRegistry& kernels);
void RegisterRaggedVariants(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_RAGGED_RAGGED_H_
