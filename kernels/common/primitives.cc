// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/primitives.h"

namespace sluice::kernels {

DTypeSet TypesOn(const Primitives& on, DTypeSet types) {
  if (on.device_type() == kCpu) return types;
  return DTypeSet::FromBits(types.bits() & kPlain.bits());
}

DTypeSet TypesButInt32On(const Primitives& on, DTypeSet types) {
  if (on.device_type() == kCpu) return types;
  return TypesOn(on, types).Without({kInt32});
}

std::vector<TypeConstraint> AnyButInt32On(const Primitives& on, const char* attr) {
  if (on.device_type() == kCpu) return {};
  return {{attr, TypesButInt32On(on, kAnyType)}};
}

}  // namespace sluice::kernels
