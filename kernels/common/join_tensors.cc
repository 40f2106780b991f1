// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/join_tensors.h"

#include <algorithm>

#include "core/tensor/resource.h"
#include "core/tensor/variant.h"

namespace sluice::kernels {

absl::Status JoinTensors(absl::Span<const Tensor> parts, Tensor& output) {
  return VisitWidth(output.dtype(), [&]<typename T>(Type<T>) {
    T* to = output.mutable_data<T>();
    for (const Tensor& part : parts) to = std::copy_n(part.data<T>(), part.num_elements(), to);
    return absl::OkStatus();
  });
}

absl::Status JoinTensors(KernelContext& ctx, const Primitives& on, absl::Span<const Tensor> parts,
                         Tensor& output) {
  std::vector<JoinedPart> joined;
  joined.reserve(parts.size());
  for (const Tensor& part : parts) joined.push_back({part.raw(), part.num_elements()});
  return on.Join(ctx, output.dtype(), joined, 1, output.raw());
}

}  // namespace sluice::kernels
