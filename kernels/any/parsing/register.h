// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_PARSING_REGISTER_H_
#define SLUICE_KERNELS_ANY_PARSING_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyParsing(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterDecodeCompressed(KernelRegistry& kernels);
void RegisterDecodeCsv(KernelRegistry& kernels);
void RegisterDecodeProto(KernelRegistry& kernels);
void RegisterEncodeProto(KernelRegistry& kernels);
void RegisterExampleMessages(KernelRegistry& kernels);
void RegisterParseExample(KernelRegistry& kernels);
void RegisterParseSequenceExample(KernelRegistry& kernels);
void RegisterTensorMessages(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_PARSING_REGISTER_H_
