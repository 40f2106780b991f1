// SPDX-License-Identifier: Apache-2.0
// Shapes of nodes that the runtime adds.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

constexpr ShapeRule kRules[] = {
    {"DeviceIndex", AllScalars},
    {"_Arg", NothingKnown},
    {"_ArrayToList", EachUnchanged},
    {"_DeviceArg", NothingKnown},
    {"_DeviceRetval", NoOutputs},
    {"_HostRecv", NothingKnown},
    {"_HostSend", NoOutputs},
    {"_ListToArray", EachUnchanged},
    {"_Recv", NothingKnown},
    {"_Retval", NoOutputs},
    {"_Send", NoOutputs},
};

}  // namespace

absl::Span<const ShapeRule> RuntimeRules() { return kRules; }

}  // namespace sluice::graph
