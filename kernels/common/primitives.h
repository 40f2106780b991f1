// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PRIMITIVES_H_
#define SLUICE_KERNELS_COMMON_PRIMITIVES_H_

#include <memory>
#include <utility>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "kernels/common/gather_plan.h"
#include "kernels/common/strided_copy.h"
#include "kernels/common/update.h"

namespace sluice::kernels {

// One part of each row that Join writes.
struct JoinedPart {
  const void* from;  // dense: `size` elements for each row; null: zeros
  int64_t size;      // elements in one row; may be 0
};

// Primitives compute on elements, for kernels that have one struct for all devices. The pointers
// and tensors are in the memory of the context's device, unless a function states otherwise.
// Elements that are not plain (strings, handles, variants) are always in host memory.
//
// Owner:    none; one object per device type, which lives until the program ends.
// Threads:  any. A device with streams enqueues the work and returns.
// Errors:   those of indices, on the CPU only: a GPU cannot report them.
class Primitives {
 public:
  virtual ~Primitives() = default;
  virtual absl::string_view device_type() const = 0;

  // Elements that are not plain do not change: new ones are empty.
  virtual absl::Status Zero(KernelContext& ctx, DType dtype, void* to, int64_t n) const = 0;
  // `value` is in host memory.
  virtual absl::Status Fill(KernelContext& ctx, DType dtype, const void* value, void* to,
                            int64_t n) const = 0;
  // `value` is in the device's memory.
  virtual absl::Status Repeat(KernelContext& ctx, DType dtype, const void* value, void* to,
                              int64_t n) const = 0;
  // As StridedCopy in strided_copy.h.
  virtual absl::Status StridedCopy(KernelContext& ctx, DType dtype, CopyDims dims, const void* from,
                                   void* to) const = 0;
  absl::Status Copy(KernelContext& ctx, DType dtype, const void* from, void* to, int64_t n) const {
    return StridedCopy(ctx, dtype, {{n, 1, 1}}, from, to);
  }
  // Each row of the result is the concatenation of that row of all parts.
  virtual absl::Status Join(KernelContext& ctx, DType dtype, absl::Span<const JoinedPart> parts,
                            int64_t rows, void* to) const = 0;

  // target op= value. REQUIRES: same dtype and number of elements.
  virtual absl::Status Update(KernelContext& ctx, Combine how, Tensor& target,
                              const Tensor& value) const = 0;
  // Row indices[i] of the target op= updates[i]. REQUIRES: CheckRows.
  virtual absl::Status UpdateRows(KernelContext& ctx, Combine how, Tensor& target, RowSizes rows,
                                  const Tensor& indices, const Tensor& updates) const = 0;
  // target[indices[..., :]] op= updates. REQUIRES: CheckSlices.
  virtual absl::Status UpdateSlices(KernelContext& ctx, Combine how, Tensor& target,
                                    const Tensor& indices, const Tensor& updates,
                                    bool ignore_bad) const = 0;

  // The rows params[..., indices[...], ...]. On a GPU, a row out of range is zeros.
  virtual absl::Status GatherRows(KernelContext& ctx, const Tensor& params, const Tensor& indices,
                                  const GatherSizes& sizes, Tensor& out) const = 0;
  // The slices params[indices[..., :]]. A slice out of range is zeros with `ignore_bad`, and on a
  // GPU.
  virtual absl::Status GatherSlices(KernelContext& ctx, const Tensor& params, const Tensor& indices,
                                    bool ignore_bad, Tensor& out) const = 0;
};

// For host memory, with the threads of the context's pool.
const Primitives& CpuPrimitives();

// Those of `types` whose elements can be in the memory of the device: on a GPU, plain ones.
DTypeSet TypesOn(const Primitives& on, DTypeSet types);
// The same for an op whose int32 tensors TensorFlow keeps in host memory on GPUs.
DTypeSet TypesButInt32On(const Primitives& on, DTypeSet types);
// The matching constraint for ops of any type.
std::vector<TypeConstraint> AnyButInt32On(const Primitives& on, const char* attr);

// Makes a kernel. Its struct may have a member `const Primitives* on`.
template <typename T>
KernelRegistry::CreateFn CreateOn(const Primitives& on) {
  return [&on](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
    if constexpr (requires { T::Create(node); }) {
      SLUICE_ASSIGN(auto made, T::Create(node));
      if constexpr (requires { made->on; })
        made->on = &on;
      else if constexpr (requires { made.on; })
        made.on = &on;
      return std::make_unique<sluice::internal::KernelOf<decltype(made), T>>(std::move(made));
    } else {
      T made{};
      if constexpr (requires { made.on; }) made.on = &on;
      return MakeKernel(std::move(made));
    }
  };
}

// NOLINTBEGIN(performance-unnecessary-value-param): moved, which the check misses in a template
// Enters a kernel for the device of `on`. Host memory matters if the device has its own.
template <typename T>
void AddOn(KernelRegistry& kernels, const Primitives& on, absl::string_view op,
           std::vector<TypeConstraint> types = {}, HostMemory host = {},
           Cost cost = Cost::kExpensive) {
  if (on.device_type() == kCpu) host = {};
  kernels.AddWith(CreateOn<T>(on), op, on.device_type(), std::move(types), std::move(host), cost);
}

// Enters the kernel of an op whose `types` TensorFlow keeps in host memory: a node on another
// device than the CPU computes them on the host. `all` names every argument.
template <typename T>
void AddOnHost(KernelRegistry& kernels, const Primitives& on, absl::string_view op,
               std::vector<TypeConstraint> types, HostMemory all, Cost cost = Cost::kExpensive) {
  if (on.device_type() == kCpu) return;  // it has them already
  kernels.AddWith(CreateOn<T>(CpuPrimitives()), op, on.device_type(), std::move(types),
                  std::move(all), cost);
}
// NOLINTEND(performance-unnecessary-value-param)

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PRIMITIVES_H_
