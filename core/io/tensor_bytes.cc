// SPDX-License-Identifier: Apache-2.0
#include "core/io/tensor_bytes.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/codec/codec.h"
#include "core/io/coding.h"
#include "core/io/crc32c.h"
#include "core/tensor/allocator.h"
#include "core/tensor/variant.h"
#include "proto/tensor.pb.h"

namespace sluice {
namespace {

constexpr size_t kCrcSize = 4;

std::string Fixed(uint64_t value, size_t size) {
  std::string bytes;
  AppendFixed(value, size, &bytes);
  return bytes;
}

// The checksum treats a length as 4 bytes, or as 8 if it needs them.
std::string LengthForCrc(uint64_t length) { return Fixed(length, length > UINT32_MAX ? 8 : 4); }

// Uses a separate buffer: if a variable is written meanwhile, the sum must still match the bytes in
// the file.
absl::Status WritePlain(const Tensor& tensor, AtomicFile* file, uint32_t* crc) {
  constexpr size_t kChunk = 64 << 10;
  std::string chunk;
  absl::string_view rest(static_cast<const char*>(tensor.raw()), tensor.bytes());
  while (!rest.empty()) {
    chunk.assign(rest.data(), std::min(kChunk, rest.size()));
    rest.remove_prefix(chunk.size());
    *crc = Crc32c(chunk, *crc);
    SLUICE_RETURN_IF_ERROR(file->Append(chunk));
  }
  return absl::OkStatus();
}

absl::Status WriteStrings(const Tensor& tensor, AtomicFile* file, uint32_t* crc) {
  std::string lengths;
  for (const std::string& s : tensor.flat<std::string>()) {
    AppendVarint(s.size(), &lengths);
    *crc = Crc32c(LengthForCrc(s.size()), *crc);
  }
  const std::string sum = Fixed(MaskCrc(*crc), kCrcSize);
  *crc = Crc32c(sum, *crc);
  SLUICE_RETURN_IF_ERROR(file->Append(lengths));
  SLUICE_RETURN_IF_ERROR(file->Append(sum));
  for (const std::string& s : tensor.flat<std::string>()) {
    *crc = Crc32c(s, *crc);
    SLUICE_RETURN_IF_ERROR(file->Append(s));
  }
  return absl::OkStatus();
}

absl::Status WriteVariants(const Tensor& tensor, AtomicFile* file, uint32_t* crc) {
  for (const Variant& element : tensor.flat<Variant>()) {
    proto::TensorProto message;
    SLUICE_RETURN_IF_ERROR(
        EncodeTensor(Tensor::Scalar<Variant>(element), &message, TensorForm::kReadable));
    std::string bytes;
    if (message.variant_val_size() == 1) bytes = message.variant_val(0).SerializeAsString();
    *crc = Crc32c(Fixed(bytes.size(), 8), *crc);
    *crc = Crc32c(bytes, *crc);
    const std::string sum = Fixed(MaskCrc(*crc), kCrcSize);
    *crc = Crc32c(sum, *crc);
    std::string framed;
    AppendVarint(bytes.size(), &framed);
    framed += bytes;
    framed += sum;
    SLUICE_RETURN_IF_ERROR(file->Append(framed));
  }
  return absl::OkStatus();
}

absl::Status Damaged(const RandomAccessFile& file, uint64_t offset, absl::string_view what) {
  return DataLoss("the tensor at ", offset, " of ", file.path(), " is damaged: ", what);
}

void SwapBytes(DType dtype, size_t bytes, char* data) {
  const size_t width =
      dtype == kComplex64 || dtype == kComplex128 ? SizeOf(dtype) / 2 : SizeOf(dtype);
  for (size_t at = 0; at + width <= bytes; at += width) std::reverse(data + at, data + at + width);
}

absl::StatusOr<Tensor> ReadPlain(const RandomAccessFile& file, const TensorBytes& where,
                                 DType dtype, const Shape& shape) {
  int64_t bytes;
  if (!MulFits(shape.num_elements(), static_cast<int64_t>(SizeOf(dtype)), &bytes) ||
      static_cast<uint64_t>(bytes) != where.size) {
    return Damaged(file, where.offset,
                   Cat("it has ", where.size, " bytes, which is not ", dtype, " ", shape));
  }
  SLUICE_ASSIGN(Tensor tensor, Tensor::Allocate(CpuAllocator(), dtype, shape));
  char* data = static_cast<char*>(tensor.raw());
  // Sums each piece while it is in the cache.
  constexpr uint64_t kChunk = 256 << 10;
  uint32_t crc = 0;
  for (uint64_t at = 0; at < where.size; at += kChunk) {
    const uint64_t size = std::min(kChunk, where.size - at);
    SLUICE_RETURN_IF_ERROR(file.ReadAt(where.offset + at, size, data + at));
    crc = Crc32c(absl::string_view(data + at, size), crc);
  }
  if (crc != where.crc) return Damaged(file, where.offset, "Checksum does not match");
  if (dtype == kBool) {
    for (uint64_t i = 0; i < where.size; ++i) data[i] = data[i] != 0 ? 1 : 0;
  }
  if (where.swapped) SwapBytes(dtype, where.size, data);
  return tensor;
}

absl::Status FillStrings(absl::string_view bytes, Tensor* tensor, uint32_t* crc) {
  std::vector<uint64_t> lengths(tensor->num_elements());
  uint64_t total = 0;
  for (uint64_t& length : lengths) {
    if (!TakeVarint(&bytes, &length) || length > bytes.size()) {
      return DataLoss("a string's length");
    }
    total += length;
    *crc = Crc32c(LengthForCrc(length), *crc);
  }
  if (bytes.size() < kCrcSize || bytes.size() - kCrcSize != total) return DataLoss("its size");
  const uint64_t stored = DecodeFixed(bytes.substr(0, kCrcSize));
  if (UnmaskCrc(static_cast<uint32_t>(stored)) != *crc) {
    return DataLoss("checksum of its lengths does not match");
  }
  *crc = Crc32c(bytes, *crc);
  bytes.remove_prefix(kCrcSize);
  for (size_t i = 0; i < lengths.size(); ++i) {
    tensor->mutable_data<std::string>()[i].assign(bytes.data(), lengths[i]);
    bytes.remove_prefix(lengths[i]);
  }
  return absl::OkStatus();
}

absl::Status FillVariants(absl::string_view bytes, Tensor* tensor, uint32_t* crc) {
  for (Variant& element : tensor->mutable_flat<Variant>()) {
    uint64_t length;
    if (!TakeVarint(&bytes, &length) || length > INT32_MAX || length > bytes.size() ||
        bytes.size() - length < kCrcSize) {
      return DataLoss("an object's length");
    }
    *crc = Crc32c(Fixed(length, 8), *crc);
    *crc = Crc32c(bytes.substr(0, length), *crc);
    const absl::string_view sum = bytes.substr(length, kCrcSize);
    if (UnmaskCrc(static_cast<uint32_t>(DecodeFixed(sum))) != *crc) {
      return DataLoss("checksum of an object does not match");
    }
    *crc = Crc32c(sum, *crc);
    proto::TensorProto message;
    message.set_dtype(proto::DT_VARIANT);
    message.mutable_tensor_shape();
    if (!message.add_variant_val()->ParseFromArray(bytes.data(), static_cast<int>(length))) {
      return DataLoss("an object does not parse");
    }
    SLUICE_ASSIGN(const Tensor decoded, DecodeTensor(message));
    element = decoded.scalar<Variant>();
    bytes.remove_prefix(length + kCrcSize);
  }
  return bytes.empty() ? absl::OkStatus() : DataLoss("its size");
}

}  // namespace

absl::Status WriteTensorBytes(const Tensor& tensor, AtomicFile* file, uint32_t* crc) {
  *crc = 0;
  if (tensor.dtype() == kString) return WriteStrings(tensor, file, crc);
  if (tensor.dtype() == kVariant) return WriteVariants(tensor, file, crc);
  if (IsPlain(tensor.dtype())) return WritePlain(tensor, file, crc);
  return InvalidArgument("a tensor of type ", tensor.dtype(), " cannot be saved");
}

absl::StatusOr<Tensor> ReadTensorBytes(const RandomAccessFile& file, const TensorBytes& where,
                                       DType dtype, const Shape& shape) {
  if (!file.Has(where.offset, where.size)) {
    return OutOfRange("the tensor at ", where.offset, " of ", file.path(),
                      " is damaged: Read less bytes than requested, ", where.size,
                      ", as the file ends at ", file.size());
  }
  if (IsPlain(dtype)) return ReadPlain(file, where, dtype, shape);
  if (dtype != kString && dtype != kVariant) {
    return InvalidArgument("a tensor of type ", dtype, " cannot be restored");
  }
  // Each element needs at least one byte.
  if (static_cast<uint64_t>(shape.num_elements()) > where.size) {
    return Damaged(file, where.offset, Cat("it has ", where.size, " bytes for ", shape));
  }
  SLUICE_ASSIGN(const std::string bytes, file.ReadAt(where.offset, where.size));
  SLUICE_ASSIGN(Tensor tensor, Tensor::Allocate(CpuAllocator(), dtype, shape));
  uint32_t crc = 0;
  const absl::Status filled =
      dtype == kString ? FillStrings(bytes, &tensor, &crc) : FillVariants(bytes, &tensor, &crc);
  if (!filled.ok()) return Damaged(file, where.offset, filled.message());
  if (crc != where.crc) return Damaged(file, where.offset, "Checksum does not match");
  return tensor;
}

}  // namespace sluice
