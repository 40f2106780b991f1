// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_SNAPPY_H_
#define SLUICE_CORE_IO_SNAPPY_H_

#include <string>

#include "core/status.h"

namespace sluice {

// Decompresses a Snappy block (the raw format, not the framed one). DATA_LOSS if it is damaged.
// Memory grows only with decoded bytes.
absl::StatusOr<std::string> UncompressSnappy(absl::string_view from);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_SNAPPY_H_
