// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_RUNTIME_COPY_OBJECTS_H_
#define SLUICE_KERNELS_ANY_RUNTIME_COPY_OBJECTS_H_

#include <functional>

#include "absl/functional/any_invocable.h"
#include "core/tensor/tensor.h"

namespace sluice::kernels {

using Copied = absl::AnyInvocable<void(absl::StatusOr<Tensor>)>;

// Copies variants to the memory of another device: each plain tensor inside their objects, at any
// depth, by `copy`. The copies are in progress at the same time. Objects without a wire form are
// shared.
//
// `copy` may call back before it returns, and from another thread. `done` gets the first error.
void CopyObjects(const Tensor& variants, const std::function<void(const Tensor&, Copied)>& copy,
                 Copied done);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_RUNTIME_COPY_OBJECTS_H_
