// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/wrapped.h"

#include <utility>

namespace sluice::kernels {

void AddWrapped(std::shared_ptr<const KernelRegistry> plain, KernelRegistry& kernels,
                WrapKernel wrap) {
  for (const KernelSignature& kernel : plain->table().signatures()) {
    const auto create = [plain, wrap, device = kernel.device_type](
                            const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
      SLUICE_ASSIGN(std::unique_ptr<Kernel> made, plain->Make(node, device));
      return wrap(std::move(made), node);
    };
    kernels.AddWith(create, kernel.op, kernel.device_type, kernel.types, kernel.host,
                    kernel.cheap ? Cost::kCheap : Cost::kExpensive);
  }
}

}  // namespace sluice::kernels
