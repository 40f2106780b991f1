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

}  // namespace sluice::kernels
