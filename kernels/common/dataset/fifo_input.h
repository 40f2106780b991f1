// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_FIFO_INPUT_H_
#define SLUICE_KERNELS_COMMON_DATASET_FIFO_INPUT_H_

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "core/io/input.h"
#include "core/threads/cancel.h"

namespace sluice::kernels {

// Opens a FIFO that another process writes; another file is read too. Waits until the FIFO is there
// and a writer has opened it, at most `limit`. Every wait, also for bytes, ends when `cancel` does.
// A read returns the bytes that are there.
//
// `cancel` outlives the result.
// Errors:   DEADLINE_EXCEEDED names the path; the error of `cancel`.
absl::StatusOr<std::unique_ptr<Input>> OpenFifo(const std::string& path, absl::Duration limit,
                                                const CancelToken& cancel);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_FIFO_INPUT_H_
