// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/argument_memory.h"

#include "absl/algorithm/container.h"

namespace sluice {
namespace {

bool IsOne(uint8_t on_host) { return on_host != 0; }

void Mark(const std::vector<ArgDef>& args, const std::vector<ArgRange>& ranges,
          const HostMemory& host, std::vector<uint8_t>& on_host) {
  for (size_t i = 0; i < args.size() && i < ranges.size(); ++i) {
    if (!absl::c_linear_search(host.args, args[i].name)) continue;
    for (int k = ranges[i].begin; k < ranges[i].end && k < static_cast<int>(on_host.size()); ++k)
      on_host[static_cast<size_t>(k)] = 1;
  }
}

std::vector<uint8_t> ByType(absl::Span<const DType> types, bool has_kernel) {
  std::vector<uint8_t> on_host;
  for (const DType type : types)
    on_host.push_back(has_kernel ? !IsPlain(RemoveRef(type)) : LivesOnHost(type));
  return on_host;
}

}  // namespace

bool ArgumentsOnHost::all() const {
  return absl::c_all_of(inputs, IsOne) && absl::c_all_of(outputs, IsOne);
}

ArgumentsOnHost FindArgumentsOnHost(const OpDef* op, const AttrMap& attrs,
                                    absl::Span<const DType> input_types,
                                    absl::Span<const DType> output_types,
                                    const KernelSignature* kernel) {
  ArgumentsOnHost found{ByType(input_types, kernel != nullptr),
                        ByType(output_types, kernel != nullptr)};
  if (op == nullptr || kernel == nullptr || kernel->host.args.empty()) return found;
  ArgTypes inputs, outputs;
  if (!ResolveArgs(*op, attrs, &inputs, &outputs).ok()) return found;
  Mark(op->inputs, inputs.ranges, kernel->host, found.inputs);
  Mark(op->outputs, outputs.ranges, kernel->host, found.outputs);
  return found;
}

}  // namespace sluice
