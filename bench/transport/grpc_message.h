// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_GRPC_MESSAGE_H_
#define SLUICE_BENCH_TRANSPORT_GRPC_MESSAGE_H_

#include <grpcpp/support/byte_buffer.h>

#include <vector>

#include "bench/transport/contender.h"

namespace sluice::bench {

// Messages of the gRPC competitors: the expected answer, whether the rest is serialised, and the
// rest.

// Refers to the tensors' memory unless `serialised`.
grpc::ByteBuffer MakeMessage(Answer answer, bool serialised, const std::vector<Tensor>& tensors);
// Decodes a serialised message. `echo`: the bytes to send back if an echo is requested.
Answer TakeMessage(grpc::ByteBuffer* message, grpc::ByteBuffer* echo);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_GRPC_MESSAGE_H_
