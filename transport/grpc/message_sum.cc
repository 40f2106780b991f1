// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/message_sum.h"

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>
#include <grpcpp/support/string_ref.h>

#include <vector>

#include "absl/strings/str_cat.h"
#include "core/io/crc32c.h"

namespace sluice::transport {

std::string MessageSum(const grpc::ByteBuffer& message) {
  std::vector<grpc::Slice> slices;
  (void)message.Dump(&slices);
  uint32_t crc = 0;
  for (const grpc::Slice& slice : slices)
    crc = Crc32c({reinterpret_cast<const char*>(slice.begin()), slice.size()}, crc);
  return absl::StrCat(absl::Hex(crc, absl::kZeroPad8));
}

bool HasMessageSum(const CallMetadata& metadata) { return metadata.count(kMessageSum) > 0; }

absl::Status CheckMessageSum(const CallMetadata& metadata, const grpc::ByteBuffer& message,
                             absl::FunctionRef<std::string()> what) {
  const auto found = metadata.find(kMessageSum);
  if (found == metadata.end()) return absl::OkStatus();
  const std::string expected(found->second.data(), found->second.size());
  const std::string sum = MessageSum(message);
  if (sum == expected) return absl::OkStatus();
  return MakeStatus(absl::StatusCode::kDataLoss, what(), " was changed on its way: its CRC-32C is ",
                    sum, ", it should be ", expected);
}

}  // namespace sluice::transport
