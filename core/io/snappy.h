// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_SNAPPY_H_
#define SLUICE_CORE_IO_SNAPPY_H_

#include <memory>
#include <string>

#include "core/io/file_system.h"
#include "core/io/input.h"
#include "core/status.h"

namespace sluice {

// Decompresses a Snappy block (the raw format, not the framed one). DATA_LOSS if it is damaged, or
// claims to be larger than its bytes can be.
absl::StatusOr<std::string> UncompressSnappy(absl::string_view from);

// Streams of blocks in TensorFlow's format: each block has the size of its bytes before it, 4 bytes
// with the highest first. Blocks hold at most 256 KB before they are compressed.
std::unique_ptr<Input> SnappyDecompressed(std::unique_ptr<Input> from);
std::unique_ptr<OutputFile> SnappyCompressed(std::unique_ptr<OutputFile> to);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_SNAPPY_H_
