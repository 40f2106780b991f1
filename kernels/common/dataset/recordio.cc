// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/recordio.h"

namespace sluice::kernels {
namespace {

constexpr uint32_t kMagic = 0xced7230a;
constexpr uint64_t kHeaderBytes = 8, kAlignment = 4;
constexpr uint32_t kLengthBits = 29, kLengthMask = (1u << kLengthBits) - 1;
constexpr uint64_t kMostRecordBytes = uint64_t{2} << 30;
enum Part : uint32_t { kWhole = 0, kFirst = 1, kMiddle = 2, kLast = 3 };

uint32_t Word(absl::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

void AppendMagic(std::string* to) {
  for (size_t i = 0; i < 4; ++i) to->push_back(static_cast<char>(kMagic >> (8 * i)));
}

}  // namespace

absl::Status RecordIoReader::Damaged(absl::string_view how) const {
  return DataLoss(how, " record at ", offset_, " of ", input_.path());
}

absl::StatusOr<bool> RecordIoReader::Read(std::string* record) {
  if (!broken_.ok()) return broken_;
  absl::StatusOr<bool> more = ReadNext(record);
  if (!more.ok()) broken_ = more.status();
  return more;
}

absl::StatusOr<bool> RecordIoReader::ReadNext(std::string* record) {
  record->clear();
  std::string header, padding;
  for (bool inside = false;; inside = true) {
    header.clear();
    SLUICE_RETURN_IF_ERROR(input_.Read(kHeaderBytes, &header));
    if (header.empty() && !inside) return false;
    if (header.size() < kHeaderBytes) return Damaged("truncated");
    if (Word(header) != kMagic) return Damaged("corrupted");
    const uint32_t word = Word(absl::string_view(header).substr(4));
    const uint32_t part = word >> kLengthBits;
    const uint64_t length = word & kLengthMask;
    const bool begins = part == kWhole || part == kFirst;
    if (part > kLast || begins == inside) return Damaged("corrupted");
    if (inside) AppendMagic(record);
    if (record->size() + length > kMostRecordBytes) {
      return ResourceExhausted("the record at ", offset_, " of ", input_.path(), " is longer than ",
                               kMostRecordBytes, " bytes");
    }
    const uint64_t before = record->size();
    SLUICE_RETURN_IF_ERROR(input_.Read(length, record));
    padding.clear();
    const uint64_t zeros = (kAlignment - length % kAlignment) % kAlignment;
    SLUICE_RETURN_IF_ERROR(input_.Read(zeros, &padding));
    if (record->size() - before < length || padding.size() < zeros) return Damaged("truncated");
    if (part == kWhole || part == kLast) break;
  }
  offset_ = input_.position();
  return true;
}

}  // namespace sluice::kernels
