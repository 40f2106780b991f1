// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/host_functions.h"

#include <atomic>

namespace sluice {
namespace {

std::atomic<HostFunctions*> functions_of_process{nullptr};

}  // namespace

HostFunctions* ThisProcessHostFunctions() { return functions_of_process.load(); }

void SetHostFunctions(HostFunctions* functions) { functions_of_process.store(functions); }

}  // namespace sluice
