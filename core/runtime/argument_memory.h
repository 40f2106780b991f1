// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_ARGUMENT_MEMORY_H_
#define SLUICE_CORE_RUNTIME_ARGUMENT_MEMORY_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/op/op_def.h"
#include "core/runtime/kernel_table.h"

namespace sluice {

// The inputs and outputs of a node, by flat index, that are in host memory although the node's
// device has its own memory (1: on the host).
struct ArgumentsOnHost {
  std::vector<uint8_t> inputs, outputs;

  bool all() const;  // also true of a node without arguments
};

// The memory that the kernel of a node requires for its arguments. Strings, handles and variants
// are always on the host. `kernel` is null if there is none: then the dtype decides.
//
// REQUIRES: the types are the node's, as `op` and `attrs` give them.
ArgumentsOnHost FindArgumentsOnHost(const OpDef* op, const AttrMap& attrs,
                                    absl::Span<const DType> input_types,
                                    absl::Span<const DType> output_types,
                                    const KernelSignature* kernel);

// The memory of a value of this dtype if nothing else decides: int32 is used for shapes and
// indices, which the host reads.
constexpr bool LivesOnHost(DType dtype) {
  const DType base = RemoveRef(dtype);
  return base == kInt32 || !IsPlain(base);
}

// The attribute of a Const that is read in host memory only, on a device with its own memory.
inline constexpr absl::string_view kOnHostAttr = "_on_host";

// Set in the number of a cut edge whose tensor goes to the device's own memory. The task that
// receives the tensor puts it where the device copies from directly (transfer_allocator).
inline constexpr uint64_t kToDeviceMemory = uint64_t{1} << 61;

// Devices of this type have memory that the host does not read.
inline bool HasOwnMemory(absl::string_view device_type) { return device_type != kCpu; }

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_ARGUMENT_MEMORY_H_
