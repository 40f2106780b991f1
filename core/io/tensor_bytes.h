// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_TENSOR_BYTES_H_
#define SLUICE_CORE_IO_TENSOR_BYTES_H_

#include <cstdint>

#include "core/io/atomic_file.h"
#include "core/io/random_access_file.h"
#include "core/tensor/tensor.h"

// A tensor's elements in the data files of checkpoints. Plain elements have their memory layout
// (little endian). Strings are their lengths (varints), a checksum of these, and their bytes.
// Objects are length, serialised message and a checksum, one after the other.

namespace sluice {

// Appends the elements. `crc` becomes the unmasked sum for the checkpoint's index. INVALID_ARGUMENT
// for resources.
absl::Status WriteTensorBytes(const Tensor& tensor, AtomicFile* file, uint32_t* crc);

struct TensorBytes {
  uint64_t offset = 0, size = 0;
  uint32_t crc = 0;      // not masked
  bool swapped = false;  // big endian
};

// Reads them back, after the size was checked against the file. DATA_LOSS if they are damaged.
absl::StatusOr<Tensor> ReadTensorBytes(const RandomAccessFile& file, const TensorBytes& where,
                                       DType dtype, const Shape& shape);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_TENSOR_BYTES_H_
