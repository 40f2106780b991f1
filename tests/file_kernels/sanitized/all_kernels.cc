// SPDX-License-Identifier: Apache-2.0
// The kernels of sluice_file_kernels, where the program links no others.
#include "kernels/any/array/register.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/io/register.h"
#include "kernels/any/lookup/register.h"
#include "kernels/any/parsing/register.h"
#include "kernels/any/strings/register.h"
#include "kernels/cpu/image/register.h"
#include "kernels/cpu/signal/register.h"
#include "kernels/register.h"

namespace sluice::kernels {

std::shared_ptr<const KernelRegistry> AllKernels() {
  static const auto* const kAll = [] {
    auto kernels = std::make_shared<KernelRegistry>();
    for (const auto enter : {RegisterAnyArray, RegisterAnyDataFlow, RegisterAnyDataset,
                             RegisterAnyIo, RegisterAnyLookup, RegisterAnyParsing,
                             RegisterAnyStrings, RegisterDecodeImage, RegisterWav}) {
      enter(*kernels);
    }
    return new std::shared_ptr<const KernelRegistry>(std::move(kernels));
  }();
  return *kAll;
}

}  // namespace sluice::kernels
