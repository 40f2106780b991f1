// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GRPC_MESSAGE_SUM_H_
#define SLUICE_TRANSPORT_GRPC_MESSAGE_SUM_H_

#include <map>
#include <string>

#include "absl/functional/function_ref.h"
#include "core/status.h"

namespace grpc {
class ByteBuffer;
class string_ref;
}  // namespace grpc

namespace sluice::transport {

// Sluice's clients of control calls give the CRC-32C of the request in the call's metadata. Then the
// server checks it, and gives that of the answer. Other clients do neither.
inline constexpr char kMessageSum[] = "sluice-crc32c";

using CallMetadata = std::multimap<grpc::string_ref, grpc::string_ref>;

// The value of kMessageSum.
std::string MessageSum(const grpc::ByteBuffer& message);

bool HasMessageSum(const CallMetadata& metadata);

// DATA_LOSS if the metadata has a sum and the message another one. In this case only, `what` is
// called to name the message.
absl::Status CheckMessageSum(const CallMetadata& metadata, const grpc::ByteBuffer& message,
                             absl::FunctionRef<std::string()> what);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_MESSAGE_SUM_H_
