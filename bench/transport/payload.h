// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_PAYLOAD_H_
#define SLUICE_BENCH_TRANSPORT_PAYLOAD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace sluice::bench {

// The content of one message: buffers that are apart in memory, as the tensors of a step are.
struct Payload {
  std::string name;  // "4096", "skewed"
  std::vector<int64_t> buffers;
  // Each contender encodes the buffers before it sends them and decodes them when they arrive: as
  // tensors of strings, as protobuf messages, or by a copy into one block and out of it.
  bool serialised = false;

  int64_t bytes() const;
};

Payload PlainPayload(int64_t bytes);
// The payloads of TF-gRPC-Bench (Biswas, Lu, Panda: Designing a Micro-Benchmark Suite to Evaluate
// gRPC for TensorFlow, 2018), with its default sizes: ten buffers of 10 B, 10 KB or 1 MB.
// "uniform": the three in turns; "random": drawn from a fixed seed; "skewed": six large, three
// medium, one small.
absl::StatusOr<Payload> MixedPayload(const std::string& mix);
// "1,4K,64M", or "1:256M" for powers of four from the first to the last.
absl::StatusOr<std::vector<int64_t>> ParseSizes(const std::string& text);

// The memory from which every contender of this process sends, read only: a tensor of bytes for
// each buffer, side by side in one block.
std::vector<Tensor> SourceTensors(const Payload& payload);

// The tensors that our transports send for a payload. Serialised payloads are string tensors.
std::vector<Tensor> EncodedTensors(const Payload& payload);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_PAYLOAD_H_
