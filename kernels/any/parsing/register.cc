// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/parsing/register.h"

namespace sluice::kernels {

void RegisterAnyParsing(KernelRegistry& kernels) {
  RegisterDecodeCompressed(kernels);
  RegisterDecodeCsv(kernels);
  RegisterDecodeProto(kernels);
  RegisterEncodeProto(kernels);
  RegisterExampleMessages(kernels);
  RegisterParseExample(kernels);
  RegisterParseSequenceExample(kernels);
  RegisterTensorMessages(kernels);
}

}  // namespace sluice::kernels
