// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_QUEUE_BATCH_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_QUEUE_BATCH_H_

#include "absl/types/span.h"
#include "core/runtime/kernel_context.h"
#include "kernels/any/data_flow/queue_order.h"

namespace sluice::kernels {

// Row `row` of every component of a batch, with its own bytes: an element that is kept for long
// must not keep its batch.
absl::StatusOr<QueueElement> RowOf(const QueueElement& batch, int64_t row);

// Sets the kernel's output `output` to component `component` of all elements, concatenated:
// [elements.size()] + `shape`. An unknown size in `shape` becomes the largest among the elements,
// and smaller elements are padded with zeros (empty strings). Without elements it becomes 0.
absl::Status SetBatch(KernelContext& ctx, int output, absl::Span<const QueueElement> elements,
                      size_t component, const PartialShape& shape);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_QUEUE_BATCH_H_
