// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_TENSOR_BYTES_H_
#define SLUICE_CORE_IO_TENSOR_BYTES_H_

#include <cstdint>

#include "core/io/atomic_file.h"
#include "core/io/random_access_file.h"
#include "core/tensor/tensor.h"

// A tensor's elements as the data files of checkpoints hold them: plain ones as they lie in memory
// (little endian); strings as their lengths (varints), a checksum of these, their bytes; objects as
// length, serialised message and a checksum, one after the other.

namespace sluice {

// Appends them. `crc` becomes the sum that the checkpoint's index holds, not masked.
// INVALID_ARGUMENT for resources.
absl::Status WriteTensorBytes(const Tensor& tensor, AtomicFile* file, uint32_t* crc);

struct TensorBytes {
  uint64_t offset = 0, size = 0;
  uint32_t crc = 0;      // not masked
  bool swapped = false;  // big endian
};

// Reads them back, after their size was checked against the file. DATA_LOSS when they are damaged.
absl::StatusOr<Tensor> ReadTensorBytes(const RandomAccessFile& file, const TensorBytes& where,
                                       DType dtype, const Shape& shape);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_TENSOR_BYTES_H_
