// SPDX-License-Identifier: Apache-2.0
#include "core/io/record.h"

#include "core/io/crc32c.h"

namespace sluice {
namespace {

constexpr size_t kLengthBytes = 8, kCrcBytes = 4;

uint64_t LittleEndian(absl::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

void AppendLittleEndian(uint64_t value, size_t size, std::string* to) {
  for (size_t i = 0; i < size; ++i) to->push_back(static_cast<char>(value >> (8 * i)));
}

bool Matches(absl::string_view bytes, absl::string_view stored) {
  return UnmaskCrc(static_cast<uint32_t>(LittleEndian(stored))) == Crc32c(bytes);
}

}  // namespace

absl::Status RecordReader::Damaged(absl::string_view how, uint64_t at) const {
  return DataLoss(how, " record at ", at, " of ", input_.path());
}

absl::StatusOr<bool> RecordReader::Read(std::string* record) {
  if (!broken_.ok()) return broken_;
  absl::StatusOr<bool> more = ReadNext(record);
  if (!more.ok()) broken_ = more.status();
  return more;
}

absl::Status RecordReader::Skip(uint64_t bytes) {
  SLUICE_RETURN_IF_ERROR(input_.Skip(bytes));
  offset_ = input_.position();
  return absl::OkStatus();
}

absl::StatusOr<bool> RecordReader::ReadNext(std::string* record) {
  record->clear();
  std::string header;
  SLUICE_RETURN_IF_ERROR(input_.Read(kLengthBytes + kCrcBytes, &header));
  if (header.size() < kLengthBytes + kCrcBytes) return false;
  const absl::string_view length_bytes = absl::string_view(header).substr(0, kLengthBytes);
  if (!Matches(length_bytes, absl::string_view(header).substr(kLengthBytes))) {
    return Damaged("corrupted", offset_);
  }
  const uint64_t length = LittleEndian(length_bytes);
  SLUICE_RETURN_IF_ERROR(input_.Read(length, record));
  std::string crc;
  SLUICE_RETURN_IF_ERROR(input_.Read(kCrcBytes, &crc));
  if (record->size() < length || crc.size() < kCrcBytes) return Damaged("truncated", offset_);
  if (!Matches(*record, crc)) return Damaged("corrupted", offset_ + header.size());
  offset_ = input_.position();
  return true;
}

std::string FramedRecord(absl::string_view bytes) {
  std::string framed;
  AppendLittleEndian(bytes.size(), kLengthBytes, &framed);
  AppendLittleEndian(MaskCrc(Crc32c(framed)), kCrcBytes, &framed);
  framed.append(bytes.data(), bytes.size());
  AppendLittleEndian(MaskCrc(Crc32c(bytes)), kCrcBytes, &framed);
  return framed;
}

}  // namespace sluice
