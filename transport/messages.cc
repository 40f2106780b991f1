// SPDX-License-Identifier: Apache-2.0
#include "transport/messages.h"

namespace sluice::transport {

std::string StepId::ToString() const { return absl::StrCat(absl::Hex(master), ":", number); }

}  // namespace sluice::transport
