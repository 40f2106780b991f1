// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_KERNEL_TABLE_H_
#define SLUICE_CORE_RUNTIME_KERNEL_TABLE_H_

#include <initializer_list>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/op/attr.h"

namespace sluice {

inline constexpr absl::string_view kCpu = "CPU";
inline constexpr absl::string_view kGpu = "GPU";

struct TypeConstraint {
  std::string attr;  // its kind is type or list(type)
  DTypeSet allowed;
};

// The arguments of a kernel that are in host memory although the device has its own memory.
struct HostMemory {
  std::vector<std::string> args;
  HostMemory() = default;
  HostMemory(std::initializer_list<const char*> names) : args(names.begin(), names.end()) {}
};

// The description of a kernel without its code. Tasks send it in the handshake, so that a master
// can place nodes on devices whose code it lacks.
struct KernelSignature {
  std::string op;
  std::string device_type;
  std::vector<TypeConstraint> types;
  HostMemory host;
  std::string label;   // chosen by a node's `_kernel` attribute
  bool cheap = false;  // short: runs on the thread that made it ready
};

// The kernels of a task, or of a whole cluster.
class KernelTable {
 public:
  // Index of the added signature.
  int Add(KernelSignature signature);
  // The first signature for the op on this device type whose constraints the attributes satisfy; -1
  // if there is none.
  int Find(absl::string_view op, absl::string_view device_type, const AttrMap& attrs) const;
  bool Has(absl::string_view op, absl::string_view device_type, const AttrMap& attrs) const {
    return Find(op, device_type, attrs) >= 0;
  }
  bool HasOp(absl::string_view op) const { return by_op_.contains(op); }
  const KernelSignature& at(int i) const { return signatures_[i]; }
  const std::vector<KernelSignature>& signatures() const { return signatures_; }

 private:
  std::vector<KernelSignature> signatures_;
  absl::flat_hash_map<std::string, std::vector<int>> by_op_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_KERNEL_TABLE_H_
