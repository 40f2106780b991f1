// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_KERNEL_REGISTRY_H_
#define SLUICE_CORE_RUNTIME_KERNEL_REGISTRY_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/kernel.h"
#include "core/runtime/kernel_table.h"

namespace sluice {

enum class Cost { kExpensive, kCheap };
inline constexpr Cost kCheap = Cost::kCheap;

// The kernels of this program, entered by plain calls:
//   kernels.Add<MatMul>("MatMul", kCpu, {{"T", kFloating}});
//   kernels.Add<Shape>("Shape", kGpu, {}, HostMemory{"output"}, kCheap);
//
// Threads:  filled by one, then immutable.
class KernelRegistry {
 public:
  using Create = absl::StatusOr<std::unique_ptr<Kernel>> (*)(const NodeSpec&);

  // NOLINTBEGIN(performance-unnecessary-value-param): moved, which the check misses in a template
  template <typename T>
  void Add(absl::string_view op, absl::string_view device_type,
           std::vector<TypeConstraint> types = {}, HostMemory host = {},
           Cost cost = Cost::kExpensive) {
    AddWith(&CreateKernel<T>, op, device_type, std::move(types), std::move(host), cost);
  }
  template <typename T>
  void Add(absl::string_view op, absl::string_view device_type, std::vector<TypeConstraint> types,
           Cost cost) {
    AddWith(&CreateKernel<T>, op, device_type, std::move(types), {}, cost);
  }
  // NOLINTEND(performance-unnecessary-value-param)
  // For table-driven families: a kernel made by a closure.
  using CreateFn = std::function<absl::StatusOr<std::unique_ptr<Kernel>>(const NodeSpec&)>;
  void AddWith(CreateFn create, absl::string_view op, absl::string_view device_type,
               std::vector<TypeConstraint> types = {}, HostMemory host = {},
               Cost cost = Cost::kExpensive);

  const KernelTable& table() const { return table_; }
  // Makes the kernel for a node on a device type. UNIMPLEMENTED names op, device type and dtypes if
  // there is none.
  absl::StatusOr<std::unique_ptr<Kernel>> Make(const NodeSpec& node,
                                               absl::string_view device_type) const;
  // The table's entry that Make would use, or null.
  const KernelSignature* Find(const NodeSpec& node, absl::string_view device_type) const;

 private:
  KernelTable table_;
  std::vector<CreateFn> creators_;  // by the table's index
};

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_KERNEL_REGISTRY_H_
