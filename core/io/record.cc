// SPDX-License-Identifier: Apache-2.0
#include "core/io/record.h"

#include "core/io/coding.h"
#include "core/io/crc32c.h"

namespace sluice {
namespace {

constexpr size_t kLengthBytes = 8, kCrcBytes = 4;

// Whether the last bytes are the sum of those before.
bool EndsWithSum(absl::string_view bytes) {
  const absl::string_view stored = bytes.substr(bytes.size() - kCrcBytes);
  bytes.remove_suffix(kCrcBytes);
  return UnmaskCrc(static_cast<uint32_t>(DecodeFixed(stored))) == Crc32c(bytes);
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
  constexpr size_t kHeader = kLengthBytes + kCrcBytes;
  record->clear();
  std::string pieces;
  SLUICE_ASSIGN(const absl::string_view header, input_.Take(kHeader, &pieces));
  if (header.size() < kHeader) return false;
  if (!EndsWithSum(header)) return Damaged("corrupted", offset_);
  const uint64_t length = DecodeFixed(header.substr(0, kLengthBytes));
  if (length > UINT64_MAX - kCrcBytes) return Damaged("truncated", offset_);

  SLUICE_ASSIGN(const absl::string_view body, input_.Take(length + kCrcBytes, record));
  if (body.size() < length + kCrcBytes) return Damaged("truncated", offset_);
  // The sum is computed before the bytes are copied: then it does not wait for the copy's memory.
  if (!EndsWithSum(body)) return Damaged("corrupted", offset_ + kHeader);
  if (record->empty())
    record->assign(body.data(), length);
  else
    record->resize(length);
  offset_ = input_.position();
  return true;
}

std::string FramedRecord(absl::string_view bytes) {
  std::string framed;
  AppendFixed(bytes.size(), kLengthBytes, &framed);
  AppendFixed(MaskCrc(Crc32c(framed)), kCrcBytes, &framed);
  framed.append(bytes.data(), bytes.size());
  AppendFixed(MaskCrc(Crc32c(bytes)), kCrcBytes, &framed);
  return framed;
}

}  // namespace sluice
