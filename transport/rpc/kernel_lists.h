// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_KERNEL_LISTS_H_
#define SLUICE_TRANSPORT_RPC_KERNEL_LISTS_H_

#include <memory>
#include <string>

#include "core/runtime/kernel_table.h"
#include "core/status.h"

namespace sluice::transport {

// A task's list of kernels has thousands of rows and seldom changes, but each answer of GetStatus
// has it. So the process keeps the lists that it has sent and received last: equal lists are
// encoded, and decoded, once.
//
// Threads:  any.

// The field `kernel` of a GetStatusResponse, with its tags.
std::shared_ptr<const std::string> EncodeKernels(const std::shared_ptr<const KernelTable>& kernels);
// The reverse. INVALID_ARGUMENT if the bytes are malformed.
absl::StatusOr<std::shared_ptr<const KernelTable>> DecodeKernels(std::string encoded);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_KERNEL_LISTS_H_
