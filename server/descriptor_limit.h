// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SERVER_DESCRIPTOR_LIMIT_H_
#define SLUICE_SERVER_DESCRIPTOR_LIMIT_H_

namespace sluice::server {

// Raises the process's limit of open descriptors to what the system allows it, but not beyond
// 65,536. A server has one for each client and peer; shells often allow 1,024 at first.
void RaiseDescriptorLimit();

}  // namespace sluice::server

#endif  // SLUICE_SERVER_DESCRIPTOR_LIMIT_H_
