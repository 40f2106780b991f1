// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GRPC_INFLATE_H_
#define SLUICE_TRANSPORT_GRPC_INFLATE_H_

#include "core/status.h"

namespace grpc {
class ByteBuffer;
}  // namespace grpc

namespace sluice::transport {

// A message as gRPC gives it to a server that does not let gRPC decompress: gRPC would take any
// number of bytes before somebody could refuse them. A message that is compressed (by gzip or zlib,
// as gRPC's clients do) is decompressed, any other is returned as it is. RESOURCE_EXHAUSTED beyond
// protobuf's 2 GiB, or the process's memory limit; INVALID_ARGUMENT for damaged bytes.
absl::StatusOr<grpc::ByteBuffer> Inflate(const grpc::ByteBuffer& message);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_INFLATE_H_
