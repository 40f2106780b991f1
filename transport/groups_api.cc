// SPDX-License-Identifier: Apache-2.0
#include "transport/groups_api.h"

namespace sluice::transport {

std::string GroupMember::ToString() const {
  return address.empty() ? device : absl::StrCat(device, " at ", address);
}

}  // namespace sluice::transport
